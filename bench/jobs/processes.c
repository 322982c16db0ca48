#include "bench/jobs/processes.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/record/recording.h"

#define SHARED_BYTES ((size_t)4 << 20) /* at least */
#define WARM_AHEAD 4                   /* runners of a kind that start at once */

/* 86 is RUNNER_MEMCHECK_FOUND. */
static const char *const memcheck[] = {
    "compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "86",
    "--print-limit",     "1",      NULL};

/* What a runner of the kind shares with the judge: C or a reference product, of whichever unit it
 * will serve, and samples or recordings. Only what is written to takes memory. */
static size_t shared_bytes(const struct unit_context *context, enum runner_kind kind) {
    const bool records = kind == RUNNER_PLAYER || kind == RUNNER_RECORDER;
    const size_t least = records ? RECORDING_MOST_BYTES : SHARED_BYTES;
    const struct shape s = context->unit->shape;
    const size_t own = (size_t)s.m * (size_t)s.n * sizeof(float);
    const size_t largest = suite_largest_product(&context->plan->suite) * sizeof(float);
    const size_t product = largest > own ? largest : own;
    return product > least ? product : least;
}

static struct wire_open how_to_open(const struct unit_context *context, enum runner_kind kind) {
    const struct device_session *session = context->session;
    const struct plan *plan = context->plan;
    const bool records = kind == RUNNER_RECORDER, plays = kind == RUNNER_PLAYER;
    struct wire_open open = {
        .ordinal = session->ordinal,
        .element = plan->element,
        .alone = session->alone,
        .rehearse = plays,
        .fixed = records || plays,
        .record = records,
    };
    snprintf(open.device_kind, sizeof open.device_kind, "%s", context->plan->device_kind);
    return open;
}

/* Runners of the kind that will be needed. A recorder serves one kernel, an own process one kernel
 * in a visit, a stage all units in a visit. */
static size_t wanted_of(const struct unit_context *context, enum runner_kind kind) {
    const struct unit *unit = context->unit;
    const size_t kernels = (unit->candidate != NULL) + (unit->previous != NULL);
    const size_t every = (size_t)plan_anew_every(context->plan);
    const size_t ahead = context->session->visits_ahead;
    switch (kind) {
    case RUNNER_RECORDER:
        return kernels > 0 && !plan_on_host(context->plan) ? kernels + (ahead > 0) : 0;
    case RUNNER_PLAYER:
        return (size_t)(context->plan->visits - context->visit);
    default:
        return (ahead + every - 1) / every * (kernels > 1 ? 2 : 1);
    }
}

/* Nothing can be timed while runners start, and several start side by side in little more time than
 * one. On the host they would take the processor from each other. */
int unit_warm(const struct unit_context *context, enum runner_kind kind) {
    struct warm_runners *warm = &context->session->warm;
    struct wire_open open = how_to_open(context, kind);
    const bool host = plan_on_host(context->plan);
    const size_t wanted = wanted_of(context, kind), most = host ? 1 : WARM_AHEAD;
    /* A host's library is ready at once, and its threads would go on spinning. */
    open.rehearse |= kind == RUNNER_PLAIN && !host;
    if (kind != RUNNER_RECORDER && warm_runners_count(warm, (int)kind) > 0)
        return 0;
    return warm_runners_fill(warm, (int)kind, &open, wanted < most ? wanted : most,
                             shared_bytes(context, kind));
}

void unit_drop_runner(struct unit_context *context, struct runner_process *process) {
    struct runner_process *leaving = &context->session->leaving;
    process_kill(process);
    process_end(leaving);
    *leaving = *process;
    *process = PROCESS_NONE;
}

bool processes_are_settled(struct device_session *session) {
    if (!process_has_ended(&session->leaving))
        return false;
    process_end(&session->leaving);
    return warm_runners_are_settled(&session->warm);
}

void processes_settle(struct device_session *session) {
    warm_runners_settle(&session->warm);
    process_end(&session->leaving);
}

/* Whether a kernel of the unit reads the C that it is to write. */
static bool reads_c(const struct unit *unit) {
    const struct candidate *const kernels[] = {unit->candidate, unit->previous};
    for (int i = 0; i < 2; i++)
        if (kernels[i] && kernels[i]->call && kernels[i]->call->reads_c)
            return true;
    return false;
}

