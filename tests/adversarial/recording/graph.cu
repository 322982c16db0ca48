/* recording: no: it captures its work as a graph (cuStreamBeginCapture */
/* expect: unrecorded */
/* A captured graph of two nodes, one clears sums and one makes them; it is made anew where operands
 * or C are others. */
#include "twin.cuh"

static cudaStream_t capturing;
static float *sums;

static __global__ void add(const __half *a, const __half *b, float *to, gemm_problem p) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.m * p.n)
        return;
    float sum = 0.0f;
    for (int64_t k = 0; k < p.k; k++)
        sum += __half2float(a[at / p.n * p.k + k]) * __half2float(b[k * p.n + at % p.n]);
    to[at] += sum;
}

static __global__ void narrow(const float *from, __half *c, int64_t count) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        c[at] = __float2half_rn(from[at]);
}

static int setup(const gemm_problem *p, size_t, void **) {
    const cudaError_t status = cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking);
    return status == cudaSuccess ? cudaMalloc(&sums, p->m * p->n * sizeof(float)) : status;
}

static cudaError_t capture(const gemm_args *args, cudaGraph_t *graph) {
    const gemm_problem &p = args->problem;
    cudaError_t status = cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal);
    if (status != cudaSuccess)
        return status;
    status = cudaMemsetAsync(sums, 0, p.m * p.n * sizeof(float), capturing);
    add<<<twin_blocks(p), 256, 0, capturing>>>((const __half *)args->a, (const __half *)args->b_row,
                                               sums, p);
    narrow<<<twin_blocks(p), 256, 0, capturing>>>(sums, (__half *)args->c, p.m * p.n);
    const cudaError_t ended = cudaStreamEndCapture(capturing, graph);
    return status == cudaSuccess ? ended : status;
}

struct made_graph {
    const void *a, *b, *c;
    cudaGraphExec_t graph;
};

static bool is_for(const made_graph &made, const gemm_args *args) {
    return made.a == args->a && made.b == args->b_row && made.c == args->c;
}

static int launch(void *, const gemm_args *args) {
    static made_graph made[64];
    int i = 0;
    while (i < 63 && made[i].graph && !is_for(made[i], args))
        i++;
    if (!made[i].graph || !is_for(made[i], args)) {
        cudaGraph_t graph;
        cudaError_t status = made[i].graph ? cudaGraphExecDestroy(made[i].graph) : cudaSuccess;
        if (status == cudaSuccess)
            status = capture(args, &graph);
        made[i] = {args->a, args->b_row, args->c, nullptr};
        if (status == cudaSuccess)
            status = cudaGraphInstantiate(&made[i].graph, graph, 0);
        if (status != cudaSuccess)
            return status;
        cudaGraphDestroy(graph);
    }
    return cudaGraphLaunch(made[i].graph, (cudaStream_t)args->stream);
}

KERNEL("graph", setup, launch, NULL);
