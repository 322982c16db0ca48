#include "bench/base/cores.h"

#include <sched.h>

#include <cblas.h>
#ifdef _OPENMP
#include <omp.h>
#endif

void cores_use(int count) {
    openblas_set_num_threads(count);
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
}

int cores_allowed(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
