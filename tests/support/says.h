/* For tests: what a call says on stderr, beside what it returns. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_SAYS_H
#define TESTS_SUPPORT_SAYS_H

#include "tests/support/asserts.h"
#include "tests/support/stderr.h"

/* The call returns the status and prints the words. */
#define assert_says(call, status, words)                                                           \
    do {                                                                                           \
        stderr_catch();                                                                            \
        const int status_ = (call);                                                                \
        stderr_says(words);                                                                        \
        assert_int_equal(status_, status);                                                         \
    } while (0)

#endif
