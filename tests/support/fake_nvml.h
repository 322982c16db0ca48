/* What the GPU of fake_nvml.c shows. A test finds the library's own with dlsym and sets it. */
#ifndef TESTS_SUPPORT_FAKE_NVML_H
#define TESTS_SUPPORT_FAKE_NVML_H

#define FAKE_REFUSED (~0u) /* this question is "Not Supported" */

struct fake_gpu {
    unsigned sm_mhz, memory_mhz, milliwatts, celsius, reasons, processes;
    unsigned long long millijoules; /* 0: this is not supported, too */
    unsigned step;                  /* by which it grows each time it is asked for */
};
extern struct fake_gpu fake_gpu;

#endif
