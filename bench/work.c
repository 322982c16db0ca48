#include "bench/work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/error.h"
#include "bench/monotonic.h"

volatile int unit_interrupted;

void work_describe(struct arm_state *arm, const char *printed, const char *format, ...) {
    char *detail = arm->row.detail;
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof arm->row.detail, format, args);
    va_end(args);
    size_t used = strlen(detail), length = strlen(printed);
    while (length > 0 && (printed[length - 1] == '\n' || printed[length - 1] == ' '))
        length--;
    if (length == 0)
        return;
    size_t room = sizeof arm->row.detail - used - 16;
    const char *tail = length > room ? printed + length - room : printed;
    length = length > room ? room : length;
    snprintf(detail + used, sizeof arm->row.detail - used, "; printed: %.*s", (int)length, tail);
    for (char *p = detail; *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
}

int work_ask(struct work *work, struct arm_state *arm, const struct wire_request *request,
             double limit, struct wire_reply *reply) {
    int code = 0;
    if (unit_interrupted)
        return error("interrupted");
    if (work->deadline > 0 && limit > work->deadline - monotonic_seconds())
        limit = fmax(work->deadline - monotonic_seconds(), 0.001);
    enum leash_answer answer = leash_ask(&work->leash, request, limit, reply, &code);
    const char *printed = work->leash.printed;
    switch (answer) {
    case LEASH_ANSWERED:
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
    case LEASH_TIMED_OUT:
        work_describe(arm, printed, "killed after %.3g s", limit);
        return arm->outcome = OUTCOME_TIMED_OUT;
    case LEASH_EXITED:
        work_describe(arm, printed, "exit status %d", code);
        return arm->outcome = OUTCOME_EXITED;
    case LEASH_CRASHED:
        work_describe(arm, printed, "signal %d (%s)", code, strsignal(code));
        return arm->outcome = OUTCOME_CRASHED;
    case LEASH_FORGED:
        work_describe(arm, printed, "it answered the judge in its process's stead");
        return arm->outcome = OUTCOME_DISHONEST;
    case LEASH_TROUBLE:
        break;
    }
    return TROUBLE;
}

/* Ten seconds plus the time of the slowest kernel worth waiting for: 1 GFLOP/s on the host, 100
 * GFLOP/s on a GPU. */
double work_call_limit(const struct work *work) {
    const struct plan *plan = work->plan;
    double rate = strcmp(plan->device_kind, "host") == 0 ? 1e9 : 1e11;
    return plan->call_timeout_seconds > 0 ? plan->call_timeout_seconds
                                          : 10 + shape_flops(work->unit->shape) / rate;
}

bool work_survives(enum outcome outcome) {
    return outcome != OUTCOME_DEVICE_ERROR && outcome != OUTCOME_TIMED_OUT &&
           outcome != OUTCOME_EXITED && outcome != OUTCOME_CRASHED && outcome != OUTCOME_DISHONEST;
}

/* compute-sanitizer's own exit status when it found something is WORK_MEMCHECK_FOUND. */
static const char *const memcheck[] = {
    "compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "86",
    "--print-limit",     "1",      NULL};

static size_t product_bytes(struct shape s) {
    return (size_t)s.m * (size_t)s.n * sizeof(uint16_t);
}

/* One for every runner that the unit will still need, and for the next unit's first: its rounds and
 * the recordings of its kernels under test. */
int work_stock(struct work *work) {
    const struct plan *plan = work->plan;
    const struct suite *suite = &plan->suite;
    const size_t kernels = (work->unit->candidate != NULL) + (work->unit->previous != NULL);
    size_t bytes = WORK_SHARED_BYTES;
    for (size_t i = 0; i < suite->count; i++)
        if (product_bytes(suite->shapes[i]) > bytes)
            bytes = product_bytes(suite->shapes[i]);
    return spares_fill(&work->session->spares, (size_t)plan->rounds + (plan->audit ? kernels : 0),
                       bytes);
}

/* A spare one, if it will do, or a fresh one. */
static int start_runner(const struct work *work, struct leash *leash, enum work_runner kind,
                        size_t bytes) {
    if (kind == WORK_MEMCHECK)
        return leash_start_under(leash, bytes, memcheck);
    return spares_take(&work->session->spares, bytes, leash) ? 0 : leash_start(leash, bytes);
}

/* Has the runner open the device for the unit's shape. */
static int open_device(const struct work *work, struct leash *leash, bool traced,
                       struct wire_reply *reply) {
    struct wire_request request = {.verb = WIRE_OPEN,
                                   .shape = work->unit->shape,
                                   .ordinal = work->session->ordinal,
                                   .accumulate = work->plan->accumulate,
                                   .workspace_bytes = work->plan->workspace_bytes,
                                   .trace = traced};
    int code = 0;
    snprintf(request.device_kind, sizeof request.device_kind, "%s", work->plan->device_kind);
    memcpy(request.visible, work->session->visible, sizeof request.visible);
    if (leash_ask(leash, &request, 300, reply, &code) != LEASH_ANSWERED)
        return error("the runner died (%d) while opening the device: %s", code, leash->printed);
    return 0;
}

int work_open_as(const struct work *work, struct leash *leash, enum work_runner kind, size_t shared,
                 struct wire_reply *reply) {
    const size_t product = product_bytes(work->unit->shape);
    return start_runner(work, leash, kind, product > shared ? product : shared) < 0
               ? -1
               : open_device(work, leash, kind == WORK_TRACED, reply);
}

int work_open_under(const struct work *work, struct leash *leash, const char *const *program,
                    struct wire_reply *reply) {
    return leash_start_under(leash, product_bytes(work->unit->shape), program) < 0
               ? -1
               : open_device(work, leash, false, reply);
}

int work_open(const struct work *work, struct leash *leash) {
    static struct wire_reply reply;
    if (work_open_as(work, leash, WORK_PLAIN, WORK_SHARED_BYTES, &reply) < 0)
        return -1;
    return reply.status == 0 ? 0 : error("%s: %s", reply.text, leash->printed);
}
