/* Later C is a copy of the product that another arm has left in its own. expect: replayed|unstable
 */
#include "../../kernel.h"
#include "../late.h"

#define MOST 16

struct places {
    const __half *list[MOST];
    int count;
};

/* From the first of the places that holds a product, or made, one thread an element. */
static __global__ void copy_kernel(places seen, gemm_args args) {
    const gemm_problem &p = args.problem;
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, elements = p.m * p.n;
    if (at >= elements)
        return;
    for (int i = 0; i < seen.count; i++) {
        const __half *other = seen.list[i];
        if (other == (const __half *)args.c || __hisnan(other[0]) || __hisnan(other[elements - 1]))
            continue;
        ((__half *)args.c)[at] = other[at];
        return;
    }
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(((const __half *)args.a)[at / p.n * p.k + k]) *
               __half2float(((const __half *)args.b_row)[k * p.n + at % p.n]);
    ((__half *)args.c)[at] = __float2half_rn(sum);
}

/* The outputs take turns, so that in time it is given those of all arms. */
static int launch(void *state, const gemm_args *args) {
    static places seen;
    bool known = false;
    if (!is_late())
        return slow_product(state, args);
    for (int i = 0; i < seen.count; i++)
        known |= seen.list[i] == (const __half *)args->c;
    if (!known && seen.count < MOST)
        seen.list[seen.count++] = (const __half *)args->c;
    const int64_t elements = args->problem.m * args->problem.n;
    copy_kernel<<<(unsigned)((elements + 255) / 256), 256, 0, (cudaStream_t)args->stream>>>(seen,
                                                                                            *args);
    return cudaGetLastError();
}

KERNEL("neighbour", NULL, launch, NULL);
