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

struct worker {
    const struct workers *workers;
    struct queue *queue;
    int out; /* a pipe to the caller's process; -1: this is the caller's process */
};

bool worker_take(struct worker *worker, size_t *item) {
    if (atomic_load(&worker->queue->stop) || (worker->out >= 0 && interrupted))
        return false;
    const size_t at = atomic_fetch_add(&worker->queue->next, 1);
    if (at < worker->workers->item_count)
        *item = worker->workers->items[at];
    return at < worker->workers->item_count;
}

int worker_tell(struct worker *worker, const struct worker_done *done) {
    if (done->status < 0)
        atomic_store(&worker->queue->stop, 1);
    if (worker->out >= 0)
        return write(worker->out, done, sizeof *done) == sizeof *done ? 0 : -1;
    worker->workers->report(worker->workers->context, done);
    return 0;
}

/* Keeps the process on its share of the processors it may use. */
static void take_cores(const struct workers *workers, size_t number) {
    cpu_set_t all, mine;
    if (sched_getaffinity(0, sizeof all, &all) < 0)
        return;
    worker_cores_of("/sys", &all, workers->pci, workers->count, number, &mine);
    if (CPU_COUNT(&mine) == 0 || sched_setaffinity(0, sizeof mine, &mine) < 0)
        return;
    cores_use(CPU_COUNT(&mine));
}

static _Noreturn void be_worker(size_t number, struct worker *worker) {
    const struct workers *workers = worker->workers;
    take_cores(workers, number);
    const int status = workers->work(workers->context, number, worker);
    if (status < 0)
        atomic_store(&worker->queue->stop, 1);
    _exit(status < 0 ? EXIT_TROUBLE : EXIT_PASS);
}

/* Hands on what the workers tell until all have ended. An interrupt is for them, too. Returns the
 * items done. */
static size_t listen(const struct workers *workers, const pid_t *pids, int in) {
    struct worker_done done;
    size_t count = 0;
    bool told = false;
    for (;;) {
        const ssize_t size = read(in, &done, sizeof done);
        if (interrupted && !told)
            for (size_t w = 0; w < workers->count; w++) /* one that could not be forked is -1 */
                if (pids[w] > 0)
                    kill(pids[w], SIGTERM);
        told |= interrupted != 0;
        if (size < 0 && errno == EINTR)
            continue;
        if (size != sizeof done)
            return count;
        workers->report(workers->context, &done);
        count += done.status == 0;
    }
}

static int run_here(const struct workers *workers) {
    struct queue queue = {0};
    struct worker worker = {.workers = workers, .queue = &queue, .out = -1};
    const int status = workers->work(workers->context, 0, &worker);
    return status < 0 || atomic_load(&queue.stop) ? -1 : 0;
}

/* Waits for all that have been forked. 0, or -1 where one has failed. */
static int end_all(const struct workers *workers, const pid_t *pids) {
    int status = 0;
    for (size_t w = 0; w < workers->count && pids[w] > 0; w++) {
        int ended = 0;
        while (waitpid(pids[w], &ended, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(ended))
            status = error("worker %zu was killed by signal %d", w, WTERMSIG(ended));
        else if (ended != 0)
            status = -1;
    }
    return status;
}

int workers_run(const struct workers *workers) {
    if (workers->count == 1)
        return run_here(workers);
    int ends[2], status = 0;
    struct queue *queue =
        mmap(NULL, sizeof *queue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *pids = calloc(workers->count, sizeof *pids);
    if (queue == MAP_FAILED || !pids || pipe(ends) < 0) {
        free(pids);
        return error("no memory or pipe for %zu workers", workers->count);
    }
    for (size_t w = 0; w < workers->count && status == 0; w++) {
        fflush(NULL);
        if ((pids[w] = fork()) == 0) {
            close(ends[0]);
            be_worker(w, &(struct worker){.workers = workers, .queue = queue, .out = ends[1]});
        }
        if (pids[w] < 0) {
            status = error("no process for worker %zu: %s", w, strerror(errno));
            atomic_store(&queue->stop, 1);
        }
    }
    close(ends[1]);
    const size_t count = listen(workers, pids, ends[0]);
    close(ends[0]);
    if (end_all(workers, pids) < 0)
        status = -1;
    if (status == 0 && count < workers->item_count)
        status = interrupted ? error("interrupted") : -1;
    munmap(queue, sizeof *queue);
    free(pids);
    return status;
}
