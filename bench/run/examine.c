#include "bench/run/examine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/checks/finalists.h"
#include "bench/process/interrupt.h"
#include "bench/unit/unit.h"

/* So many units are ranked and checked before the next ones are: what is checked is in the folder. */
#define WAVE 64
#define MOST_JOBS 4

/* A runner that a job has open while another unit is checked. */
#define WARM_RUNNERS 2

/* What a job tells of a unit that it has checked. */
struct told {
    size_t unit;
    bool ended, refused, unfit;
    char summary[RUNDIR_TEXT], sandbox[WIRE_TEXT], no_recorder[WIRE_TEXT];
};

struct job {
    pid_t pid;
    int pipe; /* of struct told; -1: it has ended */
};

struct wave {
    struct device_session *session;
    const struct work_list *list;
    struct progress *progress;
    bool *ended;
    size_t first, count; /* of the list's items */
    struct job jobs[MOST_JOBS];
    int job_count;
};

static const struct unit *unit_at(const struct wave *wave, size_t item) {
    return &wave->list->units[wave->list->items[item].unit];
}

/* The units of one shape are one job's, so that its libraries are checked once. */
static bool is_of(const struct wave *wave, size_t item, int job) {
    size_t shapes = 0;
    for (size_t i = wave->first + 1; i <= item; i++)
        shapes += shape_compare(unit_at(wave, i)->shape, unit_at(wave, i - 1)->shape) != 0;
    return (int)(shapes % (size_t)wave->job_count) == job;
}

/* Checks and stores a unit, and tells. 0, or -1 after error(). */
static int check_unit(const struct wave *wave, size_t item, int pipe) {
    struct device_session *session = wave->session;
    const struct unit *unit = unit_at(wave, item);
    struct told told = {.unit = wave->list->items[item].unit};
    struct unit_result result = {0};
    const int status = unit_run(session, unit, 0, &result, &told.ended);
    told.refused = told.ended && progress_summary(unit, &result.rows, told.summary);
    told.unfit = session->unfit;
    memcpy(told.sandbox, session->sandbox, sizeof told.sandbox);
    memcpy(told.no_recorder, session->no_recorder, sizeof told.no_recorder);
    unit_result_free(&result);
    return write(pipe, &told, sizeof told) == (ssize_t)sizeof told ? status : -1;
}

/* The job's process: a judge with processes of its own. */
static void work(struct wave *wave, int number, pid_t judge, int pipe) {
    struct device_session *session = wave->session;
    int status = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge)
        _exit(EXIT_TROUBLE);
    const size_t end = wave->first + wave->count;
    session->warm = (struct warm_runners){.most = session->side_by_side > 1 ? WARM_RUNNERS : 0};
    for (size_t i = wave->first; i < end; i++)
        session->visits_ahead += is_of(wave, i, number);
    for (size_t i = wave->first; i < end && status == 0; i++) {
        if (!is_of(wave, i, number))
            continue;
        session->visits_ahead--;
        status = check_unit(wave, i, pipe);
    }
    device_session_end_processes(session);
    _exit(status == 0 ? EXIT_PASS : EXIT_TROUBLE);
}

/* 0, or -1 after error(). */
static int start(struct wave *wave, int number) {
    struct job *job = &wave->jobs[number];
    const pid_t judge = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return error("a pipe for checks: %s", strerror(errno));
    team_end();
    job->pid = fork();
    if (job->pid == 0) {
        close(ends[0]);
        work(wave, number, judge, ends[1]);
    }
    close(ends[1]);
    job->pipe = ends[0];
    if (job->pid > 0)
        return 0;
    close(job->pipe);
    job->pipe = -1;
    return error("a process for checks: %s", strerror(errno));
}

/* The job has closed its pipe. */
static int bury(struct job *job) {
    int status = 0;
    close(job->pipe);
    job->pipe = -1;
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == EXIT_PASS ? 0 : -1;
    return error("a process that made checks was killed by signal %d (%s): is there memory?",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static void hear(struct wave *wave, const struct told *told, double seconds) {
    struct device_session *session = wave->session;
    char id[UNIT_ID];
    session->unfit |= told->unfit;
    if (*told->no_recorder)
        memcpy(session->no_recorder, told->no_recorder, sizeof told->no_recorder);
    if (*told->sandbox)
        memcpy(session->sandbox, told->sandbox, sizeof told->sandbox);
    wave->ended[told->unit] = told->ended;
    progress_step(wave->progress,
                  &(struct progress_turn){.unit = unit_id(&wave->list->units[told->unit], id),
                                          .result = told->ended ? told->summary : "checked",
                                          .visit = WORK_CHECKS,
                                          .ended = told->ended,
                                          .refused = told->refused,
                                          .seconds = seconds});
}

/* What the job has written. 1: it goes on; 0: it has ended well; -1: it has not. */
static int listen(struct wave *wave, struct job *job, double *told_at) {
    struct told told;
    size_t have = 0;
    ssize_t n = 1;
    while (have < sizeof told && n != 0) {
        n = read(job->pipe, (char *)&told + have, sizeof told - have);
        if (n < 0 && errno != EINTR)
            break;
        have += n > 0 ? (size_t)n : 0;
    }
    if (have < sizeof told)
        return bury(job);
    hear(wave, &told, clock_seconds() - *told_at);
    *told_at = clock_seconds();
    return 1;
}

static void stop(struct wave *wave) {
    for (int i = 0; i < wave->job_count; i++)
        if (wave->jobs[i].pipe >= 0) {
            kill(wave->jobs[i].pid, SIGKILL);
            close(wave->jobs[i].pipe);
            while (waitpid(wave->jobs[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
        }
}

/* An interrupt that comes while nothing is polled is seen so many milliseconds later. */
#define LOOK_MS 250

/* Until all jobs have ended. 0, or -1 after error(). */
static int wait_for_jobs(struct wave *wave) {
    double told_at = clock_seconds();
    for (int left = wave->job_count; left > 0;) {
        struct pollfd polled[MOST_JOBS];
        for (int i = 0; i < wave->job_count; i++)
            polled[i] = (struct pollfd){.fd = wave->jobs[i].pipe, .events = POLLIN};
        if (poll(polled, (nfds_t)wave->job_count, LOOK_MS) < 0 && errno != EINTR)
            return error("poll: %s", strerror(errno));
        if (interrupted)
            return error("interrupted");
        for (int i = 0; i < wave->job_count; i++) {
            const int goes_on = polled[i].revents ? listen(wave, &wave->jobs[i], &told_at) : 1;
            if (goes_on < 0)
                return -1;
            left -= goes_on == 0;
        }
    }
    return 0;
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
        units[i] = unit_at(wave, wave->first + i);
    if (finalists_rank(wave->session, units, wave->count) < 0)
        return -1;
    wave->job_count = jobs_of(wave->session);
    for (int i = 0; i < wave->job_count; i++)
        wave->jobs[i].pipe = -1;
    int status = 0;
    for (int i = 0; i < wave->job_count && status == 0; i++)
        status = start(wave, i);
    if (status == 0)
        status = wait_for_jobs(wave);
    stop(wave);
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
