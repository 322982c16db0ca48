#include "bench/checks/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/checks/replay.h"
#include "bench/context/arm_calls.h"
#include "bench/context/unit_runner.h"
#include "correctness/accumulator/probe.h"
#include "correctness/audit/behaviour.h"
#include "correctness/numbers/input.h"

/* Calls recorded: the first, which may differ, and enough to see what the others have in common.
 * Then, after a number of others that a kernel cannot foresee, some more: it may have waited for
 * the first to be over. */
#define TRACED_CALLS 8
#define TRACED_FIRST 5
#define BETWEEN_LEAST 12
#define BETWEEN_MOST 300
#define BETWEEN_SECONDS 0.2

#define FAILING 200 /* bytes of how a kernel failed */

/* A function with a signature of its own is told of no workspace. */
static bool knows_no_workspace(struct unit_context *context, const struct arm_state *arm) {
    const struct unit *unit = context->unit;
    const struct candidate *candidate =
        arm == unit_previous(context) ? unit->previous : unit->candidate;
    return candidate->call && !candidate->call->workspace.line;
}

int audit_report(struct unit_context *context, struct arm_state *arm, const char *part,
                 const struct finding_list *list) {
    int number[FINDING_COUNT] = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *finding = &list->items[i];
        struct audit_row row = {.shape = context->unit->shape, .number = ++number[finding->kind]};
        snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(context->unit));
        snprintf(row.kernel, sizeof row.kernel, "%s", arm->row.kernel);
        snprintf(row.part, sizeof row.part, "%s", part);
        snprintf(row.finding, sizeof row.finding, "%s", finding_word(finding->kind));
        snprintf(row.level, sizeof row.level, "%s", finding_level(finding->kind));
        snprintf(row.text, sizeof row.text, "%s", finding->text);
        rows_add_audit(&context->result->rows, &row);
        if (!finding_is_refused(finding->kind) || arm->outcome != OUTCOME_OK ||
            (finding->kind == FINDING_WORKSPACE && knows_no_workspace(context, arm)))
            continue;
        arm->outcome = OUTCOME_UNRECORDED;
        arm_describe(arm, "", "%s: the kernel %s: %s (%s)", part, finding_sentence(finding->kind),
                     finding->text, finding_word(finding->kind));
    }
    return arm->outcome;
}

int audit_one(struct unit_context *context, struct arm_state *arm, const char *part,
              enum finding_kind kind, const char *format, ...) {
    struct finding_list *list = need(1, sizeof *list);
    char text[sizeof list->items->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding_add(list, kind, "%s", text);
    const int outcome = audit_report(context, arm, part, list);
    free(list);
    return outcome;
}

/* Where nothing can be recorded on this machine, that is a note. */
static int note(struct arm_state *arm, const char *why) {
    if (!*arm->row.note)
        snprintf(arm->row.note, sizeof arm->row.note, "not recorded on this machine: %.400s", why);
    return OUTCOME_OK;
}

/* Asks a runner that records. True where the kernel did as it did before; else *outcome is what
 * becomes of it. Where failing is not NULL, it takes how the kernel failed, and the kernel is not
 * judged. */
static bool ask_recorder(struct unit_context *context, struct arm_state *arm,
                         struct runner_process *process, struct wire_request request,
                         struct wire_reply *reply, char *failing, int *outcome) {
    char text[FAILING];
    const char *what =
        request.verb == WIRE_ADD ? "its setup fails when recorded" : "its calls fail when recorded";
    const double limit = unit_call_limit(context) * (TRACED_CALLS + 1) + BETWEEN_SECONDS +
                         context->plan->setup_timeout_seconds;
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, limit, reply, &code);
    char *said = answer == PROCESS_ANSWERED ? reply->text : process->printed;
    clean_text(said);
    if (answer == PROCESS_ANSWERED && reply->status == 0 && reply->outcome == OUTCOME_OK)
        return true;
    *outcome = OUTCOME_OK;
    if (answer == PROCESS_TROUBLE || (answer == PROCESS_ANSWERED && reply->status != 0)) {
        *outcome = answer == PROCESS_TROUBLE
                       ? TROUBLE
                       : error("%s, %s: when recorded: %s", unit_label(context->unit),
                               arm->row.kernel, said);
        return false;
    }
    snprintf(text, sizeof text, "%s%s%.120s", what,
             answer == PROCESS_TIMED_OUT || *said ? ": " : "",
             answer == PROCESS_TIMED_OUT ? "killed at its time limit" : said);
    if (failing && answer != PROCESS_FORGED)
        memcpy(failing, text, sizeof text);
    else
        *outcome = audit_one(context, arm, "calls", FINDING_UNRECORDED, "%s", text);
    return false;
}

