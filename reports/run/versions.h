/* Which versions of gemmgate have measured a run: more than one where it was resumed or merged
 * after a change of the harness. */
#ifndef REPORTS_RUN_VERSIONS_H
#define REPORTS_RUN_VERSIONS_H

#include <jansson.h>

/* Appends to the array the versions that the manifest names and it does not have: its
 * "measured_by", an array of git commits, or, of a manifest that has none, the commit in its
 * "gemmgate". Nothing of NULL. */
void versions_add(json_t *versions, const json_t *manifest);

#endif
