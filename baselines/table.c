/* The baselines of a build without CUDA. */
#include "baselines/baselines.h"

const struct baseline *const baselines[] = {BASELINES_OF_HOST(BASELINE_LISTED) NULL};
