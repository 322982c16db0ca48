/* A list of shapes, and making one of what was listed somewhere. Functions that return int give 0,
 * or -1 after error(). */
#ifndef BENCH_PLAN_SUITE_LIST_H
#define BENCH_PLAN_SUITE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/shape.h"

struct suite {
    char name[64];
    struct shape *shapes; /* no two alike */
    double *counts;       /* how often each is called; NULL: nobody has said so */
    size_t count;         /* at least 1 */
};

/* Where some shapes are dropped: keeps this one as the *kept-th, and counts it. */
void suite_keep(struct suite *suite, size_t index, size_t *kept);

/* Safe on a zeroed suite. */
void suite_free(struct suite *suite);

/* A shape, where it was named (an item's or a line's number), and how often it is called there. */
struct suite_item {
    struct shape shape;
    size_t place;
    double count;
};

/* An empty suite with room for so many shapes; with counts, too. */
int suite_list_room(struct suite *suite, const char *name, size_t count, bool with_counts);

/* The suite of the shapes as they are listed, without counts. A shape that is named twice is
 * refused; `prefix` and its place make up what the message begins with. Sorts the list. */
int suite_list_make(struct suite *suite, const char *name, struct suite_item *list, size_t count,
                    const char *prefix);

/* The suite with counts; those of a shape that is named several times are added up. Sorts the list.
 */
int suite_list_add_up(struct suite *suite, const char *name, struct suite_item *list, size_t count);

#endif
