/* A run, opened once: what every reader of a run is handed. No file of it is read twice, however
 * many ask. */
#ifndef REPORTS_RUN_OPENED_H
#define REPORTS_RUN_OPENED_H

#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"
#include "reports/run/about.h"
#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"

struct rundir {
    const char *folder;             /* the caller's */
    json_t *plan, *manifest;        /* manifest: NULL where the run has not got that far */
    struct about about;             /* what they say */
    struct fingerprint fingerprint; /* and under what conditions */
    struct rows rows;               /* once rundir_read was called */
    struct pairs speeds;            /* once rundir_speeds was */
    bool read;                      /* the rows are there */
    struct looking *looking;        /* at its files' digests, in a thread (rundir_look) */
};

/* The member of manifest.json that a run in a store has (store.h). Such a run has no samples. */
#define RUNDIR_PROMOTED "promoted"
bool rundir_is_promoted(const struct rundir *run);

/* Reads plan.json and manifest.json. 0, or -1 after error(), as of another format. Either way the caller ends it with
 * rundir_close. */
int rundir_open(const char *folder, struct rundir *run);

/* The runs, which the caller ends with rundir_close_all; NULL after error(). */
struct rundir *rundir_open_all(const char *const *folders, size_t count);

/* 0 where there is a manifest, or -1 after error(). */
int rundir_begun(const struct rundir *run);

/* Adds to a unit's rows those that follow from its samples. 0, or -1 after error(), as of a unit that
 * is another one than its folder says. */
int rundir_derive(const struct rundir *run, const char *id, struct rundir_unit *unit);

/* Reads the rows, unless they are there: the CSV files of a complete run, the units of an
 * unfinished one, both in plan order. Wrong columns, bad numbers, unknown outcomes, a row twice, a
 * file cut off: error() with file, line and cause, and -1. */
int rundir_read(struct rundir *run);

/* The same, but a unit that is not whole has the rows that follow from its visits so far, where
 * these are two or more and the run is not being measured. What all visits of a kernel show together
 * has not been looked at. */
int rundir_read_so_far(struct rundir *run);

/* The same, and takes the pairs of kernels that have visits. Called once. */
int rundir_speeds(struct rundir *run);

/* The rows of all units of the plan, each of which must be whole, become RUN's own CSV files. */
int rundir_collect(struct rundir *run);

/* Begins the work of rundir_verified in a thread. The run keeps its place in memory until rundir_close. */
void rundir_look(struct rundir *run);

/* Whether what is shown of the run is what was measured (digests_hold); else why that is not known. */
bool rundir_verified(const struct rundir *run, char *why, size_t size);

void rundir_close(struct rundir *run);
void rundir_close_all(struct rundir *runs, size_t count);

#endif
