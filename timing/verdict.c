#include "timing/verdict.h"

#define X(name, word) word,
const char *const verdict_words[] = {VERDICTS(X)};
#undef X

/* Comparisons with NaN are false. */
enum verdict verdict_of(double low, double high, double margin) {
    return low > 1 / (1 + margin) && high < 1 + margin ? VERDICT_SAME
           : low > 1                                   ? VERDICT_FASTER
           : high < 1                                  ? VERDICT_SLOWER
                                                       : VERDICT_UNDECIDED;
}
