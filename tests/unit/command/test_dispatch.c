/* Which command a command line names, what is told of it, and what becomes of output that nobody
 * can take. */

#include "tests/support/program.h"
#include "tests/support/test.h"

#define HELP "gemmgate measures half-precision matrix-multiply kernels"

TEST(help_is_asked_for_in_many_ways) {
    static const char *const ways[] = {
        "--help",          "-h",     "help", "help fly", "help fly verify", "help baseline",
        "baseline --help", "list -h"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        program_gives(0, ways[i], HELP, "");
    program_gives(2, "", "", HELP);
    static const char *const of_one[] = {"verify --help", "help verify", "-h verify",
                                         "verify A -h"};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        program_gives(0, of_one[i], "usage: gemmgate verify RUN [OPTION...]\n", "");
    static const char *const of_two[] = {"baseline list --help", "help baseline list"};
    for (size_t i = 0; i < sizeof of_two / sizeof *of_two; i++)
        program_gives(0, of_two[i], "usage: gemmgate baseline list --store STORE", "");
}

TEST(versions_are_told) {
    program_gives(0, "--version", "gemmgate ", "");
    program_printed("\ncommit ");
    program_printed("\nbuilt by ");
}

TEST(what_is_no_command_is_refused) {
    program_refuses("fly", "gemmgate: unknown command fly; `gemmgate --help` lists them\n");
    program_refuses("baseline",
                    "gemmgate: unknown command baseline; `gemmgate --help` lists them\n");
    program_refuses("list fly", "gemmgate: unknown command list; `gemmgate --help` lists them\n");
    program_refuses("verify", "verify: RUN is wanted; see `gemmgate verify --help`\n");
    program_refuses("verify R --sead 1", "verify takes no --sead");
}

/* A result that did not reach anybody is no result. A run that failed has said so already. */
TEST(output_that_is_lost_is_an_error) {
    if (access("/dev/full", W_OK) == 0) {
        program_refuses("--help >/dev/full", "gemmgate: cannot write to standard output\n");
        program_refuses("verify none >/dev/full", "gemmgate: none/plan.json: cannot read");
    }
    program_refuses("--version >&-", "cannot write to standard output");
}

/* Neither a reader that has gone nor a limit on the size of a file kills it. */
TEST(output_that_nobody_takes_is_no_death) {
    const char *const arguments[] = {PROGRAM, "--help", NULL};
    struct child child;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    struct child_program program = {.arguments = arguments, .output = ends[1]};
    assert_int_equal(child_run(&child, &program, 60), 0);
    assert_true(WIFEXITED(child.status));
    assert_int_equal(WEXITSTATUS(child.status), 2);
    close(ends[1]);
    program.output = open(scratch_path("limited"), O_RDWR | O_CREAT, 0666);
    program.most_bytes = 1;
    assert_int_equal(child_run(&child, &program, 60), 0);
    assert_true(WIFEXITED(child.status));
    assert_int_equal(WEXITSTATUS(child.status), 2);
    close(program.output);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
