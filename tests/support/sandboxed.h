/* For tests: attempts in children of their own, free and locked in. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_SANDBOXED_H
#define TESTS_SUPPORT_SANDBOXED_H

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bench/process/sandbox.h"
#include "tests/support/asserts.h"
#include "tests/support/scratch.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* How a child ended: an errno (0: it did what it tried) or, from 1000 on, a signal. */
enum { UNTRIED = -1, SIGNAL = 1000, KILLED = SIGNAL + SIGSYS, NOT_ENTERED = 254 };

static struct sandbox_report *report; /* of the last sandbox, shared with the children */
static struct sandbox_report have;    /* what this machine gives */
__attribute__((unused)) static char inside[512], outside[512];

__attribute__((unused)) static int ending(pid_t pid) {
    int status;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

__attribute__((unused)) static int free_end(int (*attempt)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(attempt());
    return ending(pid);
}

__attribute__((unused)) static int limited_end(enum sandbox_profile profile,
                                               const struct sandbox_limits *limits,
                                               int (*attempt)(void)) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(sandbox_enter(profile, inside, limits, report) < 0 ? NOT_ENTERED : attempt());
    return ending(pid);
}

__attribute__((unused)) static int locked_end(enum sandbox_profile profile, int (*attempt)(void)) {
    static const struct sandbox_limits none;
    return limited_end(profile, &none, attempt);
}

/* Where the kernel cannot kill a process by a filter the call fails. */
__attribute__((unused)) static int expected(int end) {
    return end == KILLED && seccomp_api_get() < 3 ? EPERM : end;
}

static int sandboxed_nothing(void) {
    return 0;
}

/* Attempts of both kinds of test. */
__attribute__((unused)) static int result(long status) {
    return status < 0 ? errno : 0;
}

__attribute__((unused)) static int start_process(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : ending(pid);
}

__attribute__((unused)) static int open_socket(void) {
    return result(socket(AF_INET, SOCK_STREAM, 0));
}

__attribute__((unused)) static int make_file(const char *folder, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    if (fd < 0)
        return errno;
    int status = write(fd, "x", 1) == 1 ? 0 : errno;
    close(fd);
    return status;
}

/* Makes both folders and learns what this machine gives. */
static int sandboxed_make(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    snprintf(inside, sizeof inside, "%s", scratch_path("inside"));
    snprintf(outside, sizeof outside, "%s", scratch_path("outside"));
    scratch_put("outside/old", "x");
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED || mkdir(inside, 0777) < 0 ||
        locked_end(SANDBOX_RUNNER, sandboxed_nothing) != 0)
        return -1;
    have = *report;
    seccomp_api_get(); /* a test may choose a level once the library has looked for its own */
    return 0;
}

#endif
