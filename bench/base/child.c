#include "bench/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* What confine says is said where the program's errors go, or here where those are dropped. It has
 * three descriptors in the end and no other: a file that is open already can be written to from any
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
    if ((!program->quiet || dup2(nothing, 2) == 2) && close_range(3, ~0U, 0) == 0 &&
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
    struct rusage usage;
    if (child->fate != CHILD_RUNS)
        return 0;
    child->fate = child_has_ended(child->pid) ? CHILD_ENDED : killed;
    child->seconds = clock_seconds() - child->started;
    kill(-child->pid, SIGKILL); /* with all that it has started */
    while (wait4(child->pid, &child->status, 0, &usage) < 0)
        if (errno != EINTR) {
            child->status = W_EXITCODE(255, 0);
            return error("cannot wait for process %ld: %s", (long)child->pid, strerror(errno));
        }
    child->peak_bytes = (double)usage.ru_maxrss * 1024;
    return 0;
}

int child_run(struct child *child, const struct child_program *program, double limit_seconds) {
    if (child_start(child, program) < 0)
        return -1;
    while (!child_has_ended(child->pid) && clock_seconds() - child->started < limit_seconds)
        usleep(1000);
    return child_end(child, CHILD_TOO_LONG);
}

/* One who runs. */
struct slot {
    struct child *child;
    size_t job;
    double bytes;
};

/* A pool at work. */
struct running {
    const struct child_pool *pool;
    struct slot *slots; /* as many as may run at once */
    size_t count;       /* of them are taken: the first */
    double promised;    /* bytes to who runs */
    size_t next;        /* job that was not started yet */
    size_t *again;      /* jobs that start once more, each alone */
    size_t again_count;
    bool alone; /* who runs is to be alone */
};

static bool is_stopped(const struct child_pool *pool) {
    return pool->stop && *pool->stop;
}

/* Whether a job is to be started now. */
static bool may_start(const struct running *all, size_t *job, double *bytes) {
    const struct child_pool *pool = all->pool;
    if (all->alone || (all->count > 0 && all->count >= pool->most))
        return false;
    if (all->again_count > 0) {
        *job = all->again[all->again_count - 1];
        *bytes = 0;
        return all->count == 0;
    }
    if (all->next == pool->count)
        return false;
    *job = all->next;
    *bytes = pool->needs ? pool->needs(pool->context, all->next) : 0;
    return all->count == 0 || all->promised + *bytes <= pool->memory;
}

static int start_job(struct running *all, size_t job, double bytes) {
    struct child *child = NULL;
    if (all->again_count > 0) {
        all->again_count--;
        all->alone = true;
    } else {
        all->next++;
    }
    const int status = all->pool->start(all->pool->context, job, &child);
    if (status == 0 && child) {
        all->slots[all->count++] = (struct slot){child, job, bytes};
        all->promised += bytes;
    } else {
        all->alone = false;
    }
    return status;
}

/* Ends who is in a slot, and gives the slot back. */
static int end_slot(struct running *all, size_t at, enum child_fate killed) {
    const struct slot slot = all->slots[at];
    const int waited = child_end(slot.child, killed);
    const int status = all->pool->end(all->pool->context, slot.job);
    all->slots[at] = all->slots[--all->count];
    all->promised = all->count > 0 ? all->promised - slot.bytes : 0;
    all->alone = false;
    if (status == CHILD_AGAIN)
        all->again[all->again_count++] = slot.job;
    return waited < 0 || status < 0 ? -1 : 0;
}

/* Starts and ends what is to be. Returns what it did, or -1. */
static int step(struct running *all) {
    const struct child_pool *pool = all->pool;
    size_t job = 0;
    double bytes = 0;
    if (may_start(all, &job, &bytes))
        return start_job(all, job, bytes) < 0 ? -1 : 1;
    for (size_t i = 0; i < all->count; i++) {
        const struct child *child = all->slots[i].child;
        if (child->fate != CHILD_RUNS || child_has_ended(child->pid) ||
            clock_seconds() - child->started > pool->limit_seconds)
            return end_slot(all, i, CHILD_TOO_LONG) < 0 ? -1 : 1;
    }
    return 0;
}

int child_pool_run(const struct child_pool *pool) {
    struct running all = {.pool = pool,
                          .slots = need(pool->most + 1, sizeof *all.slots),
                          .again = need(pool->count, sizeof *all.again)};
    int status = 0;
    while (status == 0 && !is_stopped(pool) &&
           (all.next < pool->count || all.again_count > 0 || all.count > 0)) {
        const int did = step(&all);
        status = did < 0 ? -1 : 0;
        if (did == 0)
            usleep(10000);
    }
    if (status == 0 && (all.next < pool->count || all.again_count > 0 || all.count > 0))
        status = 1;
    while (all.count > 0)
        if (end_slot(&all, all.count - 1, CHILD_STOPPED) < 0)
            status = -1;
    free(all.slots);
    free(all.again);
    return status;
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
