/* No fault, but a warning: launches a graph, too, with the pointers of each call. expect: ok */
#include "graph.cuh"

static int launch(void *state, const gemm_args *args) {
    graph *g = (graph *)state;
    const int status = graph_take(g, args);
    return status == cudaSuccess ? cudaGraphLaunch(g->exec, (cudaStream_t)args->stream) : status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "graph-updated",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = graph_setup,
    .launch = launch,
    .teardown = graph_teardown,
    .explain = slow_explain,
};
