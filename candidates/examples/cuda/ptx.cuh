/* The instructions of sm_80 that pipeline.cuh uses, one function each. Included by it alone. */
#ifndef PTX_CUH
#define PTX_CUH

#include <cuda_fp16.h>
#include <stdint.h>

/* 16 bytes to shared memory, the first `bytes` (0 or 16) from `from`, the others zero. Both
 * addresses are multiples of 16. */
__device__ inline void copy_async(void *to, const void *from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(bytes)
                 : "memory");
}

__device__ inline void copy_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most NEWEST of this thread's groups are on their way. */
template <int NEWEST> __device__ inline void copy_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(NEWEST) : "memory");
}

/* Four 8 x 8 matrices of halves; `row` is this lane's row, in shared memory. */
__device__ inline void load_matrices(uint32_t (&to)[4], const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(row))
                 : "memory");
}

/* 16 x 8 sums += 16 x 16 of A times 16 x 8 of B, in what the sums are kept in. */
__device__ inline void multiply_add(sum_f32 &sum, const uint32_t *a, const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum.value[0]), "+f"(sum.value[1]), "+f"(sum.value[2]), "+f"(sum.value[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline void multiply_add(sum_f16 &sum, const uint32_t *a, const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(sum.value[0]), "+r"(sum.value[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Two neighbours of the upper or the lower row that a thread holds. */
__device__ inline float2 sum_pair(const sum_f32 &sum, int below) {
    return make_float2(sum.value[2 * below], sum.value[2 * below + 1]);
}

__device__ inline float2 sum_pair(const sum_f16 &sum, int below) {
    return __half22float2(*(const __half2 *)&sum.value[below]);
}

#endif
