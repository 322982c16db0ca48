#include "bench/run/examine.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/checks/finalists.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit.h"
#include "bench/process/interrupt.h"

/* So many units are ranked and checked before the next ones are: what is checked is in the
 * folder. */
#define WAVE 64
#define MOST_JOBS 4

/* A runner that a job has open while another unit is checked. */
#define WARM_RUNNERS 2

/* What is told is heard, and an interrupt seen, so many microseconds later. */
#define LOOK_US 20000

/* What a job tells of a unit, in memory that it shares with the judge. */
struct told {
    atomic_bool checked; /* all else is there, and is not heard yet */
    bool ended, refused, unfit;
    char summary[RUNDIR_TEXT], sandbox[WIRE_TEXT], no_recorder[WIRE_TEXT];
};

/* In that memory. */
struct shared {
    atomic_size_t taken; /* of a wave's shapes, by all jobs */
    struct told told[WAVE];
};

struct wave {
    struct device_session *session;
    const struct work_list *list;
    struct progress *progress;
    bool *ended;
    size_t first, count; /* of the list's items */
    double heard_at;
    pid_t jobs[MOST_JOBS]; /* 0: it has ended */
    int job_count;
    size_t shapes[WAVE]; /* the first item of each, the largest shape first */
    size_t shape_count;
    struct shared *shared;
};

static const struct unit *unit_at(const struct wave *wave, size_t i) {
    return &wave->list->units[wave->list->items[wave->first + i].unit];
}

static double work_of(const struct wave *wave, size_t i) {
    return shape_flops(unit_at(wave, i)->shape);
}

/* Jobs take the largest shapes first, which take longest: so they end at about the same time. */
static void order_shapes(struct wave *wave) {
    for (size_t i = 0; i < wave->count; i++) {
        size_t at = wave->shape_count;
        if (i > 0 && shape_compare(unit_at(wave, i)->shape, unit_at(wave, i - 1)->shape) == 0)
            continue;
        for (; at > 0 && work_of(wave, wave->shapes[at - 1]) < work_of(wave, i); at--)
            wave->shapes[at] = wave->shapes[at - 1];
        wave->shapes[at] = i;
        wave->shape_count++;
    }
}

/* Checks and stores a unit, and tells. 0, or -1 after error(). */
static int check_unit(const struct wave *wave, size_t item) {
    struct device_session *session = wave->session;
    const struct unit *unit = unit_at(wave, item);
    struct told *told = &wave->shared->told[item];
    struct unit_result result = {0};
    const int status = unit_run(session, unit, 0, &result, &told->ended);
    told->refused = told->ended && progress_summary(unit, &result.rows, told->summary);
    told->unfit = session->unfit;
    memcpy(told->sandbox, session->sandbox, sizeof told->sandbox);
    memcpy(told->no_recorder, session->no_recorder, sizeof told->no_recorder);
    unit_result_free(&result);
    told->checked = true;
    return status;
}

/* The job's process: a judge with processes of its own. The units of one shape are one job's, so
 * that its libraries are checked once. */
static void work(const struct wave *wave, pid_t judge) {
    struct device_session *session = wave->session;
    int status = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge)
        _exit(EXIT_TROUBLE);
    session->warm = (struct warm_runners){.most = session->side_by_side > 1 ? WARM_RUNNERS : 0};
    for (size_t next; status == 0 && (next = wave->shared->taken++) < wave->shape_count;) {
        size_t i = wave->shapes[next];
        const struct shape shape = unit_at(wave, i)->shape;
        session->visits_ahead = wave->shape_count - next - 1;
        for (; status == 0 && i < wave->count && shape_compare(unit_at(wave, i)->shape, shape) == 0;
             i++)
            status = check_unit(wave, i);
    }
    processes_end(session);
    _exit(status == 0 ? EXIT_PASS : EXIT_TROUBLE);
}

/* 0, or -1 after error(). */
static int start(struct wave *wave, int number) {
    const pid_t judge = getpid();
    team_end();
    const pid_t pid = fork();
    if (pid == 0)
        work(wave, judge);
    wave->jobs[number] = pid > 0 ? pid : 0;
    return pid > 0 ? 0 : error("a process for checks: %s", strerror(errno));
}

