#include "correctness/cores.h"

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
