#include "correctness/audit/finding.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *word, *sentence;
    enum finding_level level;
} texts[FINDING_COUNT] = {
#define INFO(id, word, sentence) [FINDING_##id] = {word, sentence, LEVEL_INFO},
#define WARN(id, word, sentence) [FINDING_##id] = {word, sentence, LEVEL_WARN},
#define REJECT(id, word, sentence) [FINDING_##id] = {word, sentence, LEVEL_REJECT},
    FINDINGS_INFO(INFO) FINDINGS_WARN(WARN) FINDINGS_REJECT(REJECT)
#undef INFO
#undef WARN
#undef REJECT
};

const char *finding_word(enum finding_kind kind) {
    return texts[kind].word;
}

const char *finding_sentence(enum finding_kind kind) {
    return texts[kind].sentence;
}

enum finding_level finding_default(enum finding_kind kind) {
    return texts[kind].level;
}

const char *finding_level_word(enum finding_level level) {
    static const char *const words[] = {
        [LEVEL_INFO] = "info", [LEVEL_WARN] = "warn", [LEVEL_REJECT] = "reject"};
    return words[level];
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
