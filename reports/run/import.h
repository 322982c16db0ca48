/* Published results to a run directory, so that every report works on them. */
#ifndef REPORTS_RUN_IMPORT_H
#define REPORTS_RUN_IMPORT_H

#include <jansson.h>

#include "reports/rows/rows.h"

/* Makes RUN of rows, with the plan and the manifest, which it takes (NULL: such a file's name is no
 * UTF-8), and prints its name. 0, or -1 after error(); then there is no RUN. */
int import_write(const char *run, json_t *plan, json_t *manifest, const struct rows *rows);

/* Makes RUN of the per-shape results of the CUDA-L2 release: `mnk`, then a column a baseline with
 * baseline time over candidate time; a column whose median is far from 1 is none. A field that was not
 * measured is empty. Either file may be NULL, not both. A name like cuda_l2_SET_speedup_MODE.csv says the set, and so the clock, and must fit the
 * mode and the other file. Returns an exit status (bench/base/error.h); on failure there is no RUN. */
int import_cuda_l2(const char *offline_csv, const char *server_csv, const char *run);

#endif
