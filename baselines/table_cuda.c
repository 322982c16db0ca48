/* The baselines of a build with CUDA. */
#include "baselines/baselines.h"

const struct baseline *const baselines[] = {
    &baseline_torch_matmul,
    &baseline_cublas_nn,
    &baseline_cublas_tn,
    &baseline_cublaslt_heuristic_nn,
    &baseline_cublaslt_heuristic_tn,
    &baseline_cublaslt_autotune_nn,
    &baseline_cublaslt_autotune_tn,
    &baseline_openblas_nn,
    &baseline_openblas_tn,
    NULL,
};