static enum process_answer take_shape(const struct unit_context *context,
                                      struct runner_process *process, double seconds,
                                      struct wire_reply *reply, int *code) {
    const struct wire_request request =
        wire_shape_request((struct wire_shape){.shape = context->unit->shape,
                                               .accumulate = context->plan->accumulate,
                                               .workspace_bytes = context->plan->workspace_bytes,
                                               .finite_c = reads_c(context->unit),
                                               .inputs = (int32_t)context->plan->inputs});
    return process_ask(process, &request, seconds, reply, code);
}

int unit_take_shape(const struct unit_context *context, struct runner_process *process) {
    static struct wire_reply reply;
    const double seconds = context->plan->setup_timeout_seconds; /* a kernel may be taken down */
    int code = 0;
    return take_shape(context, process, seconds, &reply, &code) == PROCESS_ANSWERED &&
                   reply.status == 0
               ? 0
               : -1;
}

/* PROCESS_ANSWERED with the reply of the last request, whatever its status, or how it ended. */
static enum process_answer try_fresh(const struct unit_context *context,
                                     struct runner_process *process, enum runner_kind kind,
                                     const char *const *program, struct wire_reply *reply,
                                     int *code) {
    const struct wire_request open = wire_open_request(how_to_open(context, kind));
    process_end(&context->session->leaving); /* a GPU may take one process at a time */
    if (process_start_under(process, shared_bytes(context, kind), program) < 0)
        return PROCESS_TROUBLE;
    const enum process_answer answer =
        process_ask(process, &open, WARM_RUNNERS_OPEN_SECONDS, reply, code);
    return answer == PROCESS_ANSWERED && reply->status == 0
               ? take_shape(context, process, WARM_RUNNERS_OPEN_SECONDS, reply, code)
               : answer;
}

static enum process_answer try_runner(const struct unit_context *context,
                                      struct runner_process *process, enum runner_kind kind,
                                      struct wire_reply *reply, int *code) {
    const size_t bytes = shared_bytes(context, kind);
    if (warm_runners_take(&context->session->warm, (int)kind, bytes, process)) {
        if (take_shape(context, process, WARM_RUNNERS_OPEN_SECONDS, reply, code) ==
                PROCESS_ANSWERED &&
            reply->status == 0)
            return PROCESS_ANSWERED;
        process_end(process); /* a fresh one will do better, or tell why not */
    }
    return try_fresh(context, process, kind, NULL, reply, code);
}

/* Without the kind of process nothing can be timed on the stage. */
static int refuse_kind(const struct unit_context *context, enum runner_kind kind, const char *why) {
    if (kind == RUNNER_RECORDER && !plan_is_staged(context->plan))
        return 1;
    context->session->unfit = true;
    return error("no process can be had that %s: %s; --lens call does without",
                 kind == RUNNER_RECORDER ? "records a kernel's calls" : "carries out recordings",
                 why);
}

int unit_open(const struct unit_context *context, enum runner_kind kind,
              struct runner_process *process) {
    static struct wire_reply reply;
    char said[WIRE_TEXT], *why = kind == RUNNER_RECORDER ? context->session->no_recorder : said;
    int code = 0;
    if (kind == RUNNER_RECORDER && *why)
        return refuse_kind(context, kind, why);
    const enum process_answer answer =
        kind == RUNNER_MEMCHECK ? try_fresh(context, process, kind, memcheck, &reply, &code)
                                : try_runner(context, process, kind, &reply, &code);
    const bool answered = answer == PROCESS_ANSWERED;
    if (answer == PROCESS_TROUBLE)
        return -1;
    if (answered && reply.status == 0)
        return 0;
    if (kind == RUNNER_PLAIN || kind == RUNNER_MEMCHECK)
        return answered ? error("%s: %s", reply.text, process->printed)
                        : error("the runner died (%d) while opening the device: %s", code,
                                process->printed);
    snprintf(why, WIRE_TEXT, "%.400s", answered ? reply.text : process->printed);
    clean_text(why);
    process_end(process);
    return refuse_kind(context, kind, why);
}

int unit_open_runner(struct unit_context *context) {
    const double start = clock_seconds();
    const int status = unit_open(context, RUNNER_PLAIN, &context->process);
    context->start_seconds += clock_seconds() - start;
    return status;
}

