/* For tests: what an audit has found. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_FINDINGS_H
#define TESTS_SUPPORT_FINDINGS_H

#include <stdbool.h>
#include <string.h>

#include "correctness/contract/finding.h"
#include "tests/support/asserts.h"

static struct finding_list list;

__attribute__((unused)) static bool found(enum finding_kind kind, const char *text) {
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].kind == kind && strstr(list.items[i].text, text))
            return true;
    return false;
}

__attribute__((unused)) static void print_findings(void) {
    for (size_t i = 0; i < list.count; i++)
        print_message("found %s: %s\n", finding_word(list.items[i].kind), list.items[i].text);
}

__attribute__((unused)) static void finds(enum finding_kind kind, const char *text) {
    if (found(kind, text))
        return;
    print_findings();
    fail_msg("%s was not found with \"%s\"", finding_word(kind), text);
}

__attribute__((unused)) static void finds_only(enum finding_kind kind, const char *text) {
    finds(kind, text);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].kind != kind)
            fail_msg("found %s: %s", finding_word(list.items[i].kind), list.items[i].text);
}

__attribute__((unused)) static void finds_nothing(void) {
    print_findings();
    assert_int_equal(list.count, 0);
}

#endif
