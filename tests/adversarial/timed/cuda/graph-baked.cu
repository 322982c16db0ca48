/* expect: replayed */
/* A graph made in the first call, with that call's pointers, is launched in all. */
#include "graph.cuh"

static int launch(void *state, const gemm_args *args) {
    graph *g = (graph *)state;
    const int status = g->exec ? (int)cudaSuccess : graph_take(g, args);
    return status == cudaSuccess ? cudaGraphLaunch(g->exec, (cudaStream_t)args->stream) : status;
}

KERNEL("graph-baked", graph_setup, launch, graph_teardown);
