/* For tests: the program as a user calls it, in the scratch folder. The compile definition PROGRAM
 * is its path. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/base/child.h"
#include "tests/support/asserts.h"
#include "tests/support/scratch.h"

/* What it printed to stdout when it was called last. */
static char program_out[1 << 16];

static const char *program_read(const char *name, char *text, size_t size) {
    FILE *file = fopen(scratch_path(name), "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Has the shell run the words in the scratch folder, with $P the program. Returns the status. */
static int program_shell(const char *words) {
    char script[4096];
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const struct child_program shell = {.arguments = arguments, .folder = scratch, .output = -1};
    struct child child;
    setenv("P", PROGRAM, 1);
    setenv("GEMMGATE_CACHE", scratch_path("cache"), 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    assert_true(snprintf(script, sizeof script, "{ %s ; } >out 2>err", words) < (int)sizeof script);
    assert_int_equal(child_run(&child, &shell, 120), 0);
    assert_int_equal(child.fate, CHILD_ENDED);
    return WIFEXITED(child.status) ? WEXITSTATUS(child.status) : -1;
}

/* The program with these words ends with the status. Its stdout begins with `out`, and its stderr
 * holds `err`; where either is "", nothing was printed there. A NULL wants nothing. */
static void program_gives(int status, const char *words, const char *out, const char *err) {
    char line[4096], errors[1 << 14];
    snprintf(line, sizeof line, "$P %s", words);
    const int given = program_shell(line);
    program_read("out", program_out, sizeof program_out);
    program_read("err", errors, sizeof errors);
    if (given != status)
        fail_msg("status %d, not %d: gemmgate %s\n%s%s", given, status, words, program_out, errors);
    if (err && (*err ? !strstr(errors, err) : *errors != 0))
        fail_msg("stderr of gemmgate %s lacks \"%s\":\n%s", words, err, errors);
    if (out && (*out ? strncmp(program_out, out, strlen(out)) != 0 : *program_out != 0))
        fail_msg("stdout of gemmgate %s does not begin with \"%s\":\n%s", words, out, program_out);
}

/* The words are refused: status 2, and one line that holds the text. */
__attribute__((unused)) static void program_refuses(const char *words, const char *text) {
    char errors[1 << 14];
    program_gives(2, words, "", text);
    program_read("err", errors, sizeof errors);
    if (strchr(errors, '\n') != errors + strlen(errors) - 1)
        fail_msg("gemmgate %s says more than a line:\n%s", words, errors);
}

/* Its last stdout holds the text. */
__attribute__((unused)) static void program_printed(const char *text) {
    if (!strstr(program_out, text))
        fail_msg("stdout lacks \"%s\":\n%s", text, program_out);
}

#endif
