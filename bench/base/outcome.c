#include "bench/base/outcome.h"

#include <stddef.h>

const char *const outcome_words[OUTCOME_COUNT + 1] = {
#define WORD(id, word, sentence) word,
    OUTCOMES(WORD) NULL
#undef WORD
};

const char *outcome_word(enum outcome outcome) {
    return outcome_words[outcome];
}
