/* The run directory: the one module that reads and writes it, for the judge and for every report.
 *
 *   RUN/plan.json       what was to be done; its hash names the run
 *   RUN/manifest.json   where, when and with what it was done
 *   RUN/units/ID/       one unit (a shape with a candidate): a CSV of each kind of row, the raw
 *                       samples as MODE.LENS.f32 (samples.h), and samples.json that says what is in them. Made
 *                       under RUN/units/.ID.part, fsynced and renamed, so that a unit is there
 *                       whole or not at all.
 *   RUN/units/.ID.visits/N/   a unit of which some visits are measured, after it was stored N
 *                       times: its rows and samples so far, and state.json with all else that the next visit must know. N is
 *                       made and renamed as a unit is, and only then N-1 goes. Beside it lie the recordings of
 *                       its kernels. All of it goes when the unit is whole.
 *   RUN/{checks,times,ratios,controls,conditions,audit}.csv   the units' rows together, in plan
 * order, once the run is complete
 *
 * rows.h has the rows of the CSV files, samples.h the samples and run_json.h the JSON files. An
 * unfinished run (manifest.json does not say "complete": true) is read from its units, and from the
 * visits of those that are not whole. Functions return 0, or -1 after error(). */
#ifndef REPORTS_RUN_RUNDIR_H
#define REPORTS_RUN_RUNDIR_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "reports/rows/rows.h"
#include "reports/rows/run_json.h"
#include "reports/rows/samples.h"

/* Of plan.json and of all files of a run; it changes when a file or a column does. */
#define RUNDIR_FORMAT 19

/* Makes RUN with plan.json, and the folders that lead to it, or accepts it when `resume` and its
 * plan.json is equal to plan. An empty folder counts as absent. Refuses a RUN that exists without
 * resume, that is no run directory, or whose plan differs (names the first differing field). plan
 * stays the caller's. */
int rundir_create(const char *run, const json_t *plan, int resume);

/* What rundir_create refuses without resume is refused now, before much is done. 0, or -1 after
 * error(). */
int rundir_refuse_taken(const char *run);

/* As rundir_create and rundir_claim, of a run that is filled at once, as by a merge. It goes on where
 * a process that was killed has left RUN without a manifest, and fills it anew; another RUN that is there
 * is refused. Returns the descriptor, or -1 after error(). */
int rundir_begin(const char *run, const json_t *plan);

/* Once after a rundir_begin that succeeds. Removes RUN where it is not whole. Returns 0; -1 of one
 * that is not whole, whose error() the caller has called. */
int rundir_end(const char *run, int claim, bool whole);

/* Makes this process, with those that it forks from now on, the only one that measures into RUN: as
 * long as any of them lives and has the descriptor that is returned, another is refused. Where the
 * file system knows no locks, nobody is. -1 after error(). */
int rundir_claim(const char *run);

/* Whether somebody has claimed it, and is measuring. */
bool rundir_is_claimed(const char *run);

/* Whether there is a plan.json. */
bool rundir_is(const char *run);

/* XXH128 of the plan as compact JSON with sorted keys, in hex: the name of the run. */
int rundir_plan_hash(const json_t *plan, char hex[33]);

/* The id of a candidate's unit: MxNxK.LABEL. Returns id. */
#define RUNDIR_UNIT (SHAPE_TEXT + RUNDIR_NAME + 1)
const char *rundir_unit_id(struct shape shape, const char *candidate, char id[RUNDIR_UNIT]);

/* 1 if the unit is there, 0 if not, -1 after error(). */
int rundir_has_unit(const char *run, const char *id);

/* Writes a whole unit atomically, and removes what was stored of its visits. A full disk leaves
 * nothing behind but what was there before. A unit that is there already, an id that is no file
 * name, and infinity anywhere but in a deviation or bound are refused. */
int rundir_write_unit(const char *run, const char *id, const struct rows *rows,
                      const struct samples *samples, size_t sample_count);

/* Stores a unit of which some visits are measured, atomically, in the place of what was stored of
 * it before. state has at least "visit", how many they are. */
int rundir_write_visits(const char *run, const char *id, const struct rows *rows,
                        const struct samples *samples, size_t sample_count, const json_t *state);

/* How many visits are stored of a unit that is not whole; 0: its checks alone; -1: nothing is. */
int rundir_count_visits(const char *run, const char *id, int *visits);

/* Reads what is stored of it: rows (zeroed by the caller), samples, and state, which is NULL where
 * nothing is. The caller frees all, whatever is returned. */
int rundir_read_visits(const char *run, const char *id, struct rows *rows, struct samples **samples,
                       size_t *sample_count, json_t **state);

/* Removes it, and says nothing where there is none. */
void rundir_drop_visits(const char *run, const char *id);

/* Reads all samples of a unit; *count is 0 where it was not timed. A file that is not as long, or
 * not the same (XXH128), as samples.json says is an error(). The caller frees with samples_free. */
int rundir_read_samples(const char *run, const char *id, struct samples **list, size_t *count);

/* Reads the rows of one unit (rows zeroed by the caller). */
int rundir_read_unit(const char *run, const char *id, struct rows *rows);

/* Appends the rows of the plan's units that are whole. The ids of the others are appended to the array
 * `others`; where that is NULL, one that is not whole is an error. */
int rundir_read_units(const char *run, const json_t *plan, json_t *others, struct rows *rows);

/* The rows of all units of the plan (zeroed by the caller, who frees them whatever is returned),
 * which become RUN's own CSV files. */
int rundir_collect(const char *run, const json_t *plan, struct rows *rows);

#endif
