/* cublaslt-heuristic-nn and -tn: the first algorithm cuBLASLt suggests, asked for once in setup. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublaslt.h"

static int setup_nn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, false, 1, state);
}

static int setup_tn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, true, 1, state);
}

const struct baseline baseline_cublaslt_heuristic_nn = {
    .ops = CUBLASLT_OPS("cublaslt-heuristic-nn", setup_nn),
    .forget = cublaslt_forget,
};
const struct baseline baseline_cublaslt_heuristic_tn = {
    .ops = CUBLASLT_OPS("cublaslt-heuristic-tn", setup_tn),
    .forget = cublaslt_forget,
};
