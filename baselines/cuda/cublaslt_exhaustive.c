/* cublaslt-exhaustive-nn and -tn: whatever configuration of its algorithms cuBLASLt accepts, its
 * own suggestions first. The harness searches them for the fastest. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublaslt.h"

enum { SUGGESTIONS = 100 };

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, bool tn,
                 void **state) {
    int status = cublaslt_setup(problem, workspace_bytes, tn, SUGGESTIONS, state);
    if (status != 0)
        return status;
    status = cublaslt_search_all(*state, problem);
    if (status != 0) {
        cublaslt_teardown(*state);
        *state = NULL;
    }
    return status;
}

static int setup_nn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return setup(problem, workspace_bytes, false, state);
}

static int setup_tn(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    return setup(problem, workspace_bytes, true, state);
}

#define EXHAUSTIVE(layout)                                                                         \
    {                                                                                              \
        .ops = CUBLASLT_OPS("cublaslt-exhaustive-" #layout, setup_##layout),                       \
        .variants = cublaslt_count, .select = cublaslt_use, .describe = cublaslt_name,             \
        .forget = cublaslt_forget, .optional = true, .search = true,                               \
    }

const struct baseline baseline_cublaslt_exhaustive_nn = EXHAUSTIVE(nn);
const struct baseline baseline_cublaslt_exhaustive_tn = EXHAUSTIVE(tn);
