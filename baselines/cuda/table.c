/* The baselines of a build with CUDA. */
#include "baselines/baselines.h"

const struct baseline *const baselines[] = {BASELINES_OF_CUDA(BASELINE_LISTED)
                                                BASELINES_OF_HOST(BASELINE_LISTED) NULL};
