#ifndef BASELINES_CUDA_RELEASE_CUBLAS_H
#define BASELINES_CUDA_RELEASE_CUBLAS_H

#include "baselines/baselines.h"
#include "baselines/release.h"

extern const struct release_kind release_cublas;

#endif
