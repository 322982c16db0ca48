#include "candidates/set/call.h"

#include <string.h>

#include "candidates/gemmgate.h"

/* A position in an expression: which brackets are open, and in which quotes it stands. */
struct position {
    char open[64];
    int depth;
    char quote;
};

static const char *read_character(struct position *position, const char *p) {
    static const char closers[] = ")]}", openers[] = "([{";
    if (position->quote) {
        position->quote = *p == position->quote && p[-1] != '\\' ? 0 : position->quote;
        return NULL;
    }
    if (*p == '"' || *p == '\'') {
        position->quote = *p;
    } else if (strchr(openers, *p)) {
        if (position->depth == (int)sizeof position->open)
            return "has too many brackets in each other";
        position->open[position->depth++] = *p;
    } else if (strchr(closers, *p)) {
        const char wanted = openers[strchr(closers, *p) - closers];
        if (position->depth == 0 || position->open[--position->depth] != wanted)
            return "closes a bracket that is not open";
    } else if (*p == ';' && position->depth == 0) {
        return "is an expression, which has no ';'";
    }
    return NULL;
}

const char *call_expression_defect(const struct call_text *lines, int count) {
    struct position position = {.depth = 0};
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(lines[i].text);
        if (length == 0)
            return "has no value";
        if (lines[i].text[length - 1] == '\\')
            return "ends with a backslash; say it again in the next line for more of it";
        for (const char *p = lines[i].text; *p; p++) {
            const char *wrong = read_character(&position, p);
            if (wrong)
                return wrong;
        }
        if (position.quote)
            return "does not close a quote";
    }
    return position.depth > 0 ? "does not close a bracket" : NULL;
}