/* *events: those that were recorded, *count of them, which the caller frees; only where they are
 * judged. The source has the kernel set up then, and can be recorded for a replay. fill: the words
 * that memory holds in the source until the kernel writes it. failing: as of ask_recorder. */
static int trace(struct unit_context *context, struct arm_state *arm, struct replay_source *source,
                 uint32_t fill, char *failing, struct behaviour_event **events, uint64_t *count) {
    static struct wire_reply reply;
    struct runner_process *process = &source->process;
    struct wire_add add = arm_request(context, arm, ARM_CANDIDATE, arm->built->so);
    add.fill = fill;
    int outcome;
    const int status = unit_open_recorder(context, process, &reply);
    if (status != 0)
        return status < 0 ? TROUBLE : note(arm, context->session->no_recorder);
    if (!ask_recorder(context, arm, process, wire_add_request(add), &reply, failing, &outcome))
        return outcome;
    source->arm = reply.add.arm;
    const uint64_t draw = seed_derive(context->seed, SEED_BETWEEN, 0);
    const struct wire_trace calls = {.arms = {reply.add.arm},
                                     .arm_count = 1,
                                     .calls = TRACED_CALLS,
                                     .first = TRACED_FIRST,
                                     .between = BETWEEN_LEAST +
                                                (int)(draw % (BETWEEN_MOST - BETWEEN_LEAST + 1)),
                                     .between_seconds = BETWEEN_SECONDS,
                                     .seed = seed_derive(context->seed, SEED_CHECK, 3)};
    if (!ask_recorder(context, arm, process, wire_trace_request(calls), &reply, failing, &outcome))
        return outcome;
    const uint64_t room = process->shared_bytes / sizeof(struct behaviour_event);
    if (!reply.trace.recorded || reply.trace.events > room || reply.trace.dropped > 0)
        return audit_one(context, arm, "calls", FINDING_UNRECORDED,
                         reply.trace.recorded
                             ? "calls after the first ask more of CUDA than there is room for"
                             : reply.text);
    *events = behaviour_copy(process->shared, reply.trace.events);
    struct finding_list *list = need(1, sizeof *list);
    *count = reply.trace.events;
    const int between = reply.trace.between;
    const struct behaviour_recorded recorded = {
        TRACED_CALLS, TRACED_FIRST,
        between >= 0 && between <= calls.between ? between : calls.between};
    behaviour_judge(*events, *count, recorded, list);
    behaviour_summary(*events, *count, TRACED_CALLS, arm->row.variant, sizeof arm->row.variant);
    behaviour_memory(*events, *count, recorded, context->plan->workspace_bytes, list);
    outcome = audit_report(context, arm, "calls", list);
    free(list);
    source->ready = true;
    return outcome;
}

int audit_memory(struct unit_context *context, struct arm_state *arm) {
    const uint64_t most = context->plan->workspace_bytes;
    return arm->held_bytes <= most
               ? OUTCOME_OK
               : audit_one(context, arm, "calls", FINDING_WORKSPACE,
                           "%llu bytes; its workspace is %llu bytes",
                           (unsigned long long)arm->held_bytes, (unsigned long long)most);
}

/* A kernel that fails where new memory holds NaN is recorded there once more. If it fails again, it
 * is recorded where new memory holds zeros. If that succeeds, it is UNSTABLE. */
static int trace_in_doubt(struct unit_context *context, struct arm_state *arm,
                          struct replay_source *source, struct behaviour_event **events,
                          uint64_t *count) {
    char failing[FAILING] = "";
    int outcome = trace(context, arm, source, REPLAY_UNWRITTEN, failing, events, count);
    if (outcome != OUTCOME_OK || !*failing)
        return outcome;
    *failing = 0;
    unit_drop_runner(context, &source->process);
    outcome = trace(context, arm, source, REPLAY_UNWRITTEN, failing, events, count);
    if (outcome != OUTCOME_OK || !*failing)
        return outcome;
    unit_drop_runner(context, &source->process);
    outcome = trace(context, arm, source, 0, NULL, events, count);
    if (outcome != OUTCOME_OK || !*events)
        return outcome;
    arm_describe(arm, "", "%s, where memory that it allocates is not zero, and not where it is",
                 failing);
    return arm->outcome = OUTCOME_UNSTABLE;
}

