#include "correctness/audit/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/inifile.h"

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

_Static_assert(FINDING_COUNT <= 64, "inifile_once has a bit a key");

static bool take_finding(struct inifile *file, const char *name, const char *value) {
    struct audit_policy *policy = file->target;
    int kind = 0, level = LEVEL_INFO;
    while (kind < FINDING_COUNT && strcmp(name, finding_word(kind)) != 0)
        kind++;
    if (kind == FINDING_COUNT)
        return inifile_refuse(file, "'%.60s' is not a finding's word", name);
    while (level <= LEVEL_REJECT && strcmp(value, finding_level_word(level)) != 0)
        level++;
    if (level > LEVEL_REJECT)
        return inifile_refuse(file, "'%.60s' is not info, warn or reject", value);
    if (!inifile_once(file, kind, name))
        return false;
    policy->level[kind] = level;
    return true;
}

static bool pass_over(struct inifile *file, const char *name, const char *value) {
    (void)file, (void)name, (void)value;
    return true;
}

static bool begin(struct inifile *file, const char *section) {
    const bool gate = strncmp(section, "gate", 4) == 0;
    if (!gate && strcmp(section, "findings") != 0)
        return inifile_refuse(
            file, "[%.60s] is not a section of a policy, which are [findings] and [gate...]",
            section);
    file->take = gate ? pass_over : take_finding;
    return true;
}

void audit_policy_default(struct audit_policy *policy) {
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        policy->level[kind] = finding_default(kind);
}

int audit_policy_read(const char *path, struct audit_policy *policy) {
    struct inifile file = {.what = "a policy", .target = policy, .begin = begin};
    audit_policy_default(policy);
    return inifile_read(&file, path);
}
