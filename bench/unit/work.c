#include "bench/unit/work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/process/interrupt.h"

#define SHARED_BYTES ((size_t)4 << 20) /* at least */
#define TRACED_SHARED_BYTES ((size_t)32 << 20)

void work_clean(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
            p[0] = p[1] = ' '; /* the control characters past ASCII, in UTF-8 */
        else if (*p < ' ' || *p == 0x7f || (*p == '#' && p[1] == '#'))
            *p = ' ';
    }
}

void work_describe(struct arm_state *arm, const char *printed, const char *format, ...) {
    char *detail = arm->row.detail;
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof arm->row.detail, format, args);
    va_end(args);
    work_clean(detail);
    size_t used = strlen(detail), length = strlen(printed);
    while (length > 0 && (printed[length - 1] == '\n' || printed[length - 1] == ' '))
        length--;
    if (length == 0)
        return;
    size_t room = sizeof arm->row.detail - used - 16;
    const char *tail = length > room ? printed + length - room : printed;
    length = length > room ? room : length;
    snprintf(detail + used, sizeof arm->row.detail - used, "; printed: %.*s", (int)length, tail);
    work_clean(detail + used);
}

int work_ask(struct work *work, struct arm_state *arm, struct wire_request request, double limit,
             struct wire_reply *reply) {
    int code = 0;
    if (interrupted)
        return error("interrupted");
    if (work->deadline > 0 && limit > work->deadline - clock_seconds())
        limit = fmax(work->deadline - clock_seconds(), 0.001);
    enum process_answer answer = process_ask(&work->process, &request, limit, reply, &code);
    const char *printed = work->process.printed;
    work_clean(work->process.printed);
    if (answer == PROCESS_ANSWERED) {
        work_clean(reply->text);
        if (reply->verb == WIRE_ADD)
            work_clean(reply->add.sandbox);
    }
    switch (answer) {
    case PROCESS_ANSWERED:
        if (reply->status != 0) {
            work_describe(arm, printed, "%s", reply->text);
            return arm->outcome = OUTCOME_DEVICE_ERROR;
        }
        if (reply->outcome < 0 || reply->outcome >= OUTCOME_COUNT) {
            work_describe(arm, printed, "its process answered with an unknown outcome, %d",
                          reply->outcome);
            return arm->outcome = OUTCOME_DISHONEST;
        }
        if (reply->outcome != OUTCOME_OK)
            work_describe(arm, printed, "%s", reply->text);
        return arm->outcome = (enum outcome)reply->outcome;
    case PROCESS_TIMED_OUT:
        work_describe(arm, printed, "killed after %.3g s", limit);
        return arm->outcome = OUTCOME_TIMED_OUT;
    case PROCESS_EXITED:
        work_describe(arm, printed, "exit status %d", code);
        return arm->outcome = OUTCOME_EXITED;
    case PROCESS_CRASHED:
        work_describe(arm, printed, "signal %d (%s)", code, strsignal(code));
        return arm->outcome = OUTCOME_CRASHED;
    case PROCESS_FORGED:
        work_describe(arm, printed, "it answered the judge in its process's stead");
        return arm->outcome = OUTCOME_DISHONEST;
    case PROCESS_TROUBLE:
        break;
    }
    return TROUBLE;
}

/* Ten seconds plus the time of the slowest kernel worth waiting for: 1 GFLOP/s on the host, 100
 * GFLOP/s on a GPU. */
double work_call_limit(const struct work *work) {
    const struct plan *plan = work->plan;
    double rate = plan_on_host(plan) ? 1e9 : 1e11;
    return plan->call_timeout_seconds > 0 ? plan->call_timeout_seconds
                                          : 10 + shape_flops(work->unit->shape) / rate;
}

struct arm_state *work_suspect(struct work *work) {
    const int which = work->candidate >= 0 ? work->candidate : work->previous;
    return which >= 0 ? &work->arms[which] : NULL;
}

bool work_survives(enum outcome outcome) {
    return outcome != OUTCOME_DEVICE_ERROR && outcome != OUTCOME_TIMED_OUT &&
           outcome != OUTCOME_EXITED && outcome != OUTCOME_CRASHED && outcome != OUTCOME_DISHONEST;
}

/* compute-sanitizer's own exit status when it found something is WORK_MEMCHECK_FOUND. */
static const char *const memcheck[] = {
    "compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "86",
    "--print-limit",     "1",      NULL};

bool work_records(const struct plan *plan, bool previous) {
    return (previous ? plan->audit_previous : plan->audit) && !plan_on_host(plan);
}

/* What a runner of the kind shares with the judge: C, and samples or recordings. */
static size_t shared_bytes(size_t elements, enum work_runner kind) {
    const size_t least = kind == WORK_TRACED ? TRACED_SHARED_BYTES : SHARED_BYTES;
    const size_t product = elements * sizeof(uint16_t);
    return product > least ? product : least;
}

