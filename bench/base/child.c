#include "bench/base/child.h"

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

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

static bool is_program(const char *path) {
    struct stat is;
    return stat(path, &is) == 0 && S_ISREG(is.st_mode) && access(path, X_OK) == 0;
}

bool child_find(const char *name, const char *after, char path[PATH_MAX]) {
    if (strchr(name, '/')) {
        if (is_program(name) && snprintf(path, PATH_MAX, "%s", name) < PATH_MAX)
            return true;
        *path = 0;
        return false;
    }
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        if (length > 0 && snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX &&
            is_program(path))
            return true;
        at += length + (at[length] == ':');
    }
    if (after && snprintf(path, PATH_MAX, "%s/%s", after, name) < PATH_MAX && is_program(path))
        return true;
    *path = 0;
    return false;
}

/* Signals are as they are by default: what this process ignores would stay ignored. But a
 * scheduler's SIGTERM is for this process, which ends the program. */
static void set_signals(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
}

/* Moves what the program keeps to 3 and on, and closes all others. They are out of the way of each other
 * first. */
static bool keep(const int kept[2]) {
    const int count = (kept[0] > 0) + (kept[1] > 0);
    int moved[2];
    for (int i = 0; i < count; i++)
        moved[i] = fcntl(kept[i], F_DUPFD, 10);
    for (int i = 0; i < count; i++)
        if (moved[i] < 0 || dup2(moved[i], 3 + i) < 0)
            return false;
    return close_range(3 + (unsigned)count, ~0U, 0) == 0;
}

/* The words of confine go where the program's errors go, or here where those are dropped. It has
 * no descriptors in the end but these: a file that is open already can be written to from any
 * sandbox. */
static _Noreturn void become(const struct child_program *program) {
    const struct rlimit most = {program->most_bytes, program->most_bytes};
    const int nothing = open("/dev/null", O_RDWR), output = program->output;
    setpgid(0, 0);
    set_signals();
    if (nothing < 0 || dup2(nothing, 0) < 0 || (output >= 0 && dup2(output, 1) < 0) ||
        (output >= 0 && !program->quiet && dup2(output, 2) < 0) ||
        (program->folder && chdir(program->folder) < 0) ||
        (program->locale && setenv("LC_ALL", program->locale, 1) < 0) ||
        (program->scratch && setenv("TMPDIR", program->scratch, 1) < 0))
        _exit(CHILD_NOT_RUN);
    if (program->confine && program->confine(program->scratch) != 0)
        _exit(CHILD_NOT_CONFINED);
    if ((!program->quiet || dup2(nothing, 2) == 2) && keep(program->kept) &&
        (program->most_bytes == 0 || setrlimit(RLIMIT_FSIZE, &most) == 0))
        execv(program->arguments[0], (char *const *)program->arguments);
    _exit(CHILD_NOT_RUN);
}

int child_start(struct child *child, const struct child_program *program) {
    *child = (struct child){.started = clock_seconds()};
    child->pid = fork();
    if (child->pid == 0)
        become(program);
    if (child->pid < 0)
        return error("cannot start %s: %s", program->arguments[0], strerror(errno));
    setpgid(child->pid, child->pid); /* here too, lest the group be killed before it is one */
    child->fate = CHILD_RUNS;
    return 0;
}

int child_end(struct child *child, enum child_fate killed) {
    if (child->fate != CHILD_RUNS)
        return 0;
    child->fate = child_has_ended(child->pid) ? CHILD_ENDED : killed;
    child->seconds = clock_seconds() - child->started;
    kill(-child->pid, SIGKILL); /* with all that it has started */
    while (waitpid(child->pid, &child->status, 0) < 0)
        if (errno != EINTR) {
            child->status = W_EXITCODE(255, 0);
            return error("cannot wait for process %ld: %s", (long)child->pid, strerror(errno));
        }
    return 0;
}

int child_wait(struct child *child, double limit_seconds) {
    while (!child_has_ended(child->pid) && clock_seconds() - child->started < limit_seconds)
        usleep(1000);
    return child_end(child, CHILD_TOO_LONG);
}

int child_run(struct child *child, const struct child_program *program, double limit_seconds) {
    return child_start(child, program) < 0 ? -1 : child_wait(child, limit_seconds);
}

/* All bytes of the file. */
static char *read_all(int file) {
    struct stat is = {0};
    fstat(file, &is);
    char *text = need((size_t)is.st_size + 1, 1);
    return pread(file, text, (size_t)is.st_size, 0) == is.st_size ? text : (free(text), NULL);
}

char *child_output(struct child_program program, double limit_seconds) {
    struct child child;
    char *text = NULL;
    program.output = memfd_create("output", MFD_CLOEXEC);
    if (program.output < 0) {
        error("no memory for what %s prints: %s", program.arguments[0], strerror(errno));
        return NULL;
    }
    if (child_run(&child, &program, limit_seconds) == 0 && child.fate == CHILD_ENDED &&
        child.status == 0)
        text = read_all(program.output);
    close(program.output);
    return text;
}

bool child_has_ended(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* A process that was killed may still end the call it was in, and so put a file into a folder that
 * was just emptied. */
void child_remove_folder(const char *folder) {
    for (int i = 0; i < 10; i++) {
        if (i > 0)
            usleep(10000);
        files_remove_tree(folder);
        if (access(folder, F_OK) < 0 && errno == ENOENT)
            return;
    }
    warning("%s cannot be removed", folder);
}
