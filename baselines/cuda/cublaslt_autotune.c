/* cublaslt-autotune-nn and -tn: up to 100 suggestions of cuBLASLt, as in the paper; the harness
 * times them and chooses. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublaslt.h"

enum { SUGGESTIONS = 100 };

static int setup_nn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, false, SUGGESTIONS, state);
}

static int setup_tn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return cublaslt_setup(problem, workspace_bytes, true, SUGGESTIONS, state);
}

const struct baseline baseline_cublaslt_autotune_nn = {
    .ops = CUBLASLT_OPS("cublaslt-autotune-nn", setup_nn),
    .variants = cublaslt_count,
    .select = cublaslt_use,
    .describe = cublaslt_name,
    .forget = cublaslt_forget,
};
const struct baseline baseline_cublaslt_autotune_tn = {
    .ops = CUBLASLT_OPS("cublaslt-autotune-tn", setup_tn),
    .variants = cublaslt_count,
    .select = cublaslt_use,
    .describe = cublaslt_name,
    .forget = cublaslt_forget,
};
