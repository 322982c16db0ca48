/* For tests: what a call says on stderr, beside what it returns. Include after cmocka.h. */
#ifndef TESTS_SAYS_H
#define TESTS_SAYS_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct says {
    FILE *file;
    int stderr_copy;
};

static inline struct says says_begin(void) {
    fflush(stderr);
    struct says says = {tmpfile(), dup(STDERR_FILENO)};
    assert_non_null(says.file);
    assert_true(says.stderr_copy >= 0 && dup2(fileno(says.file), STDERR_FILENO) >= 0);
    return says;
}

static inline void says_end(struct says says, const char *words) {
    char text[8192];
    fflush(stderr);
    dup2(says.stderr_copy, STDERR_FILENO);
    close(says.stderr_copy);
    rewind(says.file);
    text[fread(text, 1, sizeof text - 1, says.file)] = 0;
    fclose(says.file);
    if (!strstr(text, words))
        fail_msg("wanted '%s', was told '%s'", words, text);
}

/* The call returns the status and prints the words. */
#define assert_says(call, status, words)                                                           \
    do {                                                                                           \
        const struct says says_ = says_begin();                                                    \
        const int status_ = (call);                                                                \
        says_end(says_, words);                                                                    \
        assert_int_equal(status_, status);                                                         \
    } while (0)

#endif
