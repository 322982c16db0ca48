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
#include <time.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/process/interrupt.h"
#include "bench/run/worker_cores.h"

_Static_assert(sizeof(struct worker_done) <= 4096, "a pipe takes a message whole (PIPE_BUF)");

#define WAITS 2000 /* ten seconds: a round is rarely longer, and a device may be gone for good */
#define WAIT_NANOSECONDS 5000000

/* Shared by the processes. */
struct queue {
    struct turns turns;
    atomic_int stop;
};

struct worker {
    const struct workers *workers;
    struct queue *queue;
    size_t number;
    int out; /* a pipe to the caller's process; -1: this is the caller's process */
};

bool worker_take(struct worker *worker, struct work_item *item) {
    const struct timespec moment = {.tv_nsec = WAIT_NANOSECONDS};
    struct turns turns = worker->queue->turns;
    enum turn_taken taken = TURN_LATER;
    for (int waits = 0; taken == TURN_LATER; waits++) {
        if (atomic_load(&worker->queue->stop) || (worker->out >= 0 && interrupted))
            return false;
        taken = turns_take(&turns, worker->number, waits >= WAITS, item);
        if (taken == TURN_LATER)
            nanosleep(&moment, NULL);
    }
    return taken == TURN_TAKEN;
}

size_t worker_ahead(struct worker *worker) {
    struct turns turns = worker->queue->turns;
    const size_t workers = worker->workers->count;
    return (turns_waiting(&turns) + workers - 1) / workers;
}

int worker_tell(struct worker *worker, const struct worker_done *done) {
    struct turns turns = worker->queue->turns;
    if (done->status < 0)
        atomic_store(&worker->queue->stop, 1);
    else
        turns_give(&turns, worker->number, &done->item, done->ended);
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

/* Hands on what the workers tell until all have ended. An interrupt is for them, too. */
static void listen(const struct workers *workers, const pid_t *pids, int in) {
    struct worker_done done;
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
            return;
        workers->report(workers->context, &done);
    }
}

static int open_turns(const struct workers *workers, struct turns *turns) {
    return turns_open(turns, workers->items, workers->item_count, workers->units, workers->moves);
}

static int run_here(const struct workers *workers) {
    struct queue queue = {0};
    struct worker worker = {.workers = workers, .queue = &queue, .out = -1};
    if (open_turns(workers, &queue.turns) < 0)
        return -1;
    const int status = workers->work(workers->context, 0, &worker);
    turns_close(&queue.turns);
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
    pid_t *pids = need(workers->count, sizeof *pids);
    if (queue == MAP_FAILED || pipe(ends) < 0) {
        free(pids);
        return error("no memory or pipe for %zu workers", workers->count);
    }
    if (open_turns(workers, &queue->turns) < 0) {
        free(pids);
        return -1;
    }
    for (size_t w = 0; w < workers->count && status == 0; w++) {
        fflush(NULL);
        if ((pids[w] = fork()) == 0) {
            close(ends[0]);
            be_worker(w, &(struct worker){
                             .workers = workers, .queue = queue, .number = w, .out = ends[1]});
        }
        if (pids[w] < 0) {
            status = error("no process for worker %zu: %s", w, strerror(errno));
            atomic_store(&queue->stop, 1);
        }
    }
    close(ends[1]);
    listen(workers, pids, ends[0]);
    close(ends[0]);
    if (end_all(workers, pids) < 0)
        status = -1;
    if (status == 0 && !turns_are_done(&queue->turns))
        status = interrupted ? error("interrupted") : -1;
    turns_close(&queue->turns);
    munmap(queue, sizeof *queue);
    free(pids);
    return status;
}
