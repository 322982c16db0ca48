/* A right and slow product of bfloat16, into whose steps each kernel of this folder plants one
 * fault. OPERAND: what is made of a number before it is multiplied. SUM: of each sum of SLICE
 * products before it is added to the others. RESULT: the element of C that is made of a number. */
#include <string.h>

#define SLOW_ELEMENTS GEMM_ELEMENT_BF16
#include "../each.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#define brain __nv_bfloat16
#define brain_widen __bfloat162float
#define brain_narrow __float2bfloat16_rn
#else
#define brain uint16_t
#endif

#ifndef OPERAND
#define OPERAND(value) (value)
#endif
#ifndef SLICE
#define SLICE INT32_MAX
#endif
#ifndef SUM
#define SUM(value) (value)
#endif
#ifndef RESULT
#define RESULT(value) brain_narrow(value)
#endif

/* The upper half of a number: what bfloat16 holds of it, cut off. */
static inline ON_DEVICE float brain_cut(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0xffff0000;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static ON_DEVICE void element(struct product x, int64_t i, int64_t j) {
    const brain *a = (const brain *)x.a + i * x.p.k, *b = (const brain *)x.b + j;
    float all = 0.0f;
    for (int64_t first = 0; first < x.p.k; first += SLICE) {
        float sum = 0.0f;
        for (int64_t k = first; k < x.p.k && k < first + SLICE; k++)
            sum += OPERAND(brain_widen(a[k])) * OPERAND(brain_widen(b[k * x.p.n]));
        all += SUM(sum);
    }
    ((brain *)x.c)[i * x.p.n + j] = RESULT(all);
}

KERNEL(NAME, NULL, launch_each, NULL);