static size_t unit_bytes(const struct work *work, enum work_runner kind) {
    const struct shape s = work->unit->shape;
    return shared_bytes((size_t)s.m * (size_t)s.n, kind);
}

/* Whether a kernel that uses another stream than its own is found and refused. A gate's second
 * stage records the earlier kernels alone, since its first has recorded the others: both are timed
 * alike. */
static bool keeps_to_its_stream(const struct plan *plan) {
    return (work_records(plan, false) || work_records(plan, true)) &&
           plan->policy.level[FINDING_OTHER_STREAM] == LEVEL_REJECT;
}

static struct wire_open how_to_open(const struct work *work, enum work_runner kind) {
    const struct device_session *session = work->session;
    struct wire_open open = {
        .ordinal = session->ordinal,
        .alone = session->alone,
        .trace = kind == WORK_TRACED,
        .one_queue = kind == WORK_TRACED || keeps_to_its_stream(work->plan),
        .hide = work->plan->sandbox && kind != WORK_MEMCHECK,
    };
    snprintf(open.device_kind, sizeof open.device_kind, "%s", work->plan->device_kind);
    return open;
}

static int stock(struct work *work, enum work_runner kind, size_t wanted) {
    struct wire_open open = how_to_open(work, kind);
    /* A host's library is ready at once, and its threads would go on spinning. */
    open.rehearse = kind == WORK_PLAIN && !plan_on_host(work->plan);
    const size_t bytes = shared_bytes(suite_largest_product(&work->plan->suite), kind);
    return warm_runners_fill(&work->session->spares, &open, wanted, bytes);
}

int work_stock(struct work *work) {
    const struct unit *unit = work->unit;
    const size_t recorded = (unit->candidate && work_records(work->plan, false)) +
                            (unit->previous && work_records(work->plan, true));
    if (recorded > 0 && stock(work, WORK_TRACED, recorded + 1) < 0)
        return -1;
    return stock(work, WORK_PLAIN, (size_t)work->plan->rounds);
}

void work_part(struct work *work, struct runner_process *process) {
    struct runner_process *leaving = &work->session->leaving;
    process_kill(process);
    process_end(leaving);
    *leaving = *process;
    *process = PROCESS_NONE;
}

void work_settle(struct work *work) {
    warm_runners_settle(&work->session->spares);
    process_end(&work->session->leaving);
}

static enum process_answer take_shape(const struct work *work, struct runner_process *process,
                                      struct wire_reply *reply, int *code) {
    const struct wire_request request =
        wire_shape_request((struct wire_shape){.shape = work->unit->shape,
                                               .accumulate = work->plan->accumulate,
                                               .workspace_bytes = work->plan->workspace_bytes});
    return process_ask(process, &request, WARM_RUNNERS_OPEN_SECONDS, reply, code);
}

static int open_fresh(const struct work *work, struct runner_process *process,
                      enum work_runner kind, const char *const *program, struct wire_reply *reply) {
    const struct wire_request open = wire_open_request(how_to_open(work, kind));
    int code = 0;
    process_end(&work->session->leaving); /* a GPU may take one process at a time */
    if (process_start_under(process, unit_bytes(work, kind), program) < 0)
        return -1;
    enum process_answer answer =
        process_ask(process, &open, WARM_RUNNERS_OPEN_SECONDS, reply, &code);
    if (answer == PROCESS_ANSWERED && reply->status == 0)
        answer = take_shape(work, process, reply, &code);
    return answer == PROCESS_ANSWERED
               ? 0
               : error("the runner died (%d) while opening the device: %s", code, process->printed);
}

int work_open_as(const struct work *work, struct runner_process *process, enum work_runner kind,
                 struct wire_reply *reply) {
    const size_t bytes = unit_bytes(work, kind);
    int code;
    if (kind == WORK_MEMCHECK)
        return open_fresh(work, process, kind, memcheck, reply);
    if (warm_runners_take(&work->session->spares, kind == WORK_TRACED, bytes, process)) {
        if (take_shape(work, process, reply, &code) == PROCESS_ANSWERED && reply->status == 0)
            return 0;
        process_end(process); /* a fresh one will do better, or tell why not */
    }
    return open_fresh(work, process, kind, NULL, reply);
}

int work_open_under(const struct work *work, struct runner_process *process,
                    const char *const *program, struct wire_reply *reply) {
    return open_fresh(work, process, WORK_PLAIN, program, reply);
}

int work_open(const struct work *work, struct runner_process *process) {
    static struct wire_reply reply;
    if (work_open_as(work, process, WORK_PLAIN, &reply) < 0)
        return -1;
    return reply.status == 0 ? 0 : error("%s: %s", reply.text, process->printed);
}
