/* Which shapes a run measures: a suite by name, a file of shapes, or a list on the command line.
 * Functions return 0, or -1 after error(); on failure there is nothing to free. */
#ifndef BENCH_PLAN_SUITE_H
#define BENCH_PLAN_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/shape.h"

struct suite {
    char name[64];
    struct shape *shapes; /* no two alike */
    double *counts;       /* how often each is called; NULL: nobody has said so */
    size_t count;         /* at least 1 */
};

/* Safe on a zeroed suite. */
void suite_free(struct suite *suite);

/* Where some shapes are dropped: keeps this one as the *kept-th, and counts it. */
void suite_keep(struct suite *suite, size_t index, size_t *kept);

/* A suite that suite_known names, or else a CSV file of shapes (columns m, n and k, or mnk). With a
 * column count it is a file of real calls: a shape may stand there several times, and its counts
 * are added up. */
int suite_load(const char *name_or_file, struct suite *suite);

/* "MxNxK,MxNxK,..." */
int suite_parse(const char *list, struct suite *suite);

/* Keeps n shapes in the suite's order: the shapes sorted by their product mnk are cut into n runs
 * of equal length (to within one), and one shape is drawn from each, the same for the same seed. */
int suite_sample(struct suite *suite, size_t n, uint64_t seed);

/* Elements of the largest C. */
size_t suite_largest_product(const struct suite *suite);

/* The suites that have a name: the index-th, or false past the last. */
struct suite_known {
    const char *name, *summary;
    size_t count; /* of shapes */
};
bool suite_known(int index, struct suite_known *suite);

#endif
