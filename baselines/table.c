/* The baselines of a build without CUDA. */
#include "baselines/baselines.h"

const struct baseline *const baselines[] = {
    &baseline_openblas_nn,
    &baseline_openblas_tn,
    NULL,
};
