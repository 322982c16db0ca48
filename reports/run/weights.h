/* How often each shape is called. */
#ifndef REPORTS_RUN_WEIGHTS_H
#define REPORTS_RUN_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "bench/base/shape.h"

/* Sorted by shape. With a count of 0 nobody has said anything. */
struct weights {
    struct shape *shapes;
    double *weights;
    size_t count;
};

/* From a CSV file with a shape (csv_table_shape) and a column weight, or else count: the counts of
 * a shape that stands there several times are added up. 0, or -1 after error(). */
int weights_read(const char *file, struct weights *weights);

/* What the suite of a run says of real calls, by its plan.json. 0, or -1 after error(). */
int weights_of_run(const char *run, const json_t *plan, struct weights *weights);

bool weights_has(const struct weights *weights, struct shape shape);

/* A shape that is not there has weight 0; where nothing is there, or with NULL, every one has 1. */
double weights_of(const struct weights *weights, struct shape shape);
void weights_free(struct weights *weights);

#endif
