#include "bench/context/unit_runner.h"

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

/* What a runner of the kind shares with the judge: C or a reference product, and samples or
 * recordings. Only what is written to takes memory. */
static size_t shared_bytes(size_t elements, enum runner_kind kind) {
    const bool records = kind == RUNNER_PLAYER || kind == RUNNER_RECORDER;
    const size_t least = records ? RECORDING_MOST_BYTES : SHARED_BYTES;
    const size_t product = elements * sizeof(float);
    return product > least ? product : least;
}

/* The stage and own processes serve units of other shapes, too. */
static size_t unit_bytes(const struct unit_context *context, enum runner_kind kind) {
    const struct shape s = context->unit->shape;
    const size_t own = (size_t)s.m * (size_t)s.n;
    const size_t largest = suite_largest_product(&context->plan->suite);
    const bool many = kind == RUNNER_PLAYER || kind == RUNNER_PLAIN;
    return shared_bytes(many && largest > own ? largest : own, kind);
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

static int warm_up(struct unit_context *context, enum runner_kind kind, size_t wanted) {
    struct wire_open open = how_to_open(context, kind);
    /* A host's library is ready at once, and its threads would go on spinning. */
    open.rehearse |= kind == RUNNER_PLAIN && !plan_on_host(context->plan);
    const size_t bytes = shared_bytes(suite_largest_product(&context->plan->suite), kind);
    return warm_runners_fill(&context->session->warm, (int)kind, &open, wanted, bytes);
}

/* Nothing can be timed while runners start, and several start side by side in little more time than
 * one. On the host they would take the processor from each other. */
static size_t ahead(const struct unit_context *context, size_t wanted) {
    const size_t most = plan_on_host(context->plan) ? 1 : WARM_AHEAD;
    return wanted < most ? wanted : most;
}

/* Own processes that a visit has: one for each kernel, or one of the libraries alone. */
static size_t own_count(const struct unit *unit) {
    return unit->candidate && unit->previous ? 2 : 1;
}

/* Own processes of the visits to come. */
static size_t own_ahead(const struct unit_context *context) {
    const size_t every = (size_t)plan_anew_every(context->plan);
    const size_t visits = (context->session->visits_ahead + every - 1) / every;
    return ahead(context, visits * own_count(context->unit));
}

/* As many together, where none of the kind is left. */
static int warm_again(struct unit_context *context, enum runner_kind kind, size_t wanted) {
    return warm_runners_count(&context->session->warm, (int)kind) > 0
               ? 0
               : warm_up(context, kind, wanted);
}

int unit_warm_next(struct unit_context *context) {
    return warm_again(context, RUNNER_PLAIN, own_ahead(context));
}

int unit_warm_stages(struct unit_context *context) {
    return warm_again(context, RUNNER_PLAYER,
                      ahead(context, (size_t)(context->plan->visits - context->visit)));
}

int unit_warm_recorders(struct unit_context *context) {
    const struct unit *unit = context->unit;
    const size_t kernels = (unit->candidate != NULL) + (unit->previous != NULL);
    if (plan_on_host(context->plan) || kernels == 0)
        return 0;
    return warm_up(context, RUNNER_RECORDER, kernels + (context->session->visits_ahead > 0));
}

void unit_drop_runner(struct unit_context *context, struct runner_process *process) {
    struct runner_process *leaving = &context->session->leaving;
    process_kill(process);
    process_end(leaving);
    *leaving = *process;
    *process = PROCESS_NONE;
}

bool unit_runners_are_settled(struct unit_context *context) {
    struct runner_process *leaving = &context->session->leaving;
    if (!process_has_ended(leaving))
        return false;
    process_end(leaving);
    return warm_runners_are_settled(&context->session->warm);
}

void unit_settle_runners(struct unit_context *context) {
    warm_runners_settle(&context->session->warm);
    process_end(&context->session->leaving);
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
                                               .finite_c = reads_c(context->unit)});
    return process_ask(process, &request, seconds, reply, code);
}

int unit_take_shape(const struct unit_context *context, struct runner_process *process,
                    struct wire_reply *reply) {
    const double seconds = context->plan->setup_timeout_seconds; /* a kernel may be taken down */
    int code = 0;
    return take_shape(context, process, seconds, reply, &code) == PROCESS_ANSWERED &&
                   reply->status == 0
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
    if (process_start_under(process, unit_bytes(context, kind), program) < 0)
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
    const size_t bytes = unit_bytes(context, kind);
    if (warm_runners_take(&context->session->warm, (int)kind, bytes, process)) {
        if (take_shape(context, process, WARM_RUNNERS_OPEN_SECONDS, reply, code) ==
                PROCESS_ANSWERED &&
            reply->status == 0)
            return PROCESS_ANSWERED;
        process_end(process); /* a fresh one will do better, or tell why not */
    }
    return try_fresh(context, process, kind, NULL, reply, code);
}

static int opened(const struct runner_process *process, enum process_answer answer, int code) {
    return answer == PROCESS_ANSWERED ? 0
           : answer == PROCESS_TROUBLE
               ? -1
               : error("the runner died (%d) while opening the device: %s", code, process->printed);
}

int unit_open_runner_as(const struct unit_context *context, struct runner_process *process,
                        enum runner_kind kind, struct wire_reply *reply) {
    int code = 0;
    const enum process_answer answer =
        kind == RUNNER_MEMCHECK ? try_fresh(context, process, kind, memcheck, reply, &code)
                                : try_runner(context, process, kind, reply, &code);
    return opened(process, answer, code);
}

/* 1 where no process of the kind is to be had, and *why then says it. */
static int open_recording(const struct unit_context *context, struct runner_process *process,
                          enum runner_kind kind, struct wire_reply *reply, char *why) {
    int code = 0;
    const enum process_answer answer = try_runner(context, process, kind, reply, &code);
    if (answer == PROCESS_TROUBLE)
        return -1;
    if (answer == PROCESS_ANSWERED && reply->status == 0)
        return 0;
    snprintf(why, WIRE_TEXT, "%.400s", answer == PROCESS_ANSWERED ? reply->text : process->printed);
    clean_text(why);
    process_end(process);
    return 1;
}

/* Nothing can be timed on the stage. */
static int tell_unfit(const struct unit_context *context, const char *doing, const char *why) {
    context->session->unfit = true;
    return error("no process can be had that %s: %s; --lens call does without", doing, why);
}

int unit_open_recorder(const struct unit_context *context, struct runner_process *process,
                       struct wire_reply *reply) {
    char *why = context->session->no_recorder;
    const int status = *why ? 1 : open_recording(context, process, RUNNER_RECORDER, reply, why);
    return status > 0 && plan_is_staged(context->plan)
               ? tell_unfit(context, "records a kernel's calls", why)
               : status;
}

int unit_open_stage(const struct unit_context *context, struct runner_process *process,
                    struct wire_reply *reply) {
    char why[WIRE_TEXT];
    const int status = open_recording(context, process, RUNNER_PLAYER, reply, why);
    return status > 0 ? tell_unfit(context, "carries out recordings", why) : status;
}

int unit_open_runner(struct unit_context *context) {
    static struct wire_reply reply;
    const double start = clock_seconds();
    const int status = unit_open_runner_as(context, &context->process, RUNNER_PLAIN, &reply);
    context->start_seconds += clock_seconds() - start;
    if (status < 0)
        return -1;
    return reply.status == 0 ? 0 : error("%s: %s", reply.text, context->process.printed);
}
