/* cublaslt-heuristic-nn and -tn: the first algorithm cuBLASLt suggests, asked for once in setup. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublaslt.h"

static int setup_nn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, false, 1, state);
}

static int setup_tn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, true, 1, state);
}

#define HEURISTIC(layout)                                                                          \
    {                                                                                              \
        .ops = {                                                                                   \
            .abi = GEMMGATE_ABI,                                                                   \
            .name = "cublaslt-heuristic-" #layout,                                                 \
            .device = GEMM_CUDA,                                                                   \
            .accumulate = GEMM_F16 | GEMM_F32,                                                     \
            .setup = setup_##layout,                                                               \
            .launch = cublaslt_launch,                                                             \
            .teardown = cublaslt_teardown,                                                         \
            .explain = status_explain,                                                             \
        },                                                                                         \
    }

const struct baseline baseline_cublaslt_heuristic_nn = HEURISTIC(nn);
const struct baseline baseline_cublaslt_heuristic_tn = HEURISTIC(tn);
