/* expect: replayed */
/* A graph made in the first call, with that call's pointers, is launched in all. */
#include "graph.cuh"

static int launch(void *state, const gemm_args *args) {
    graph *g = (graph *)state;
    const int status = g->exec ? (int)cudaSuccess : graph_take(g, args);
    return status == cudaSuccess ? cudaGraphLaunch(g->exec, (cudaStream_t)args->stream) : status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "graph-baked",
    .device = GEMM_CUDA,
    .accumulate = GEMM_F32,
    .tile = {},
    .can_do = nullptr,
    .setup = graph_setup,
    .launch = launch,
    .teardown = graph_teardown,
    .explain = slow_explain,
};
