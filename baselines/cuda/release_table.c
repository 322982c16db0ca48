/* The libraries of which a build with CUDA loads releases. */
#include "baselines/cuda/release_cublas.h"
#include "baselines/openblas_api.h"

const struct release_kind *const release_kinds[] = {&release_cublas, &release_openblas, NULL};
