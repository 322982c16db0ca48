/* What the code under test prints to stderr: caught from stderr_catch to stderr_says. */
#ifndef TESTS_SUPPORT_STDERR_H
#define TESTS_SUPPORT_STDERR_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/asserts.h"

static int stderr_kept = -1;
static FILE *stderr_caught;

static void stderr_catch(void) {
    fflush(stderr);
    stderr_kept = dup(STDERR_FILENO);
    stderr_caught = tmpfile();
    assert_true(stderr_kept >= 0 && stderr_caught);
    assert_true(dup2(fileno(stderr_caught), STDERR_FILENO) >= 0);
}

/* Ends the catch and fails unless something that holds `text` was printed. */
static void stderr_says(const char *text) {
    char printed[4096];
    assert_true(dup2(stderr_kept, STDERR_FILENO) >= 0);
    close(stderr_kept);
    rewind(stderr_caught);
    printed[fread(printed, 1, sizeof printed - 1, stderr_caught)] = 0;
    fclose(stderr_caught);
    if (!strstr(printed, text))
        fail_msg("stderr lacks \"%s\": %s", text, printed);
}

#endif
