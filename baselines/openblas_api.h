/* Other builds of OpenBLAS beside the program's own. */
#ifndef BASELINES_OPENBLAS_API_H
#define BASELINES_OPENBLAS_API_H

#include "baselines/release.h"

extern const struct release_kind release_openblas;

#endif
