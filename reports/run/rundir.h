/* The run directory: the one module that reads and writes it, for the judge and for every report.
 *
 *   RUN/plan.json       what was to be done; its hash names the run
 *   RUN/manifest.json   where, when and with what it was done
 *   RUN/units/ID/       one unit (a shape with a candidate): a CSV of each kind of row that is
 *                       measured, the raw samples as MODE.LENS.f32 (samples.h), and samples.json that
 *                       says what is in them. Made under RUN/units/.ID.part, fsynced and renamed, so
 *                       that a unit is there whole or not at all.
 *   RUN/units/.ID.visits/N/   a unit of which some visits are measured, after it was stored N
 *                       times: its rows and samples so far, and state.json with all else that the next visit must know. N is
 *                       made and renamed as a unit is, and only then N-1 goes. Beside it lie the recordings of
 *                       its kernels. All of it goes when the unit is whole.
 *   RUN/NAME.csv        once the run is complete: the units' rows together, in plan order, and
 *                       those that follow from their samples (opened.h)
 *   RUN/xxh128sums      the digest of every file that a complete run is made of, a line a file, as
 *                       `xxhsum -c` reads them. They show whether a file was changed since. Who changes a
 *                       file on purpose can write its digest, too: what the samples give only verify.h says.
 *
 * rows.h has the rows of the CSV files and samples.h the samples.
 * Functions return 0, or -1 after error(). */
#ifndef REPORTS_RUN_RUNDIR_H
#define REPORTS_RUN_RUNDIR_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "bench/base/jsonfile.h"
#include "reports/rows/rows.h"
#include "reports/rows/samples.h"

/* Of plan.json and of all files of a run; it changes when a file or a column does. */
#define RUNDIR_FORMAT 20

/* Makes RUN with plan.json, and the folders that lead to it, or accepts it when `resume` and its
 * plan.json is equal to plan. An empty folder counts as absent. Refuses a RUN that exists without
 * resume, that is no run directory, or whose plan differs (names the first differing field). plan
 * stays the caller's. */
int rundir_create(const char *run, const json_t *plan, int resume);

/* What rundir_create refuses without resume is refused now, before much is done. 0, or -1 after
 * error(). */
int rundir_refuse_taken(const char *run);

/* Makes and claims RUN.part, in which a run is filled at once, as by a merge. A RUN that is there is
 * refused. Returns the descriptor, or -1 after error(). */
int rundir_begin(const char *run, const json_t *plan, char part[PATH_MAX]);

/* Once after a rundir_begin that succeeds: the part becomes RUN. One that is not whole, whose error() the
 * caller has called, is removed, and gives -1. */
int rundir_end(const char *run, int claim, const char *part, bool whole);

/* Makes this process, with those that it forks from now on, the only one that measures into RUN: as
 * long as any of them lives and has the descriptor that is returned, another is refused. Where the
 * file system knows no locks, nobody is. -1 after error(). */
int rundir_claim(const char *run);

/* Whether somebody has claimed it, and is measuring. */
bool rundir_is_claimed(const char *run);

/* As jsonfile_read, of RUN/name. */
json_t *rundir_read_json(const char *run, const char *name);

/* Whether there is a plan.json. */
bool rundir_is(const char *run);

/* XXH128 of the plan as compact JSON with sorted keys, in hex: the name of the run. */
int rundir_plan_hash(const json_t *plan, char hex[33]);

/* The id of a candidate's unit, MxNxK.LABEL; of one without a candidate (""): MxNxK. Returns id. */
#define RUNDIR_UNIT (SHAPE_TEXT + RUNDIR_NAME + 1)
const char *rundir_unit_id(struct shape shape, const char *candidate, char id[RUNDIR_UNIT]);

/* 1 if the unit is there, 0 if not, -1 after error(). */
int rundir_has_unit(const char *run, const char *id);

/* What is measured of a unit. */
struct rundir_unit {
    struct rows rows; /* but for those that follow from the samples (rows_is_derived) */
    struct samples *samples;
    size_t sample_count; /* 0: it was not timed */
    /* Of one that is not whole: at least "visit", how many visits are measured, and all else that the
     * next must know. NULL: it is whole. */
    json_t *state;
};

/* Writes it atomically, in the place of what was stored of its visits. A full disk leaves nothing
 * behind but what was there before. Refused: a unit that is there whole already, an id that is no file
 * name, and infinity anywhere but in a deviation or bound. */
int rundir_write_unit(const char *run, const char *id, const struct rundir_unit *unit);

/* Reads what there is of it: RUNDIR_WHOLE, RUNDIR_BEGUN or RUNDIR_ABSENT; or -1 after error(), as of
 * samples that are not as long, or not the same (XXH128), as samples.json says. Whatever is returned,
 * the caller frees it with rundir_free_unit. */
enum { RUNDIR_ABSENT, RUNDIR_BEGUN, RUNDIR_WHOLE };
int rundir_read_unit(const char *run, const char *id, struct rundir_unit *unit);
void rundir_free_unit(struct rundir_unit *unit);

/* How many visits are stored of a unit that is not whole; 0: its checks alone; -1: nothing is. */
int rundir_count_visits(const char *run, const char *id, int *visits);

/* Removes them, and says nothing where there are none. */
void rundir_drop_visits(const char *run, const char *id);

/* Writes manifest.json, which comes last of all files, and where it says that the run is complete the
 * digests. */
int digests_write_manifest(const char *run, const json_t *plan, const json_t *manifest);

/* Whether the run has no digests; `why`, which is left alone else, then says what follows. */
bool digests_lack(const char *run, char *why, size_t size);

/* Whether all files are as they were when the run was complete; else why that is not known, or which
 * file differs. */
bool digests_hold(const char *run, const json_t *plan, char *why, size_t size);

#endif
