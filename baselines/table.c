/* The baselines of a build without CUDA, and the libraries of which it loads releases. */
#include "baselines/baselines.h"
#include "baselines/openblas_api.h"

const struct baseline *const baselines[] = {BASELINES_OF_HOST(BASELINE_LISTED) NULL};

const struct release_kind *const release_kinds[] = {&release_openblas, NULL};
