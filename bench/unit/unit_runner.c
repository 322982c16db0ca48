#include "bench/unit/unit_runner.h"

#include <stdio.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/unit/unit_reference.h"

#define SHARED_BYTES ((size_t)4 << 20) /* at least */
#define TRACED_SHARED_BYTES ((size_t)32 << 20)

/* 86 is RUNNER_MEMCHECK_FOUND. */
static const char *const memcheck[] = {
    "compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "86",
    "--print-limit",     "1",      NULL};

bool unit_records_calls(const struct plan *plan, bool previous) {
    return (previous ? plan->audit_previous : plan->audit) && !plan_on_host(plan);
}

/* What a runner of the kind shares with the judge: C, and samples or recordings. */
static size_t shared_bytes(size_t elements, enum runner_kind kind) {
    const size_t least = kind == RUNNER_TRACED ? TRACED_SHARED_BYTES : SHARED_BYTES;
    const size_t product = elements * sizeof(uint16_t);
    return product > least ? product : least;
}

static size_t unit_bytes(const struct unit_context *context, enum runner_kind kind) {
    const struct shape s = context->unit->shape;
    return shared_bytes((size_t)s.m * (size_t)s.n, kind);
}

/* Whether a kernel that uses another stream than its own is found and refused. A gate's second
 * stage records the earlier kernels alone, since its first has recorded the others: both are timed
 * alike. */
static bool keeps_to_its_stream(const struct plan *plan) {
    return (unit_records_calls(plan, false) || unit_records_calls(plan, true)) &&
           plan->policy.level[FINDING_OTHER_STREAM] == LEVEL_REJECT;
}

static struct wire_open how_to_open(const struct unit_context *context, enum runner_kind kind) {
    const struct device_session *session = context->session;
    struct wire_open open = {
        .ordinal = session->ordinal,
        .alone = session->alone,
        .trace = kind == RUNNER_TRACED,
        .one_queue = kind == RUNNER_TRACED || keeps_to_its_stream(context->plan),
        .hide = context->plan->sandbox && kind != RUNNER_MEMCHECK,
    };
    snprintf(open.device_kind, sizeof open.device_kind, "%s", context->plan->device_kind);
    return open;
}

static int warm_up(struct unit_context *context, enum runner_kind kind, size_t wanted) {
    struct wire_open open = how_to_open(context, kind);
    /* A host's library is ready at once, and its threads would go on spinning. */
    open.rehearse = kind == RUNNER_PLAIN && !plan_on_host(context->plan);
    const size_t bytes = shared_bytes(suite_largest_product(&context->plan->suite), kind);
    return warm_runners_fill(&context->session->warm, &open, wanted, bytes);
}

int unit_warm_next(struct unit_context *context) {
    return warm_up(context, RUNNER_PLAIN, 1);
}

int unit_warm_runners(struct unit_context *context) {
    const struct unit *unit = context->unit;
    const size_t recorded = (unit->candidate && unit_records_calls(context->plan, false)) +
                            (unit->previous && unit_records_calls(context->plan, true));
    if (recorded > 0 && warm_up(context, RUNNER_TRACED, recorded + 1) < 0)
        return -1;
    return unit_warm_next(context);
}

void unit_drop_runner(struct unit_context *context, struct runner_process *process) {
    struct runner_process *leaving = &context->session->leaving;
    process_kill(process);
    process_end(leaving);
    *leaving = *process;
    *process = PROCESS_NONE;
}

void unit_settle_runners(struct unit_context *context) {
    warm_runners_settle(&context->session->warm);
    process_end(&context->session->leaving);
}

static enum process_answer take_shape(const struct unit_context *context,
                                      struct runner_process *process, struct wire_reply *reply,
                                      int *code) {
    const struct wire_request request =
        wire_shape_request((struct wire_shape){.shape = context->unit->shape,
                                               .accumulate = context->plan->accumulate,
                                               .workspace_bytes = context->plan->workspace_bytes});
    return process_ask(process, &request, WARM_RUNNERS_OPEN_SECONDS, reply, code);
}

static int open_fresh(const struct unit_context *context, struct runner_process *process,
                      enum runner_kind kind, const char *const *program, struct wire_reply *reply) {
    const struct wire_request open = wire_open_request(how_to_open(context, kind));
    int code = 0;
    process_end(&context->session->leaving); /* a GPU may take one process at a time */
    if (process_start_under(process, unit_bytes(context, kind), program) < 0)
        return -1;
    enum process_answer answer =
        process_ask(process, &open, WARM_RUNNERS_OPEN_SECONDS, reply, &code);
    if (answer == PROCESS_ANSWERED && reply->status == 0)
        answer = take_shape(context, process, reply, &code);
    return answer == PROCESS_ANSWERED
               ? 0
               : error("the runner died (%d) while opening the device: %s", code, process->printed);
}

int unit_open_runner_as(const struct unit_context *context, struct runner_process *process,
                        enum runner_kind kind, struct wire_reply *reply) {
    const size_t bytes = unit_bytes(context, kind);
    int code;
    if (kind == RUNNER_MEMCHECK)
        return open_fresh(context, process, kind, memcheck, reply);
    if (warm_runners_take(&context->session->warm, kind == RUNNER_TRACED, bytes, process)) {
        if (take_shape(context, process, reply, &code) == PROCESS_ANSWERED && reply->status == 0)
            return 0;
        process_end(process); /* a fresh one will do better, or tell why not */
    }
    return open_fresh(context, process, kind, NULL, reply);
}

int unit_open_runner_under(const struct unit_context *context, struct runner_process *process,
                           const char *const *program, struct wire_reply *reply) {
    return open_fresh(context, process, RUNNER_PLAIN, program, reply);
}

int unit_open_runner(struct unit_context *context) {
    static struct wire_reply reply;
    const double start = clock_seconds();
    int status = unit_open_runner_as(context, &context->process, RUNNER_PLAIN, &reply);
    if ((status < 0 || reply.status != 0) && unit_reference_give_way(context->session)) {
        process_end(&context->process);
        status = unit_open_runner_as(context, &context->process, RUNNER_PLAIN, &reply);
    }
    context->start_seconds += clock_seconds() - start;
    if (status < 0)
        return -1;
    return reply.status == 0 ? 0 : error("%s: %s", reply.text, context->process.printed);
}
