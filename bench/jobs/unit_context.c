#include "bench/jobs/unit_context.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/process/interrupt.h"

void arm_describe(struct arm_state *arm, const char *printed, const char *format, ...) {
    char *detail = arm->row.detail;
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof arm->row.detail, format, args);
    va_end(args);
    clean_text(detail);
    size_t used = strlen(detail), length = strlen(printed);
    while (length > 0 && (printed[length - 1] == '\n' || printed[length - 1] == ' '))
        length--;
    if (length == 0)
        return;
    size_t room = sizeof arm->row.detail - used - 16;
    const char *tail = length > room ? printed + length - room : printed;
    length = length > room ? room : length;
    snprintf(detail + used, sizeof arm->row.detail - used, "; printed: %.*s", (int)length, tail);
    clean_text(detail + used);
}

void recorded_forget(struct recorded *recorded) {
    free(recorded->bytes);
    *recorded = (struct recorded){.bytes = NULL};
}

uint64_t unit_secret_seed(const struct unit_context *context) {
    return context->seed ^ context->session->secret;
}

bool unit_runner_survives(enum outcome outcome) {
    return outcome != OUTCOME_DEVICE_ERROR && outcome != OUTCOME_TIMED_OUT &&
           outcome != OUTCOME_EXITED && outcome != OUTCOME_CRASHED && outcome != OUTCOME_DISHONEST;
}

bool arm_has_passed(const struct arm_state *arm) {
    return arm->outcome == OUTCOME_OK || arm->outcome == OUTCOME_UNRECORDED;
}

/* What an answer makes of the arm. */
static int judge_answer(const struct unit *unit, const struct runner_process *process, bool shared,
                        struct arm_state *arm, struct wire_reply *reply) {
    clean_text(reply->text);
    if (reply->verb == WIRE_ADD)
        clean_text(reply->add.sandbox);
    if (reply->status != 0 && shared) {
        arm_describe(arm, process->printed, "%s", reply->text);
        return arm->outcome = OUTCOME_DEVICE_ERROR;
    }
    if (reply->status != 0)
        return error("%s, %s: %s%s%s", unit_label(unit), arm->row.kernel, reply->text,
                     *process->printed ? "; printed: " : "", process->printed);
    if (reply->outcome < 0 || reply->outcome >= OUTCOME_COUNT) {
        arm_describe(arm, process->printed, "its process answered with an unknown outcome, %d",
                     reply->outcome);
        return arm->outcome = OUTCOME_DISHONEST;
    }
    if (reply->outcome != OUTCOME_OK)
        arm_describe(arm, process->printed, "%s", reply->text);
    return arm->outcome = (enum outcome)reply->outcome;
}

int unit_ask_process(struct unit_context *context, struct runner_process *process,
                     struct arm_state *arm, struct wire_request request, double limit,
                     struct wire_reply *reply) {
    int code = 0;
    if (interrupted)
        return error("interrupted");
    const enum process_answer answer = process_ask(process, &request, limit, reply, &code);
    const char *printed = process->printed;
    clean_text(process->printed);
    switch (answer) {
    case PROCESS_ANSWERED:
        return judge_answer(context->unit, process,
                            process == &context->process && context->process_units > 1, arm, reply);
    case PROCESS_TIMED_OUT:
        arm_describe(arm, printed, "killed after %.3g s", limit);
        return arm->outcome = OUTCOME_TIMED_OUT;
    case PROCESS_EXITED:
        arm_describe(arm, printed, "exit status %d", code);
        return arm->outcome = OUTCOME_EXITED;
    case PROCESS_CRASHED:
        context->session->killed |= code == SIGKILL;
        arm_describe(arm, printed, "signal %d (%s)", code, strsignal(code));
        return arm->outcome = OUTCOME_CRASHED;
    case PROCESS_FORGED:
        arm_describe(arm, printed, "it answered the judge in its process's stead");
        return arm->outcome = OUTCOME_DISHONEST;
    case PROCESS_TROUBLE:
        break;
    }
    return TROUBLE;
}

int unit_ask(struct unit_context *context, struct arm_state *arm, struct wire_request request,
             double limit, struct wire_reply *reply) {
    return unit_ask_process(context, &context->process, arm, request, limit, reply);
}

/* Ten seconds plus the time of the slowest kernel worth waiting for: 1 GFLOP/s on the host, 100
 * GFLOP/s on a GPU. */
double unit_call_limit(const struct unit_context *context) {
    const struct plan *plan = context->plan;
    double rate = plan_on_host(plan) ? 1e9 : 1e11;
    return plan->call_timeout_seconds > 0 ? plan->call_timeout_seconds
                                          : 10 + shape_flops(context->unit->shape) / rate;
}

int unit_row_calls(const struct unit_context *context) {
    const struct shape shape = context->unit->shape;
    const int64_t memory = context->session->memory_bytes, calls = layout_calls(shape);
    const int64_t share = memory / UNIT_ROW_SHARE / (int64_t)layout_call_bytes(shape);
    return (int)(memory <= 0 || share > calls ? calls : share < 1 ? 1 : share);
}

struct arm_state *unit_kernel(struct unit_context *context, int which) {
    const int at = context->checked.kernel[which];
    return at >= 0 ? &context->checked.arms[at] : NULL;
}

