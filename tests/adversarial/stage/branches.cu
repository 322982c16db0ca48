/* expect: ok */
/* Twin: a graph with two branches, one for each half of the rows of C, and each call's pointers. */
#include "tile.cuh"

struct graph {
    cudaGraph_t made;
    cudaGraphNode_t halves[2];
    cudaGraphExec_t exec;
};

static int setup(const gemm_problem *, size_t, void **state) {
    *state = new graph();
    return 0;
}

static int launch(void *state, const gemm_args *args) {
    graph *g = (graph *)state;
    gemm_problem p = args->problem;
    const int64_t tiles = p.m / TILE, first[] = {0, tiles / 2 * TILE, p.m};
    const void *b = args->b_row;
    const bool there = g->exec;
    cudaError_t status = there ? cudaSuccess : cudaGraphCreate(&g->made, 0);
    for (int i = 0; i < 2 && status == cudaSuccess; i++) {
        const __half *a = (const __half *)args->a + first[i] * p.k;
        __half *c = (__half *)args->c + first[i] * p.n;
        void *parameters[] = {&a, &b, &c, &p};
        cudaKernelNodeParams node = {};
        node.func = (void *)tile_kernel;
        node.gridDim = dim3((unsigned)(p.n / TILE), (unsigned)((first[i + 1] - first[i]) / TILE));
        node.blockDim = dim3(THREADS);
        node.kernelParams = parameters;
        status = there ? cudaGraphExecKernelNodeSetParams(g->exec, g->halves[i], &node)
                       : cudaGraphAddKernelNode(&g->halves[i], g->made, nullptr, 0, &node);
    }
    if (status == cudaSuccess && !there)
        status = cudaGraphInstantiate(&g->exec, g->made, 0);
    return status == cudaSuccess ? cudaGraphLaunch(g->exec, (cudaStream_t)args->stream) : status;
}

static void teardown(void *state) {
    graph *g = (graph *)state;
    if (g->exec)
        cudaGraphExecDestroy(g->exec);
    if (g->made)
        cudaGraphDestroy(g->made);
    delete g;
}

KERNEL_FOR(tile_can_do, "branches", setup, launch, teardown);
