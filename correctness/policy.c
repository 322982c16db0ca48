#include "correctness/policy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ini.h>

#include "bench/error.h"

struct reading {
    struct policy *policy;
    FILE *in;
    int line;    /* read last */
    int refused; /* the first line that was understood and refused; 0: none */
    char why[160];
    bool named[FINDING_COUNT];
};

/* inih counts lines the same way, but does not tell take. */
static char *next_line(char *line, int size, void *context) {
    struct reading *reading = context;
    reading->line++;
    return fgets(line, size, reading->in);
}

static int refuse(struct reading *reading, const char *word, const char *why) {
    if (!reading->refused) {
        reading->refused = reading->line;
        snprintf(reading->why, sizeof reading->why, "%.60s %s", word, why);
    }
    return 0;
}

static int take(void *context, const char *section, const char *name, const char *value) {
    struct reading *reading = context;
    int kind = 0, level = LEVEL_INFO;
    if (strncmp(section, "gate", 4) == 0)
        return 1;
    if (strcmp(section, "findings") != 0)
        return refuse(reading, *section ? section : "a line without one",
                      "is not a section of a policy, which are [findings] and [gate...]");
    while (kind < FINDING_COUNT && strcmp(name, finding_word(kind)) != 0)
        kind++;
    if (kind == FINDING_COUNT)
        return refuse(reading, name, "is not a finding's word");
    while (level <= LEVEL_REJECT && strcmp(value, finding_level_word(level)) != 0)
        level++;
    if (level > LEVEL_REJECT)
        return refuse(reading, value, "is not info, warn or reject");
    if (reading->named[kind])
        return refuse(reading, name, "is named already; remove one");
    reading->named[kind] = true;
    reading->policy->level[kind] = level;
    return 1;
}

void policy_default(struct policy *policy) {
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        policy->level[kind] = finding_default(kind);
}

int policy_read(const char *file, struct policy *policy) {
    struct reading reading = {.policy = policy};
    policy_default(policy);
    reading.in = fopen(file, "r");
    if (!reading.in)
        return error("%s: %s", file, strerror(errno));
    int line = ini_parse_stream(next_line, &reading, take, &reading);
    bool unread = ferror(reading.in) != 0; /* a folder, say: to inih that is an empty file */
    fclose(reading.in);
    if (unread)
        return error("%s: cannot be read; a policy is an INI file", file);
    if (line < 0)
        return error("%s: no memory to read it", file);
    if (line > 0)
        return error("%s:%d: %s", file, line,
                     line == reading.refused ? reading.why : "not of the form finding = level");
    return 0;
}

enum finding_level policy_judge(const struct policy *policy, const struct finding_list *list) {
    enum finding_level worst = LEVEL_INFO;
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        if (list->seen[kind] && policy->level[kind] > worst)
            worst = policy->level[kind];
    return worst;
}
