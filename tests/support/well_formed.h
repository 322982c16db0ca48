/* For tests of HTML: whether it is well-formed, and what it says. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_WELL_FORMED_H
#define TESTS_SUPPORT_WELL_FORMED_H

#include <ctype.h>
#include <string.h>

#include "tests/support/asserts.h"
#include "tests/support/scratch.h"

/* Well-formedness, as far as an XML parser without a DTD would complain: every tag is closed in
 * order, attributes are quoted and said once, no stray <, no & but those that XML knows. NULL, or
 * where it ends. */
enum { DEPTH = 64 };

__attribute__((unused)) static const char *skip_entity(const char *at) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return at + strlen(known[i]);
    return NULL;
}

__attribute__((unused)) static size_t name_length(const char *text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || strchr("-:_", text[n]) || !text[n])
        if (!text[n++])
            return n - 1;
    return n;
}

/* Behind the attributes, or NULL. */
__attribute__((unused)) static const char *skip_attributes(const char *at) {
    const char *names[32];
    size_t lengths[32], count = 0;
    for (;;) {
        const char *next = at + strspn(at, " \n\t");
        if (*next == '>' || *next == '/')
            return next;
        const size_t n = name_length(next);
        const char *equals = next + n + strspn(next + n, " ");
        if (next == at || n == 0 || *equals != '=' || count == 32)
            return NULL;
        at = equals + 1 + strspn(equals + 1, " ");
        const char quote = *at++;
        if (quote != '"' && quote != '\'')
            return NULL;
        for (size_t i = 0; i < count; i++)
            if (lengths[i] == n && strncmp(names[i], next, n) == 0)
                return NULL;
        names[count] = next;
        lengths[count++] = n;
        while (*at != quote) {
            if (!*at || *at == '<')
                return NULL;
            at = *at == '&' ? skip_entity(at) : at + 1;
            if (!at)
                return NULL;
        }
        at++;
    }
}

__attribute__((unused)) static const char *malformed(const char *text) {
    const char *open[DEPTH];
    size_t lengths[DEPTH], depth = 0;
    const char *at = text;
    if (strncmp(at, "<!DOCTYPE html>", 15) == 0)
        at += 15;
    while (*at) {
        const char *start = at;
        if (*at == '&') {
            if (!(at = skip_entity(at)))
                return start;
        } else if (*at != '<') {
            at++;
        } else if (at[1] == '/') {
            const size_t n = name_length(at + 2);
            if (depth == 0 || n != lengths[depth - 1] || strncmp(at + 2, open[depth - 1], n) != 0 ||
                at[2 + n] != '>')
                return start;
            depth--;
            at += n + 3;
        } else {
            const size_t n = name_length(at + 1);
            if (n == 0 || depth == DEPTH || !(at = skip_attributes(at + 1 + n)))
                return start;
            if (strncmp(at, "/>", 2) == 0) {
                at += 2;
            } else if (*at == '>') {
                open[depth] = start + 1;
                lengths[depth++] = n;
                at++;
            } else {
                return start;
            }
        }
    }
    return depth ? at : NULL;
}

__attribute__((unused)) static void assert_well_formed(const char *text) {
    const char *at = malformed(text);
    if (at)
        fail_msg("not well-formed at byte %zu: %.200s", (size_t)(at - text), at);
}

static void says(const char *text, const char *words) {
    assert_non_null(text);
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in: %.4000s", words, text);
}

__attribute__((unused)) static void says_not(const char *text, const char *words) {
    if (strstr(text, words))
        fail_msg("\"%s\" is in it", words);
}

__attribute__((unused)) static const char *put(const char *text) {
    scratch_put("claims.csv", "%s", text);
    return scratch_path("claims.csv");
}

#endif
