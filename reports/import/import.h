/* Others' results to a run directory, so that every report works on them. Such a run has ratios, and of
 * a tool times, and neither samples, checks nor controls. */
#ifndef REPORTS_IMPORT_IMPORT_H
#define REPORTS_IMPORT_IMPORT_H

#include "bench/base/element.h"

/* Makes RUN of the times that a tool (import_times.c has them) has put into the file. accumulate: "f32"
 * or "f16". Returns an exit status (bench/base/error.h); on failure there is no RUN. */
int import_times(const char *tool, const char *file, enum element element, const char *accumulate,
                 const char *run);

/* Makes RUN of the results of the CUDA-L2 release (import_cuda_l2.sql), likewise. Either file may be
 * NULL, not both. A name like cuda_l2_SET_speedup_MODE.csv says the set, and so the clock, and must fit
 * the mode and the other file. */
int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run);

#endif
