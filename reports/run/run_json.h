/* The JSON files of a run directory. */
#ifndef REPORTS_RUN_RUN_JSON_H
#define REPORTS_RUN_RUN_JSON_H

#include <jansson.h>

/* Writes JSON atomically as RUN/name. 0, or -1 after error(). */
int rundir_write_json(const char *run, const char *name, const json_t *json);

/* Reads RUN/name; NULL after error() that names file, line and cause. The caller decrefs. */
json_t *rundir_read_json(const char *run, const char *name);

/* The first object of the list whose member is that text: borrowed, or NULL. */
json_t *rundir_entry(const json_t *list, const char *member, const char *text);

/* What stands at a dotted path, "gpu.clocks.sm_mhz"; NULL where nothing does. */
const json_t *rundir_find(const json_t *json, const char *path);

#endif
