#include "correctness/contract/finding.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *word, *sentence;
    bool refused;
} texts[FINDING_COUNT] = {
#define FACT(id, word, sentence) [FINDING_##id] = {word, sentence, false},
#define REFUSED(id, word, sentence) [FINDING_##id] = {word, sentence, true},
    FINDINGS_FACT(FACT) FINDINGS_REFUSED(REFUSED)
#undef FACT
#undef REFUSED
};

const char *finding_word(enum finding_kind kind) {
    return texts[kind].word;
}

const char *finding_sentence(enum finding_kind kind) {
    return texts[kind].sentence;
}

bool finding_is_refused(enum finding_kind kind) {
    return texts[kind].refused;
}

const char *finding_level(enum finding_kind kind) {
    return finding_is_refused(kind) ? "refused" : "fact";
}

void finding_add(struct finding_list *list, enum finding_kind kind, const char *format, ...) {
    if (list->seen[kind]++ >= FINDINGS_A_KIND)
        return;
    struct finding *finding = &list->items[list->count++];
    va_list args;
    finding->kind = kind;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    for (char *c = finding->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}
