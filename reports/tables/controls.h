/* The verdict of a run's controls on its numbers (controls_verdict.sql). */
#ifndef REPORTS_TABLES_CONTROLS_H
#define REPORTS_TABLES_CONTROLS_H

#include <jansson.h>

#include "reports/query/query.h"

enum controls_verdict { CONTROLS_NONE, CONTROLS_PASSED, CONTROLS_FAILED };

/* Judges the controls of a run, which are loaded, and fills in the tables control_series and control_tallies.
 * Of failed ones `why` says which, in words, else it is "". Only the lenses count that the plan (NULL: none is
 * known) has timed until they were precise: of the others there is too little to see a delay by. */
enum controls_verdict controls_ask(sqlite3 *db, const char *run, const json_t *plan, char *why,
                                   size_t size);

/* The same of rows that are in no database. */
enum controls_verdict controls_judge(const struct rows *rows, const json_t *plan, char *why,
                                     size_t size);

/* "none", "passed" or "failed". */
const char *controls_word(enum controls_verdict verdict);

/* Judges the collected rows of a run and puts that into its manifest, as "controls". Returns the
 * verdict, with `why` as controls_judge leaves it. */
enum controls_verdict controls_record(const struct rows *rows, const json_t *plan, json_t *manifest,
                                      char *why, size_t size);

#endif