/* Where the job has ended it is gone. 0, or -1 where it has not ended well. */
static int look_after(pid_t *job) {
    int status = 0;
    if (*job == 0 || waitpid(*job, &status, WNOHANG) == 0)
        return 0;
    *job = 0;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == EXIT_PASS ? 0 : -1;
    return error("a process that made checks was killed by signal %d (%s): is there memory?",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static void hear(struct wave *wave, size_t item) {
    struct device_session *session = wave->session;
    const struct told *told = &wave->shared->told[item];
    const double seconds = clock_seconds() - wave->heard_at;
    char id[UNIT_ID];
    session->unfit |= told->unfit;
    if (*told->no_recorder)
        memcpy(session->no_recorder, told->no_recorder, sizeof told->no_recorder);
    if (*told->sandbox)
        memcpy(session->sandbox, told->sandbox, sizeof told->sandbox);
    wave->ended[wave->list->items[wave->first + item].unit] = told->ended;
    progress_step(wave->progress,
                  &(struct progress_turn){.unit = unit_id(unit_at(wave, item), id),
                                          .result = told->ended ? told->summary : "checked",
                                          .visit = WORK_CHECKS,
                                          .ended = told->ended,
                                          .refused = told->refused,
                                          .seconds = seconds});
    wave->heard_at += seconds;
}

static void hear_all(struct wave *wave) {
    for (size_t i = 0; i < wave->count; i++)
        if (atomic_exchange(&wave->shared->told[i].checked, false))
            hear(wave, i);
}

/* Until all jobs have ended. 0, or -1 after error(). */
static int wait_for_jobs(struct wave *wave) {
    int status = 0;
    for (bool works = true; works && status == 0;) {
        usleep(LOOK_US);
        works = false;
        if (interrupted)
            return error("interrupted");
        for (int i = 0; i < wave->job_count && status == 0; i++) {
            status = look_after(&wave->jobs[i]);
            works |= wave->jobs[i] != 0;
        }
        hear_all(wave);
    }
    return status;
}

static void stop(struct wave *wave) {
    for (int i = 0; i < wave->job_count; i++)
        if (wave->jobs[i] != 0) {
            kill(wave->jobs[i], SIGKILL);
            while (waitpid(wave->jobs[i], NULL, 0) < 0 && errno == EINTR)
                ;
        }
}

/* On a host the processes would take the processor from each other. */
static int jobs_of(const struct device_session *session) {
    const int cores = cores_allowed(), most = session->side_by_side;
    const int jobs = cores < MOST_JOBS ? cores : MOST_JOBS;
    return plan_on_host(session->plan) || session->plan->memcheck || most < 1 ? 1
           : most < jobs                                                      ? most
                                                                              : jobs;
}

static int examine_wave(struct wave *wave) {
    const struct unit *units[WAVE];
    for (size_t i = 0; i < wave->count; i++)
        units[i] = unit_at(wave, i);
    if (finalists_rank(wave->session, units, wave->count) < 0)
        return -1;
    order_shapes(wave);
    wave->shared =
        mmap(NULL, sizeof *wave->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (wave->shared == MAP_FAILED)
        return error("no memory for checks: %s", strerror(errno));
    wave->job_count = jobs_of(wave->session);
    wave->heard_at = clock_seconds();
    int status = 0;
    for (int i = 0; i < wave->job_count && status == 0; i++)
        status = start(wave, i);
    if (status == 0)
        status = wait_for_jobs(wave);
    stop(wave);
    munmap(wave->shared, sizeof *wave->shared);
    return status;
}

int examine(struct device_session *session, const struct work_list *list, struct progress *progress,
            bool *ended) {
    int status = 0;
    for (size_t first = 0; first < list->checks && status == 0; first += WAVE) {
        const size_t left = list->checks - first;
        struct wave wave = {.session = session,
                            .list = list,
                            .progress = progress,
                            .ended = ended,
                            .first = first,
                            .count = left < WAVE ? left : WAVE};
        progress_unit(progress, "several", WORK_CHECKS);
        status = examine_wave(&wave);
    }
    return status;
}