struct arm_state *unit_candidate(struct unit_context *context) {
    return unit_kernel(context, UNIT_CANDIDATE);
}

struct arm_state *unit_previous(struct unit_context *context) {
    return unit_kernel(context, UNIT_PREVIOUS);
}

const struct candidate *unit_source(const struct unit *unit, int which) {
    return which == UNIT_PREVIOUS ? unit->previous : unit->candidate;
}

const struct built *unit_built(const struct unit_context *context, int which) {
    const struct unit *unit = context->unit;
    const bool previous = which == UNIT_PREVIOUS;
    const size_t index = previous ? unit->previous_index : unit->candidate_index;
    return unit_source(unit, which) ? &context->session->built[which][index] : NULL;
}

int unit_which(struct unit_context *context, const struct arm_state *kernel) {
    return kernel == unit_previous(context) ? UNIT_PREVIOUS : UNIT_CANDIDATE;
}

enum layout_operands unit_operands(struct unit_context *context, const struct arm_state *kernel) {
    const struct arm_state *previous = unit_previous(context);
    const bool same = previous && shape_compare(previous->padded, kernel->padded) == 0;
    return kernel == previous || same ? LAYOUT_PREVIOUS : LAYOUT_CANDIDATE;
}

const struct arm_state *unit_library(const struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    for (int i = 0; i < checked->arm_count; i++)
        if (!checked->arms[i].built && checked->arms[i].outcome == OUTCOME_OK)
            return &checked->arms[i];
    return NULL;
}

struct arm_state *unit_suspect(struct unit_context *context) {
    return context->own >= 0 ? &context->checked.arms[context->own] : unit_candidate(context);
}

const char *unit_subject(const struct unit_context *context) {
    return context->own >= 0 ? context->checked.arms[context->own].row.kernel
                             : unit_label(context->unit);
}

bool unit_takes_part(const struct unit_context *context, const struct arm_state *arm) {
    if (!arm->built || context->staged)
        return arm->outcome == OUTCOME_OK;
    return arm_has_passed(arm) && arm - context->checked.arms == context->own;
}

struct arm_state *unit_timed_as(struct unit_context *context, struct arm_state *arm) {
    struct arm_state *first = context->checked.arms;
    if (!context->staged || arm->built || !*arm->row.work)
        return arm;
    while (first < arm && (first->built || !unit_takes_part(context, first) ||
                           strcmp(first->row.work, arm->row.work) != 0))
        first++;
    return first;
}

bool unit_is_staged(struct unit_context *context) {
    const struct arm_state *candidate = unit_candidate(context);
    return plan_is_staged(context->plan) && (!candidate || candidate->outcome == OUTCOME_OK);
}

int unit_own_lenses(const struct plan *plan) {
    return plan_on_host(plan) ? ~0 : ~words_lenses_with(LENS_HELD);
}

static bool lacks_recording(struct unit_context *context) {
    return unit_candidate(context) && !context->recorded[UNIT_CANDIDATE].bytes;
}

int unit_own_every(struct unit_context *context) {
    return lacks_recording(context) ? 1 : plan_anew_every(context->plan);
}

int unit_own_visits(struct unit_context *context) {
    const struct plan *plan = context->plan;
    const int every = unit_own_every(context);
    int lenses = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        lenses |= plan->modes[mode] ? plan_precise_lenses(plan, (enum mode)mode) : 0;
    return lenses & unit_own_lenses(plan) || lacks_recording(context)
               ? (plan->visits + every - 1) / every
               : 1;
}

struct arm_state *unit_new_arm(struct unit_context *context, const char *kernel) {
    struct arm_state *arm = &context->checked.arms[context->checked.arm_count++];
    memset(arm, 0, sizeof *arm);
    arm->number = -1;
    arm->variant = WIRE_CHOOSE;
    struct check_row *row = &arm->row;
    row->shape = context->unit->shape;
    row->share_compared = row->deviation = row->bound = row->paper_bound = row->coarse = NAN;
    row->padding_share = row->setup_seconds = row->first_call_seconds = NAN;
    row->code_length = row->bm = row->bn = row->bk = row->stages = row->swizzle = NAN;
    snprintf(row->candidate, sizeof row->candidate, "%s", unit_label(context->unit));
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    snprintf(row->claimed, sizeof row->claimed, "%s",
             context->plan->accumulate == GEMM_F16 ? "f16" : "f32");
    return arm;
}

void unit_drop_times(struct unit_context *context, const struct arm_state *arm, int lenses) {
    const bool all = arm == unit_candidate(context);
    unit_result_drop(context->result, lenses, all ? NULL : arm->row.kernel);
}

void unit_leave_out(struct unit_context *context, const struct arm_state *arm) {
    if (!arm_has_passed(arm) && arm == unit_candidate(context))
        unit_result_drop_times(context->result);
    else
        unit_drop_times(context, arm, arm_has_passed(arm) ? words_lenses_with(LENS_HELD) : ~0);
}

void unit_add_check(struct unit_context *context, struct arm_state *arm) {
    snprintf(arm->row.outcome, sizeof arm->row.outcome, "%s", outcome_word(arm->outcome));
    rows_add_check(&context->result->rows, &arm->row);
}
