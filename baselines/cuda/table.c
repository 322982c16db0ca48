/* The baselines of a build with CUDA, and the libraries of which it loads releases. */
#include "baselines/baselines.h"
#include "baselines/cuda/cublas_api.h"
#include "baselines/openblas_api.h"

const struct baseline *const baselines[] = {BASELINES_OF_CUDA(BASELINE_LISTED)
                                                BASELINES_OF_HOST(BASELINE_LISTED) NULL};

const struct release_kind *const release_kinds[] = {&release_cublas, &release_openblas, NULL};