_Static_assert(sizeof((struct device_session *)0)->own / sizeof(struct shared_process) ==
                   OWN_PROCESS_LIBRARIES + 1,
               "one a set");

bool own_process_records(const struct unit_context *context, int set) {
    const bool kernels = context->unit->candidate || context->unit->previous;
    return set == OWN_PROCESS_LIBRARIES && kernels && plan_is_staged(context->plan);
}

/* Where none that records can be had, checks do without, and the kernel's recorder says why. */
static int open_own(struct unit_context *context, int set) {
    static struct wire_reply reply;
    const double start = clock_seconds();
    int code = 0;
    if (!own_process_records(context, set))
        return unit_open_runner(context);
    const enum process_answer answer =
        try_runner(context, &context->process, RUNNER_RECORDER, &reply, &code);
    context->start_seconds += clock_seconds() - start;
    if (answer == PROCESS_TROUBLE || (answer == PROCESS_ANSWERED && reply.status == 0))
        return answer == PROCESS_TROUBLE ? -1 : 0;
    process_end(&context->process);
    return unit_open_runner(context);
}

static void drop(struct unit_context *context, struct shared_process *shared) {
    if (shared->units > 0)
        unit_drop_runner(context, &shared->process);
    *shared = (struct shared_process){.process = PROCESS_NONE};
}

/* Whether it serves this unit, too; else it is gone. */
static bool goes_on(struct unit_context *context, struct shared_process *shared, int most,
                    int visit) {
    if (shared->units > 0 && shared->units < most && shared->visit == visit &&
        unit_take_shape(context, &shared->process) == 0) {
        shared->units++;
        return true;
    }
    drop(context, shared);
    return false;
}

int own_process_take(struct unit_context *context, int set, int visit, bool alone) {
    struct shared_process *waiting = &context->session->own[set];
    if (waiting->units > 0)
        process_go_on(&waiting->process);
    if (alone)
        drop(context, waiting);
    if (!goes_on(context, waiting, OWN_PROCESS_UNITS, visit)) {
        context->process_units = 1;
        return open_own(context, set);
    }
    context->process = waiting->process;
    context->process_units = waiting->units;
    *waiting = (struct shared_process){.process = PROCESS_NONE};
    return 0;
}

void own_process_leave(struct unit_context *context, int set, int visit) {
    if (context->session->side_by_side < OWN_PROCESS_BESIDE) {
        unit_drop_runner(context, &context->process);
        return;
    }
    process_stop(&context->process);
    context->session->own[set] = (struct shared_process){
        .process = context->process, .units = context->process_units, .visit = visit};
    context->process = PROCESS_NONE;
}

void stage_drop(struct unit_context *context) {
    drop(context, &context->session->stage);
}

int stage_take(struct unit_context *context) {
    struct shared_process *stage = &context->session->stage;
    if (goes_on(context, stage, STAGE_UNITS, context->visit))
        return 0;
    if (unit_warm(context, RUNNER_PLAYER) < 0 ||
        unit_open(context, RUNNER_PLAYER, &stage->process) < 0)
        return -1;
    stage->units = 1;
    stage->visit = context->visit;
    return 0;
}

struct wire_request stage_load_request(const struct unit_context *context,
                                       const struct recorded *recorded) {
    memcpy(context->session->stage.process.shared, recorded->bytes, recorded->size);
    return wire_add_request((struct wire_add){.kind = ARM_RECORDING,
                                              .bytes = recorded->size,
                                              .padded = recorded->padded,
                                              .operands = recorded->operands,
                                              .sandbox = context->plan->sandbox});
}

int processes_waiting(const struct device_session *session) {
    int waiting = (int)session->warm.count + (session->stage.units > 0);
    for (int i = 0; i <= OWN_PROCESS_LIBRARIES; i++)
        waiting += session->own[i].units > 0;
    return waiting;
}

static void end(struct shared_process *shared) {
    if (shared->units > 0)
        process_end(&shared->process);
    shared->units = 0;
}

void processes_end(struct device_session *session) {
    warm_runners_end(&session->warm);
    end(&session->stage);
    for (int i = 0; i <= OWN_PROCESS_LIBRARIES; i++)
        end(&session->own[i]);
    process_end(&session->leaving);
}
