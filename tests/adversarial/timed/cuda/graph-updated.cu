/* No fault, but a warning: launches a graph, too, with the pointers of each call. expect: ok */
#include "graph.cuh"

static int launch(void *state, const gemm_args *args) {
    graph *g = (graph *)state;
    const int status = graph_take(g, args);
    return status == cudaSuccess ? cudaGraphLaunch(g->exec, (cudaStream_t)args->stream) : status;
}

KERNEL("graph-updated", graph_setup, launch, graph_teardown);
