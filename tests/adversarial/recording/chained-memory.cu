/* recording: carried out */
/* expect: ok */
/* Memory of setup holds the address of other memory of setup, which the kernel follows. */
#include "twin.cuh"

struct node {
    const node *next;
    float scale;
};

static __global__ void follow(const __half *a, const __half *b, __half *c, gemm_problem p,
                              const node *first) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    for (const node *n = first; n; n = n->next)
        sum *= n->scale;
    c[at] = __float2half_rn(sum);
}

static int setup(const gemm_problem *, size_t, void **state) {
    node *nodes[2];
    cudaError_t status = cudaMalloc(&nodes[0], sizeof(node));
    if (status == cudaSuccess)
        status = cudaMalloc(&nodes[1], 3 << 20);
    const node first = {nodes[1], 2.0f}, second = {nullptr, 0.5f};
    if (status == cudaSuccess)
        status = cudaMemcpy(nodes[0], &first, sizeof first, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(nodes[1], &second, sizeof second, cudaMemcpyHostToDevice);
    *state = nodes[0];
    return status;
}

static int launch(void *state, const gemm_args *args) {
    const gemm_problem &p = args->problem;
    follow<<<twin_blocks(p), 256, 0, (cudaStream_t)args->stream>>>(
        (const __half *)args->a, (const __half *)args->b_row, (__half *)args->c, p,
        (const node *)state);
    return cudaGetLastError();
}

KERNEL("chained-memory", setup, launch, NULL);
