#include "bench/cuobjdump.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/error.h"
#include "bench/monotonic.h"

/* Exit statuses of the child. */
#define NOT_CONFINED 126
#define NOT_THERE 127

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)status, (void)type, (void)where;
    return remove(path);
}

/* In the child. */
static _Noreturn void become_cuobjdump(const char *so, int output, const char *scratch,
                                       int (*confine)(const char *)) {
    char *const arguments[] = {"cuobjdump", "-sass", (char *)so, NULL};
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN); /* a scheduler's is for the judge, who ends this process */
    signal(SIGPIPE, SIG_DFL);
    const int nothing = open("/dev/null", O_RDWR);
    if (setenv("TMPDIR", scratch, 1) < 0 || (confine && confine(scratch) < 0))
        _exit(NOT_CONFINED);
    if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(output, 1) == 1 && dup2(nothing, 2) == 2 &&
        close_range(3, ~0U, 0) == 0) {
        execvp(arguments[0], arguments);
        execv("/usr/local/cuda/bin/cuobjdump", arguments);
    }
    _exit(NOT_THERE);
}

/* A pipe that is at its end when the time is over. */
struct limited {
    int descriptor;
    time_t end;
    bool late;
};

static ssize_t read_limited(void *cookie, char *bytes, size_t size) {
    struct limited *pipe_end = cookie;
    struct pollfd wait = {.fd = pipe_end->descriptor, .events = POLLIN};
    for (;;) {
        const time_t left = pipe_end->end - (time_t)monotonic_seconds();
        pipe_end->late = left <= 0;
        if (pipe_end->late)
            return 0;
        const int ready = poll(&wait, 1, (int)left * 1000);
        if (ready > 0)
            return read(pipe_end->descriptor, bytes, size);
        if (ready < 0 && errno != EINTR)
            return -1;
    }
}

/* 0, with what there was to read parsed, or -1 after error(). */
static int parse_limited(struct limited *from, struct machine_code *code) {
    FILE *text = fopencookie(from, "r", (cookie_io_functions_t){.read = read_limited});
    if (!text)
        return error("no memory for a stream");
    int status = machine_code_parse(text, code);
    if (status == 0 && ferror(text))
        status = error("what cuobjdump prints cannot be read");
    fclose(text);
    return status;
}

/* With the folder made. */
static int read_in(const char *scratch, const char *so, int limit_seconds,
                   int (*confine)(const char *), struct machine_code *code, const char **why) {
    int ends[2], state = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return error("no pipe for cuobjdump: %s", strerror(errno));
    const pid_t pid = fork();
    if (pid == 0)
        become_cuobjdump(so, ends[1], scratch, confine);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error("cannot start cuobjdump: %s", strerror(errno));
    }
    setpgid(pid, pid); /* here too, lest the group be killed before it is one */
    struct limited from = {.descriptor = ends[0],
                           .end = (time_t)monotonic_seconds() + limit_seconds};
    const int status = parse_limited(&from, code);
    if (status < 0 || from.late)
        kill(-pid, SIGKILL); /* with the disassembler it starts */
    close(ends[0]);
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return error("cannot wait for cuobjdump: %s", strerror(errno));
    if (status < 0)
        return -1;
    if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_CONFINED)
        return error("cuobjdump's sandbox cannot be set up; --no-sandbox goes without");
    *why = NULL;
    if (from.late)
        *why = "cuobjdump takes too long";
    else if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_THERE)
        *why = "no cuobjdump on PATH or in /usr/local/cuda/bin: install the CUDA toolkit's";
    else if (state != 0)
        *why = "cuobjdump fails: the library has no device code that it can read, or nvdisasm is "
               "not beside it";
    else if (code->dropped)
        *why = "the library has more functions than can be kept";
    return *why ? 1 : 0;
}

int cuobjdump_read(const char *so, int limit_seconds, int (*confine)(const char *),
                   struct machine_code *code, const char **why) {
    char scratch[] = "/tmp/gemmgate_cuobjdump.XXXXXX";
    if (!mkdtemp(scratch))
        return error("%s: %s", scratch, strerror(errno));
    const int status = read_in(scratch, so, limit_seconds, confine, code, why);
    if (nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        warning("%s cannot be removed: %s", scratch, strerror(errno));
    return status;
}
