#include "bench/run/workers.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/process/interrupt.h"
#include "bench/run/worker_cores.h"

_Static_assert(sizeof(struct worker_done) <= 4096, "a pipe takes a message whole (PIPE_BUF)");

/* Shared by the processes. */
struct queue {
    atomic_size_t next;
    atomic_int stop;
};

/* Keeps the process on its share of the processors it may use. */
static void take_cores(const struct workers *fleet, size_t worker) {
    cpu_set_t all, mine;
    if (sched_getaffinity(0, sizeof all, &all) < 0)
        return;
    worker_cores_of("/sys", &all, fleet->pci, fleet->workers, worker, &mine);
    if (CPU_COUNT(&mine) == 0 || sched_setaffinity(0, sizeof mine, &mine) < 0)
        return;
    cores_use(CPU_COUNT(&mine));
}

/* The next item, or false when there is none, or the work is to stop. */
static bool take_item(const struct workers *fleet, struct queue *queue, size_t *item) {
    if (interrupted || atomic_load(&queue->stop))
        return false;
    const size_t at = atomic_fetch_add(&queue->next, 1);
    if (at < fleet->count)
        *item = fleet->items[at];
    return at < fleet->count;
}

static _Noreturn void work(const struct workers *fleet, size_t worker, struct queue *queue,
                           int out) {
    struct worker_done done = {.worker = worker};
    take_cores(fleet, worker);
    if (fleet->start(fleet->context, worker) < 0) {
        atomic_store(&queue->stop, 1);
        _exit(EXIT_TROUBLE);
    }
    while (take_item(fleet, queue, &done.item)) {
        fleet->carry_out(fleet->context, &done);
        if (done.status < 0)
            atomic_store(&queue->stop, 1);
        if (write(out, &done, sizeof done) != sizeof done)
            _exit(EXIT_TROUBLE);
    }
    _exit(EXIT_PASS);
}

/* Hands on what the workers tell until all have ended. An interrupt is for them, too. Returns the
 * items done. */
static size_t listen(const struct workers *fleet, const pid_t *pids, int in) {
    struct worker_done done;
    size_t count = 0;
    bool told = false;
    for (;;) {
        const ssize_t size = read(in, &done, sizeof done);
        if (interrupted && !told)
            for (size_t w = 0; w < fleet->workers; w++) /* one that could not be forked is -1 */
                if (pids[w] > 0)
                    kill(pids[w], SIGTERM);
        told |= interrupted != 0;
        if (size < 0 && errno == EINTR)
            continue;
        if (size != sizeof done)
            return count;
        fleet->report(fleet->context, &done);
        count += done.status == 0;
    }
}

static int run_here(const struct workers *fleet) {
    struct worker_done done = {0};
    if (fleet->start(fleet->context, 0) < 0)
        return -1;
    for (size_t i = 0; i < fleet->count && done.status == 0; i++) {
        done.item = fleet->items[i];
        fleet->carry_out(fleet->context, &done);
        fleet->report(fleet->context, &done);
    }
    return done.status;
}

int workers_run(const struct workers *fleet) {
    if (fleet->workers == 1)
        return run_here(fleet);
    int ends[2], status = 0;
    struct queue *queue =
        mmap(NULL, sizeof *queue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *pids = calloc(fleet->workers, sizeof *pids);
    if (queue == MAP_FAILED || !pids || pipe(ends) < 0) {
        free(pids);
        return error("no memory or pipe for %zu workers", fleet->workers);
    }
    for (size_t w = 0; w < fleet->workers && status == 0; w++) {
        fflush(NULL);
        if ((pids[w] = fork()) == 0) {
            close(ends[0]);
            work(fleet, w, queue, ends[1]);
        }
        if (pids[w] < 0) {
            status = error("no process for worker %zu: %s", w, strerror(errno));
            atomic_store(&queue->stop, 1);
        }
    }
    close(ends[1]);
    const size_t count = listen(fleet, pids, ends[0]);
    close(ends[0]);
    for (size_t w = 0; w < fleet->workers && pids[w] > 0; w++) {
        int ended = 0;
        while (waitpid(pids[w], &ended, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(ended))
            status = error("worker %zu was killed by signal %d", w, WTERMSIG(ended));
        else if (ended != 0)
            status = -1;
    }
    if (status == 0 && count < fleet->count)
        status = interrupted ? error("interrupted") : -1;
    munmap(queue, sizeof *queue);
    free(pids);
    return status;
}
