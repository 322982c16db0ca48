/* Published results to a run directory, so that every report works on them. */
#ifndef REPORTS_RUN_IMPORT_H
#define REPORTS_RUN_IMPORT_H

/* Makes RUN of the per-shape results of the CUDA-L2 release: `mnk`, then a column a baseline with
 * baseline time over candidate time; a column whose median is far from 1 is none. A field that was not
 * measured is empty. Either file may be NULL, not both. A name like cuda_l2_SET_speedup_MODE.csv says the set, and so the clock, and must fit the
 * mode and the other file. Returns an exit status (bench/base/error.h); on failure there is no RUN. */
int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run);

#endif
