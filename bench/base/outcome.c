#include "bench/base/outcome.h"

const char *outcome_word(enum outcome outcome) {
    static const char *const words[OUTCOME_COUNT] = {
#define WORD(id, word, sentence) word,
        OUTCOMES(WORD)
#undef WORD
    };
    return words[outcome];
}
