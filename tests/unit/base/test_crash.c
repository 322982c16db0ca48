/* What a process says when a signal ends it. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/crash.h"
#include "tests/support/test.h"

/* What a child that does it printed; *status is how it ended. */
static const char *die(void (*does)(void), int *status) {
    static char text[500];
    int ends[2];
    size_t length = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        does();
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, status, 0), child);
    return text;
}

static void read_nowhere(void) {
    static volatile uintptr_t place = 0x30;
    crash_watch("prog");
    crash_step("reading");
    exit(*(volatile int *)place);
}

static void abort_at_a_step(void) {
    crash_watch("prog");
    assert_string_equal(crash_step("first"), "nothing");
    assert_string_equal(crash_step("second"), "first");
    abort();
}

static void abort_unwatched(void) {
    crash_watch("prog");
    crash_unwatch();
    abort();
}

TEST(a_fault_names_its_step) {
    int status;
    assert_string_equal(die(read_nowhere, &status),
                        "prog: signal 11 at address 0x30 while it was at: reading\n");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    assert_string_equal(die(abort_at_a_step, &status), "prog: signal 6 while it was at: second\n");
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

TEST(nothing_is_said_once_it_is_not_watched) {
    int status;
    assert_string_equal(die(abort_unwatched, &status), "");
    assert_int_equal(WTERMSIG(status), SIGABRT);
}
