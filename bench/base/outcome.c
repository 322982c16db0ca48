#include "bench/base/outcome.h"

static const struct {
    const char *word, *sentence;
} texts[OUTCOME_COUNT] = {
#define TEXT(id, word, sentence) [OUTCOME_##id] = {word, sentence},
    OUTCOMES(TEXT)
#undef TEXT
};

const char *outcome_word(enum outcome outcome) {
    return texts[outcome].word;
}

const char *outcome_sentence(enum outcome outcome) {
    return texts[outcome].sentence;
}
