/* What an interval of a ratio shows: one word, by one rule. Pure functions. */
#ifndef TIMING_VERDICT_H
#define TIMING_VERDICT_H

/* Confidence of every two-sided interval of a ratio. */
#define VERDICT_CONFIDENCE 0.95

/* How far from 1 a ratio may be and still be the same, where no policy says otherwise. */
#define VERDICT_MARGIN 0.02

enum verdict { VERDICT_FASTER, VERDICT_SAME, VERDICT_SLOWER, VERDICT_UNDECIDED };

/* same: the interval lies within 1 / (1 + margin) and 1 + margin. faster, slower: it lies above or
 * below 1 and is not same. Else undecided, as where an end is NaN: equal and not known are not one
 * word. */
enum verdict verdict_of(double low, double high, double margin);

const char *verdict_word(enum verdict verdict); /* faster same slower undecided */

#endif
