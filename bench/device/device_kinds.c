/* The devices of a build without CUDA. */
#include "bench/device/device.h"

#include <stddef.h>

const struct device_ops *const device_kinds[] = {&device_host, NULL};
