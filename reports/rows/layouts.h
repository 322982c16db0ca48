/* Baselines that are chosen among arms, by the best mean of all visits of a shape:
 *
 *     X       an autotuned library: the best of its finalists, the arms X#1, X#7, ..., which have the
 *             numbers of the library's suggestions, and of its first suggestion, which is the arm of
 *             the heuristic where that is measured: of cublaslt-autotune-nn, cublaslt-heuristic-nn
 *     X-max   the better of the layouts X-nn and X-tn
 *
 * The same visits choose and are counted: of two arms that are equally fast the luckier one is taken,
 * so that X-max is by 0.4 of the standard error of their ratio faster than it is. Were one visit to
 * choose, and left out, intervals would hold less often: where it is wrong about the layout, nothing
 * in the visits that are left says so. Pure: no files. */
#ifndef REPORTS_ROWS_LAYOUTS_H
#define REPORTS_ROWS_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/rows/samples.h"

/* What stands between a library's name and the number of a suggestion. */
#define LAYOUTS_FINALIST "#"

/* The name of a library's finalist, by its place in the library's list, from 0; and whether a name is
 * one. */
void layouts_name_finalist(const char *library, int variant, char name[RUNDIR_NAME]);
bool layouts_is_finalist(const char *name);

/* The baseline whose arm is the first suggestion of an autotuned library. False: it has none. */
bool layouts_first_of(const char *library, char first[RUNDIR_NAME]);

/* The columns that are chosen, and of which arm the times are. By a lens that tells the host's
 * seconds these are the column behind. */
struct layouts {
    struct layouts_chosen {
        size_t column, of;
    } list[SAMPLES_COLUMNS / 2];
    size_t count;
};

/* Names a column more for each X, then for each X-max. 0, or -1 after error(). */
int layouts_add(struct samples *samples, struct layouts *layouts);

/* Copies into them the times of the arm that is the fastest by derive_ratio over all visits; of the
 * first where that does not tell. */
void layouts_fill(struct samples *samples, struct layouts *layouts);

/* Whether the name is one of X-max. */
bool layouts_is_max(const char *name);

/* The arm whose times are in the column: the column itself where it is none of the list. */
size_t layouts_arm(const struct layouts *layouts, size_t column);

/* Which arm it is, in words, which text has; NULL where the column is none of the list. */
#define LAYOUTS_TEXT 64
const char *layouts_say(const struct samples *samples, const struct layouts *layouts, size_t column,
                        char text[LAYOUTS_TEXT]);

#endif
