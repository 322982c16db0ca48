/* The JSON files of a run directory. */
#ifndef REPORTS_ROWS_RUN_JSON_H
#define REPORTS_ROWS_RUN_JSON_H

#include "bench/base/jsonfile.h"

/* As jsonfile_read, of RUN/name. */
json_t *rundir_read_json(const char *run, const char *name);

/* What stands at a dotted path, "gpu.clocks.sm_mhz"; NULL where nothing does. */
const json_t *rundir_find(const json_t *json, const char *path);

#endif
