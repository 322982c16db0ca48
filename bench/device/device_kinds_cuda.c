/* The devices of a build with CUDA. */
#include "bench/device/device.h"

#include <stddef.h>

const struct device_ops *const device_kinds[] = {&device_cuda, &device_host, NULL};
