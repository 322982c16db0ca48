#include "timing/verdict.h"

/* Comparisons with NaN are false. */
enum verdict verdict_of(double low, double high, double margin) {
    return low > 1 / (1 + margin) && high < 1 + margin ? VERDICT_SAME
           : low > 1                                   ? VERDICT_FASTER
           : high < 1                                  ? VERDICT_SLOWER
                                                       : VERDICT_UNDECIDED;
}

const char *verdict_word(enum verdict verdict) {
    static const char *const words[] = {
#define X(name, word) word,
        VERDICTS(X)
#undef X
    };
    return words[verdict];
}
