/* What an interval of a ratio shows: one word, by one rule. Pure functions. */
#ifndef TIMING_VERDICT_H
#define TIMING_VERDICT_H

/* Confidence of every two-sided interval of a ratio. */
#define VERDICT_CONFIDENCE 0.95

/* How far from 1 a ratio may be and still be the same, where no policy says otherwise. */
#define VERDICT_MARGIN 0.02

/* The last is said of a number, whatever its interval: the machine was disturbed. */
#define VERDICTS(X)                                                                                \
    X(FASTER, "faster")                                                                            \
    X(SAME, "same")                                                                                \
    X(SLOWER, "slower")                                                                            \
    X(UNDECIDED, "undecided")                                                                      \
    X(DISTURBED, "environment")
enum verdict {
#define X(name, word) VERDICT_##name,
    VERDICTS(X)
#undef X
        VERDICT_COUNT
};

/* same: the interval lies within 1 / (1 + margin) and 1 + margin. faster, slower: it lies above or
 * below 1 and is not same. Else undecided, as where an end is NaN: equal and not known are not one
 * word. */
enum verdict verdict_of(double low, double high, double margin);

extern const char *const verdict_words[];

#endif
