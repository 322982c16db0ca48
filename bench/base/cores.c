#include "bench/base/cores.h"

#include <sched.h>

#ifdef _OPENMP
#include <omp.h>
#endif

int cores_allowed(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

enum { ENTRIES_A_CORE = 1 << 18 };

int team_size(int64_t entries) {
#ifdef _OPENMP
    const int all = omp_get_max_threads(), most = all - all / 4;
    const int64_t worth = 1 + entries / ENTRIES_A_CORE;
    return worth < most ? (int)worth : most;
#else
    (void)entries;
    return 1;
#endif
}

void team_end(void) {
#ifdef _OPENMP
    omp_pause_resource_all(omp_pause_soft);
#endif
}
