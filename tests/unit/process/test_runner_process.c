/* Starting a runner, asking it, and learning how it ended: with one that does as it is told
 * (support/scripted_runner.c). */
#include "bench/process/runner_process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/process/interrupt.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static struct runner_process process = PROCESS_NONE;
static struct wire_reply reply;
static int code;

static int start(void **state) {
    (void)state;
    return process_start(&process, 8192);
}

static int stop(void **state) {
    (void)state;
    process_end(&process);
    return 0;
}

static enum process_answer ask(const char *what, double seconds) {
    struct wire_add add = {.kind = ARM_CANDIDATE};
    snprintf(add.name, sizeof add.name, "%s", what);
    const struct wire_request request = wire_add_request(add);
    code = -7;
    return process_ask(&process, &request, seconds, &reply, &code);
}

/* Nothing with that number, or it waits to be collected by its parent. */
static bool is_gone(pid_t pid) {
    char path[64], state = 'X';
    for (int i = 0; i < 500; i++, usleep(10000)) {
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (!file)
            return true;
        const int read = fscanf(file, "%*d (%*[^)]) %c", &state);
        fclose(file);
        if (read == 1 && state == 'Z')
            return true;
    }
    return false;
}

TEST_WITH(a_runner_answers, start, stop) {
    assert_int_equal(ask("", 60), PROCESS_ANSWERED);
    assert_int_equal(reply.verb, WIRE_ADD);
    assert_non_null(strstr(reply.text, "/gemmgate-runner"));
    assert_true(process.answered);
    const uint64_t nonce = process.nonce;
    assert_int_equal(ask("half", 60), PROCESS_ANSWERED);
    assert_true(process.nonce != nonce);
    assert_true(reply.nonce == process.nonce);
    assert_int_equal(ask("long", 60), PROCESS_ANSWERED);
    assert_int_equal(strlen(reply.text), sizeof reply.text - 1);
}

static void raise_term(int number) {
    (void)number;
    raise(SIGTERM);
}

/* Whatever the limit is, and nobody is accused of being late. */
TEST_WITH(an_interrupt_does_not_wait_for_a_runner_that_hangs, start, stop) {
    interrupted = 1;
    const enum process_answer soon = ask("", 60);
    interrupted = 0;
    assert_int_equal(soon, PROCESS_ANSWERED);
    interrupted = 1;
    assert_says(ask("hang", 3600), PROCESS_TROUBLE, "interrupted");
    interrupted = 0;
    assert_int_equal(process.pid, 0);
}

/* As a scheduler does it, while the reply is waited for. */
/* They are for the judge, who ends its runners. */
TEST_WITH(a_runner_outlives_a_schedulers_signals, start, stop) {
    static const int signals[] = {SIGTERM, SIGHUP};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask("", 60), PROCESS_ANSWERED);
        assert_int_equal(kill(process.pid, signals[i]), 0);
    }
    assert_int_equal(ask("", 60), PROCESS_ANSWERED);
}

TEST_WITH(a_signal_ends_the_wait, start, stop) {
    const struct itimerval soon = {.it_value = {.tv_usec = 100000}};
    interrupt_catch();
    signal(SIGALRM, raise_term);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_says(ask("hang", 3600), PROCESS_TROUBLE, "interrupted");
    assert_int_equal(interrupted, 1);
    interrupted = 0;
}

TEST_WITH(a_runner_has_what_it_needs_and_no_more, start, stop) {
    assert_int_equal(ask("look", 60), PROCESS_ANSWERED);
    assert_string_equal(reply.text, "8192 bytes, group 1, fd5 -1, shrinks 0, deaf");
    assert_int_equal(process.shared_bytes, 8192);
}

/* The program under which it is started has the first arguments. */
TEST_WITH(a_runner_is_started_under_a_program, start, stop) {
    static const char *const nice[] = {"nice", "-n", "1", NULL};
    stop(state);
    assert_int_equal(process_start_under(&process, 4096, nice), 0);
    assert_int_equal(ask("", 60), PROCESS_ANSWERED);
    stop(state);
    static const char *const nothing[] = {"/nowhere/at-all", NULL};
    assert_int_equal(process_start_under(&process, 4096, nothing), 0);
    assert_int_equal(ask("", 60), PROCESS_EXITED);
    assert_int_equal(code, 127);
    stop(state);
    assert_says(process_start(&process, SIZE_MAX / 2), -1, "cannot start a runner with");
    assert_int_equal(process.pid, 0);
    assert_null(process.shared);
}

