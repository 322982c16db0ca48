/* The libraries of which a build without CUDA loads releases. */
#include "baselines/openblas_api.h"

const struct release_kind *const release_kinds[] = {&release_openblas, NULL};
