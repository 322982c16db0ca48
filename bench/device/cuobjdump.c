#include "bench/device/cuobjdump.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/clock.h"
#include "bench/base/error.h"

/* Exit statuses of the child. */
#define NOT_CONFINED 126
#define NOT_THERE 127

/* Bytes of any file it writes; a big library's text has some millions. */
#define MOST_TEXT ((rlim_t)1 << 28)

/* In the child. */
static _Noreturn void become_cuobjdump(const struct cuobjdump *run, const char *so,
                                       int (*confine)(const char *)) {
    char *const arguments[] = {"cuobjdump", "-sass", (char *)so, NULL};
    const struct rlimit most = {MOST_TEXT, MOST_TEXT};
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN); /* a scheduler's is for the judge, who ends this process */
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_DFL); /* what the judge ignores would stay ignored */
    signal(SIGXFSZ, SIG_DFL);
    const int nothing = open("/dev/null", O_RDWR);
    if (setenv("TMPDIR", run->scratch, 1) < 0 || (confine && confine(run->scratch) < 0))
        _exit(NOT_CONFINED);
    if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(fileno(run->text), 1) == 1 &&
        dup2(nothing, 2) == 2 && close_range(3, ~0U, 0) == 0 &&
        setrlimit(RLIMIT_FSIZE, &most) == 0) {
        execvp(arguments[0], arguments);
        execv("/usr/local/cuda/bin/cuobjdump", arguments);
    }
    _exit(NOT_THERE);
}

static void clear(struct cuobjdump *run) {
    fclose(run->text);
    child_remove_folder(run->scratch);
}

int cuobjdump_start(struct cuobjdump *run, const char *so, int (*confine)(const char *)) {
    *run =
        (struct cuobjdump){.started = clock_seconds(), .scratch = "/tmp/gemmgate_cuobjdump.XXXXXX"};
    /* In memory: a full disk would cut it short. */
    const int text = memfd_create("cuobjdump", MFD_CLOEXEC);
    run->text = text < 0 ? NULL : fdopen(text, "r");
    if (!run->text) {
        const int why = errno;
        if (text >= 0)
            close(text);
        return error("no memory for what cuobjdump prints: %s", strerror(why));
    }
    if (!mkdtemp(run->scratch)) {
        const int status = error("%s: %s", run->scratch, strerror(errno));
        fclose(run->text);
        return status;
    }
    run->pid = fork();
    if (run->pid == 0)
        become_cuobjdump(run, so, confine);
    if (run->pid < 0) {
        const int why = errno;
        clear(run);
        return error("cannot start cuobjdump: %s", strerror(why));
    }
    setpgid(run->pid, run->pid); /* here too, lest the group be killed before it is one */
    return 0;
}

bool cuobjdump_has_ended(const struct cuobjdump *run) {
    return child_has_ended(run->pid);
}

/* Whether it met the limit, whatever it made of that: who goes on leaves a text that is cut off. */
static bool is_cut(const struct cuobjdump *run) {
    struct stat text;
    return fstat(fileno(run->text), &text) == 0 && (rlim_t)text.st_size >= MOST_TEXT;
}

static int parse(const struct cuobjdump *run, struct machine_code *code) {
    rewind(run->text);
    if (machine_code_parse(run->text, code) < 0)
        return -1;
    return ferror(run->text) ? error("what cuobjdump printed cannot be read") : 0;
}

/* With the process gone, which has ended so. */
static int judge(const struct cuobjdump *run, int state, struct machine_code *code,
                 const char **why) {
    if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_CONFINED)
        return error("cuobjdump's sandbox cannot be set up; --no-sandbox goes without");
    if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_THERE)
        *why = "no cuobjdump on PATH or in /usr/local/cuda/bin: install the CUDA toolkit's";
    else if (is_cut(run))
        *why = "cuobjdump prints more than can be kept";
    else if (state != 0)
        *why = "cuobjdump fails: the library has no device code that it can read, or nvdisasm is "
               "not beside it";
    else if (parse(run, code) < 0)
        return -1;
    else if (code->dropped)
        *why = "the library has more functions than can be kept";
    return *why ? 1 : 0;
}

int cuobjdump_end(struct cuobjdump *run, struct machine_code *code, const char **why) {
    int state = 0, status = 0;
    *why = cuobjdump_has_ended(run) ? NULL : "cuobjdump takes too long";
    kill(-run->pid, SIGKILL); /* with the disassembler it starts */
    while (status == 0 && waitpid(run->pid, &state, 0) < 0)
        if (errno != EINTR)
            status = error("cannot wait for cuobjdump: %s", strerror(errno));
    if (status == 0)
        status = *why ? 1 : judge(run, state, code, why);
    clear(run);
    return status;
}
