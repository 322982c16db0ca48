#include "correctness/audit/audit_policy.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ini.h>

#include "bench/base/error.h"

struct reading {
    struct audit_policy *policy;
    FILE *in;
    int line;    /* read last */
    int refused; /* the first line that was refused with a reason; 0: none */
    char why[160];
    bool named[FINDING_COUNT];
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reading *reading, const char *format,
                                                        ...) {
    va_list args;
    if (reading->refused)
        return 0;
    reading->refused = reading->line;
    va_start(args, format);
    vsnprintf(reading->why, sizeof reading->why, format, args);
    va_end(args);
    return 0;
}

/* inih counts lines the same way, but does not tell take. Of a line that is longer than its buffer
 * it would take the rest for a line of its own, or, from version 59 on, read on to an end of line:
 * every line that it gets has one. */
static char *next_line(char *line, int size, void *context) {
    struct reading *reading = context;
    int length = 0, c;
    reading->line++;
    while ((c = getc(reading->in)) != EOF && c != '\n') {
        if (length == size - 2) {
            refuse(reading, "is longer than the %d bytes that are read of a line; shorten it",
                   size - 2);
            return NULL;
        }
        line[length++] = (char)c;
    }
    if (c == EOF && length == 0)
        return NULL;
    line[length++] = '\n';
    line[length] = 0;
    return line;
}

static int take(void *context, const char *section, const char *name, const char *value) {
    struct reading *reading = context;
    int kind = 0, level = LEVEL_INFO;
    if (strncmp(section, "gate", 4) == 0)
        return 1;
    if (strcmp(section, "findings") != 0)
        return refuse(reading,
                      "%.60s is not a section of a policy, which are [findings] and [gate...]",
                      *section ? section : "a line without one");
    while (kind < FINDING_COUNT && strcmp(name, finding_word(kind)) != 0)
        kind++;
    if (kind == FINDING_COUNT)
        return refuse(reading, "%.60s is not a finding's word", name);
    while (level <= LEVEL_REJECT && strcmp(value, finding_level_word(level)) != 0)
        level++;
    if (level > LEVEL_REJECT)
        return refuse(reading, "%.60s is not info, warn or reject", value);
    if (reading->named[kind])
        return refuse(reading, "%.60s is named already; remove one", name);
    reading->named[kind] = true;
    reading->policy->level[kind] = level;
    return 1;
}

void audit_policy_default(struct audit_policy *policy) {
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        policy->level[kind] = finding_default(kind);
}

int audit_policy_read(const char *file, struct audit_policy *policy) {
    struct reading reading = {.policy = policy};
    audit_policy_default(policy);
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
    if (line > 0 && line != reading.refused)
        return error("%s:%d: not of the form finding = level", file, line);
    return reading.refused ? error("%s:%d: %s", file, reading.refused, reading.why) : 0;
}

enum finding_level audit_policy_judge(const struct audit_policy *policy,
                                      const struct finding_list *list) {
    enum finding_level worst = LEVEL_INFO;
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        if (list->seen[kind] && policy->level[kind] > worst)
            worst = policy->level[kind];
    return worst;
}
