/* For tests: the runner's devices and baselines on a machine without a GPU. The host, called cuda,
 * with a profiler to start and stop; OpenBLAS, called cuBLAS. Each start and stop is a line of the
 * file $FAKE_GPU_LOG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baselines/baselines.h"
#include "bench/device.h"
#include "bench/error.h"

static struct device_ops gpu;
static struct baseline nn, tn;

const struct device_ops *const device_kinds[] = {&gpu, NULL};
const struct baseline *const baselines[] = {&nn, &tn, NULL};

static int describe(int ordinal, struct device_info *info) {
    if (device_host.describe(ordinal, info) < 0)
        return -1;
    snprintf(info->name, sizeof info->name, "Fake GPU");
    info->sm = 90;
    return 0;
}

static int profile(void *state, bool on) {
    (void)state;
    const char *path = getenv("FAKE_GPU_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log)
        return error("FAKE_GPU_LOG is no file");
    fputs(on ? "start\n" : "stop\n", log);
    return fclose(log) == 0 ? 0 : -1;
}

__attribute__((constructor)) static void make(void) {
    gpu = device_host;
    gpu.kind = "cuda";
    gpu.device = GEMM_CUDA;
    gpu.describe = describe;
    gpu.profile = profile;
    nn = baseline_openblas_nn;
    tn = baseline_openblas_tn;
    nn.ops.name = "cublas-nn";
    tn.ops.name = "cublas-tn";
    nn.ops.device = tn.ops.device = GEMM_CUDA;
}