TEST_WITH(how_it_ended_is_told, start, stop) {
    const pid_t first = process.pid;
    assert_int_equal(ask("exit 3", 60), PROCESS_EXITED);
    assert_int_equal(code, 3);
    assert_int_equal(process.pid, 0);
    assert_true(is_gone(first));
    assert_int_equal(ask("", 60), PROCESS_EXITED); /* it is still gone */
    assert_int_equal(code, 0);
    stop(state), start(state);
    assert_int_equal(ask("signal 10", 60), PROCESS_CRASHED);
    assert_int_equal(code, SIGUSR1);
    stop(state), start(state);
    const double before = clock_seconds();
    assert_int_equal(ask("hang", 0.2), PROCESS_TIMED_OUT);
    assert_true(clock_seconds() - before >= 0.2 && clock_seconds() - before < 30);
    stop(state), start(state);
    assert_int_equal(ask("shut", 60), PROCESS_CRASHED); /* by the judge, a second later */
    assert_int_equal(code, SIGKILL);
    stop(state), start(state);
    assert_int_equal(ask("part", 60), PROCESS_EXITED);
    stop(state), start(state);
    assert_int_equal(ask("spill", 60), PROCESS_EXITED); /* it is given the time to end */
    assert_int_equal(code, 4);
    assert_int_equal(process.printed_length, PROCESS_LINES);
}

/* The first answer shows whether the programs are of one build; later ones who has written them. */
TEST_WITH(answers_that_are_not_the_runners, start, stop) {
    assert_says(ask("version", 60), PROCESS_TROUBLE, "of another build: rebuild both");
    assert_int_equal(process.pid, 0);
    stop(state), start(state);
    assert_int_equal(ask("nonce", 60), PROCESS_FORGED);
    assert_int_equal(process.pid, 0);
    stop(state), start(state);
    assert_int_equal(ask("", 60), PROCESS_ANSWERED);
    assert_int_equal(ask("version", 60), PROCESS_FORGED);
}

TEST_WITH(what_it_printed_last_is_there, start, stop) {
    /* More than is kept, and more than a pipe holds. */
    struct wire_add add = {.name = "print 200000"};
    const struct wire_request request = wire_add_request(add);
    assert_int_equal(process_send(&process, &request), 0);
    assert_int_equal(process_await(&process, 60, &reply, &code), PROCESS_ANSWERED);
    assert_int_equal(process_finish(&process, 60), 5);
    assert_int_equal(process.printed_length, PROCESS_LINES);
    const size_t words = strlen("last words\n");
    assert_string_equal(process.printed + PROCESS_LINES - words, "last words\n");
    /* The letter before them is the 200,000th. */
    assert_int_equal(process.printed[PROCESS_LINES - words - 1], 'a' + 199999 % 26);
    for (size_t i = 0; i + 1 < PROCESS_LINES - words; i++)
        assert_int_equal((process.printed[i] - 'a' + 1) % 26, process.printed[i + 1] - 'a');
}

TEST_WITH(each_request_begins_with_nothing_printed, start, stop) {
    assert_int_equal(ask("print 30000", 60), PROCESS_ANSWERED);
    for (int i = 0; i < 200 && process.printed_length > 0; i++)
        assert_int_equal(ask("", 60), PROCESS_ANSWERED);
    assert_int_equal(process.printed_length, 0);
    assert_string_equal(process.printed, "");
}

TEST_WITH(a_runner_may_close_its_output, start, stop) {
    assert_int_equal(ask("mute", 60), PROCESS_ANSWERED);
    assert_int_equal(ask("", 60), PROCESS_ANSWERED);
    assert_int_equal(process.output, -1);
    assert_int_equal(ask("exit 2", 60), PROCESS_EXITED);
    assert_int_equal(code, 2);
}

/* Whatever a kernel has started ends with its runner. */
TEST_WITH(nothing_outlives_a_runner, start, stop) {
    pid_t *child = process.shared;
    assert_int_equal(ask("child", 60), PROCESS_ANSWERED);
    pid_t left = *child;
    assert_true(left > 0 && kill(left, 0) == 0);
    const double before = clock_seconds();
    assert_int_equal(ask("exit 0", 60), PROCESS_EXITED); /* though the child has the socket, too */
    assert_true(clock_seconds() - before < 30);
    assert_true(is_gone(left));
    stop(state), start(state);
    assert_int_equal(ask("child", 60), PROCESS_ANSWERED);
    left = *(pid_t *)process.shared;
    const pid_t runner = process.pid;
    process_kill(&process);
    assert_true(is_gone(left));
    assert_true(is_gone(runner));
    process_end(&process);
    assert_int_equal(process.pid, 0);
    assert_int_equal(process.socket, -1);
    process_end(&process); /* safe */
    process_kill(&process);
}

TEST_WITH(a_runner_that_is_hung_up_on_ends_by_itself, start, stop) {
    assert_int_equal(process_finish(&process, 60), 5);
    assert_int_equal(process.pid, 0);
    stop(state), start(state);
    struct wire_add add = {.name = "hang"};
    const struct wire_request request = wire_add_request(add);
    process_send(&process, &request);
    const double before = clock_seconds();
    assert_int_equal(process_finish(&process, 0.3), -1);
    assert_true(clock_seconds() - before >= 0.3 && clock_seconds() - before < 30);
}