int audit_calls(struct unit_context *context, struct arm_state *arm) {
    struct replay_source source = {.process = PROCESS_NONE};
    struct behaviour_event *events = NULL;
    uint64_t count = 0;
    if (plan_on_host(context->plan))
        return OUTCOME_OK;
    int outcome = trace_in_doubt(context, arm, &source, &events, &count);
    free(events);
    if (outcome == OUTCOME_OK && !*context->session->no_recorder)
        outcome = replay_products(context, arm, &source);
    unit_drop_runner(context, &source.process);
    return outcome;
}

/* Fills the row's column and *verdict; its word is PROBE_UNKNOWN where nothing can be told. */
static int probe(struct unit_context *context, struct arm_state *arm,
                 struct probe_verdict *verdict) {
    const struct shape shape = context->unit->shape;
    const uint64_t seed = seed_derive(context->seed, SEED_CHECK, 2);
    verdict->word = PROBE_UNKNOWN;
    verdict->foreign = 0;
    if (shape.k < PROBE_LEAST_K)
        return OUTCOME_OK;
    int outcome = arm_call(context, arm, INPUT_PROBE, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    probe_judge(context->plan->element, context->process.shared, shape, seed, verdict);
    snprintf(arm->row.seen, sizeof arm->row.seen, "%s",
             probe_word_name(context->plan->element, verdict->word));
    if (verdict->word == PROBE_UNKNOWN)
        snprintf(arm->row.note, sizeof arm->row.note, "accumulator: %.450s", verdict->evidence);
    context->checked.probe_unfit |= !arm->built && verdict->foreign > 0;
    return OUTCOME_OK;
}

/* A product of the probe's inputs that no accumulator explains is wrong, unless a library of this
 * run makes such a one, too: then the inputs are not as exact here as they should be. Libraries of
 * large products are asked only now. */
static int judge_foreign(struct unit_context *context, struct arm_state *arm,
                         const struct probe_verdict *verdict) {
    static struct probe_verdict of_library;
    for (int i = 0; i < context->checked.arm_count; i++) {
        struct arm_state *library = &context->checked.arms[i];
        if (library->built || library->outcome != OUTCOME_OK || *library->row.seen)
            continue;
        const int outcome = probe(context, library, &of_library);
        if (outcome == TROUBLE)
            return TROUBLE;
        if (!unit_runner_survives((enum outcome)outcome))
            break; /* beside such a kernel */
    }
    if (context->checked.probe_unfit)
        return OUTCOME_OK;
    arm_describe(arm, "", "%.500s", verdict->evidence);
    return arm->outcome = OUTCOME_INEXACT;
}

static bool keeps_less(const struct unit_context *context, const struct probe_verdict *verdict) {
    return context->plan->accumulate == GEMM_F32 &&
           (verdict->word == PROBE_F16 || verdict->word == PROBE_MIXED);
}

int audit_accumulator(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    int outcome = probe(context, arm, &verdict);
    if (outcome != OUTCOME_OK || !arm->built)
        return outcome;
    if (verdict.foreign > 0)
        return judge_foreign(context, arm, &verdict);
    if (!keeps_less(context, &verdict))
        return outcome;
    arm_describe(arm, "", "it claims f32; %.450s", verdict.evidence);
    return arm->outcome = OUTCOME_PRECISION;
}

int audit_deviating(struct unit_context *context, struct arm_state *arm) {
    static struct probe_verdict verdict;
    char *detail = arm->row.detail;
    int outcome = probe(context, arm, &verdict);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (keeps_less(context, &verdict)) {
        const size_t used = strlen(detail);
        const char *end = strstr(verdict.evidence, ")."); /* of the entry that shows it */
        snprintf(detail + used, sizeof arm->row.detail - used,
                 "; it claims f32 and keeps %s%s: %.*s",
                 probe_word_name(context->plan->element, PROBE_F16),
                 verdict.word == PROBE_F16 ? "" : " in part",
                 end ? (int)(end - verdict.evidence) + 1 : 0, verdict.evidence);
    }
    return arm->outcome = OUTCOME_DEVIATES;
}
