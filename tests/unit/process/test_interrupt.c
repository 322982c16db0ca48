/* Signals ask the judge to end; a second one from the keyboard ends it at once. */
#include "bench/process/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

/* How a process ends that gets both signals (0: none), asked to end by `interrupted`. */
static int ended(int first, int second, bool ignored) {
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGHUP, ignored ? SIG_IGN : SIG_DFL);
        interrupt_catch();
        raise(first);
        raise(second);
        _exit(10 + interrupted);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(a_signal_asks_to_end) {
    assert_int_equal(interrupted, 0);
    assert_int_equal(ended(0, 0, false), 10);
    assert_int_equal(ended(SIGINT, 0, false), 11);
    assert_int_equal(ended(SIGTERM, 0, false), 11);
    assert_int_equal(ended(SIGTERM, SIGTERM, false), 11);
    assert_int_equal(ended(SIGHUP, SIGHUP, false), 11);
    assert_int_equal(ended(SIGHUP, 0, true), 10); /* under nohup */
}

TEST(the_second_from_the_keyboard_ends) {
    assert_int_equal(ended(SIGINT, SIGINT, false), SIGINT);
    assert_int_equal(ended(SIGTERM, SIGINT, false), 11);
}
