/* slow_kernel as the one node of a graph. */
#ifndef GRAPH_CUH
#define GRAPH_CUH

#include "../../kernel.h"

struct graph {
    cudaGraph_t made;
    cudaGraphNode_t node;
    cudaGraphExec_t exec; /* nullptr before the first call */
};

static inline int graph_setup(const gemm_problem *, size_t, void **state) {
    *state = new graph();
    return cudaSuccess;
}

/* Makes the graph of a call's pointers, or puts them into the one that is there. */
static inline int graph_take(graph *g, const gemm_args *args) {
    gemm_problem p = args->problem;
    const void *a = args->a, *b = args->b_row;
    void *c = args->c, *parameters[] = {&a, &b, &c, &p};
    cudaKernelNodeParams node = {};
    node.func = (void *)slow_kernel;
    node.gridDim = dim3((unsigned)((p.m * p.n + 255) / 256));
    node.blockDim = dim3(256);
    node.kernelParams = parameters;
    if (g->exec)
        return cudaGraphExecKernelNodeSetParams(g->exec, g->node, &node);
    cudaError_t status = cudaGraphCreate(&g->made, 0);
    if (status == cudaSuccess)
        status = cudaGraphAddKernelNode(&g->node, g->made, nullptr, 0, &node);
    return status == cudaSuccess ? cudaGraphInstantiate(&g->exec, g->made, 0) : status;
}

static inline void graph_teardown(void *state) {
    graph *g = (graph *)state;
    if (g->exec)
        cudaGraphExecDestroy(g->exec);
    if (g->made)
        cudaGraphDestroy(g->made);
    delete g;
}

#endif
