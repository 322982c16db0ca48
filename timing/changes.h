/* Where the level of a series of few, noisy values changes. Pure functions.
 *
 * It stays since the newest value against those before finds no step of 1 or 2 % that is four values
 * old, where this finds 44 and 84 % (NOTES.md). */
#ifndef TIMING_CHANGES_H
#define TIMING_CHANGES_H

#include <stddef.h>

#include "timing/spread.h"

/* A value and the variance that it is known with; NaN and 0: that is not known. */
struct changes_value {
    double x;
    struct spread error;
};

/* Fewest values whose scatter has a say. Of fewer their own errors decide. */
enum { CHANGES_SCATTER = 5 };

/* The chance of a change as clear as the clearest of n values, where their level does not change:
 * two-sided, NaN where nothing can be said (fewer than two values, or less than CHANGES_SCATTER
 * without errors).
 *
 * A change is the mean of a stretch against that of the other values. The stretch lies at the end,
 * or has three values or more between others: a level that comes and goes hides from splits in two
 * (Olshen et al. 2004), and one value that has passed is no level. The difference must be beyond
 * both what the errors say (t, the degrees of freedom of the side that knows less) and how the
 * values scatter inside the two levels (Student's t, n - 2 degrees of freedom), so that it holds
 * where values differ by more than their errors, too. The larger chance counts, times the number of
 * stretches (Bonferroni). */
double changes_chance(const struct changes_value *values, size_t n);

/* Change points by segmentation: a segment is cut where it changes most clearly if the chance of
 * that is at most `chance` / k in the k-th segment so tested, from the whole to its parts and from
 * left to right. Writes the first index of each new level, ascending, and returns how many; at[] has
 * room for n. 0 where memory is short. */
size_t changes_find(const struct changes_value *values, size_t n, double chance, size_t *at);

#endif
