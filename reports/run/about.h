/* What was run, in words, from plan.json and manifest.json. */
#ifndef REPORTS_RUN_ABOUT_H
#define REPORTS_RUN_ABOUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What to know of times of the host device, for people. */
extern const char about_host_clock[];

/* Texts are empty where the files do not say. */
struct about {
    char hash[33]; /* of the plan */
    bool on_host;
    char device[192];
    char cards[512];    /* UUIDs of the GPUs, with commas between; "" where they are not known */
    char software[256]; /* driver, libraries, and the versions of gemmgate that measured */
    char set[192];
    char suite[192];
    char element[8]; /* f16 where an earlier run does not say it */
    char accumulate[8];
    char inputs[16]; /* what timed calls multiply; "": normals, or it is not said */
    char modes[64];
    char protocol[160]; /* and, with commas between, precision, visits, cache */
    char start[40], end[40];
    char imported[512]; /* where the numbers are from, when they were not measured here */
    size_t shapes;
    bool complete;
    char how_complete[160]; /* "yes", or "no: " and how much is there */
    bool going_on;          /* a gemmgate is measuring it: its visits come and go */
    char shard[32];         /* "2/8"; "": the whole */
};

/* Of the plan and the manifest of a run, which is NULL where the run has not got that far. 0, or -1
 * after error(). */
int about_take(const char *run, const json_t *plan, const json_t *manifest, struct about *about);

/* What is to be done about a run that is not complete. */
const char *about_remedy(const struct about *about);

/* Which versions of gemmgate have measured a run: more than one where it was resumed or merged
 * after a change of the harness.
 *
 * Appends to the array the versions that the manifest names and it does not have: its
 * "measured_by", an array of git commits, or, of a manifest that has none, the commit in its
 * "gemmgate". Nothing of NULL. */
void about_add_versions(json_t *versions, const json_t *manifest);

#endif
