#include "bench/jobs/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/checks/taken.h"
#include "bench/jobs/processes.h"
#include "correctness/numbers/check.h"
#include "reports/rows/derive_values.h"

/* Two right products of the same inputs differ by no more than this many bounds of the deviation
 * check, whose inputs were others. */
#define TOLERANCE_BOUNDS 4

/* Of elements that are coarse beside the exact product so many more than a library's may be where f32 is
 * claimed: such a kernel gains nothing by being coarse on purpose where it is checked. */
#define COARSE_MORE 0.01

/* The copies of B that the kernel reads; of a library the runner knows. */
static int32_t copies_of(const struct arm_state *arm) {
    const char *layout = arm->row.layout;
    return !arm->built ? 0
                       : (strcmp(layout, "tn") != 0 ? WIRE_B_ROW : 0) |
                             (strcmp(layout, "nn") != 0 ? WIRE_B_COL : 0);
}

static int slot_of_arm(const struct timing *t, const struct arm_state *arm) {
    int slot = 0;
    while (t->slots[slot] != arm)
        slot++;
    return slot;
}

static void add_slot(struct timing *t, struct arm_state *arm) {
    const int slot = t->request.arm_count++;
    t->slots[slot] = arm;
    t->timed[slot] = slot_of_arm(t, unit_timed_as(t->context, arm));
    t->request.left_out |= (t->timed[slot] == slot ? 0u : 1u) << slot;
    t->request.arms[slot] = arm->number;
    t->request.reads[slot] = copies_of(arm);
    if (arm->built)
        t->request.suspects[t->request.suspect_count++] = slot;
}

/* A kernel that is less precise while it is timed need not be off by more anywhere: but more of its
 * elements are off by some. As many may be as its own and the library's were when they were checked. */
static uint64_t coarse_allowed(int32_t accumulate, struct shape shape,
                               const struct check_row *suspect, const struct check_row *library) {
    const double most_own = accumulate == GEMM_F32 ? library->coarse + COARSE_MORE : 1;
    const double share = library->coarse + fmin(suspect->coarse, most_own);
    return isnan(library->coarse) || isnan(suspect->coarse) ? (uint64_t)(shape.m * shape.n)
                                                            : check_coarse_allowed(share, shape);
}

/* The slot of the first library, which the controls double; arm_count: there is none. */
static int first_library(const struct timing *t) {
    int slot = 0;
    while (slot < t->request.arm_count && t->slots[slot]->built)
        slot++;
    return slot;
}

/* What the C of a suspect must be is what the first library makes. */
static void set_library(struct timing *t) {
    const int library = first_library(t);
    bool bounded = true;
    for (int i = 0; i < t->request.suspect_count; i++) {
        const double bound = t->slots[t->request.suspects[i]]->row.bound;
        t->request.tolerance[i] = TOLERANCE_BOUNDS * bound;
        if (library < t->request.arm_count)
            t->request.coarse[i] =
                coarse_allowed(t->context->plan->accumulate, t->context->unit->shape,
                               &t->slots[t->request.suspects[i]]->row, &t->slots[library]->row);
        bounded &= !isnan(bound);
    }
    t->request.library =
        t->request.suspect_count > 0 && bounded && library < t->request.arm_count ? library : -1;
}

/* Of so many visits of the stage each third shows enough of the controls. */
#define CONTROLS_EVERY 3
#define CONTROLS_FROM 8

bool batch_has_controls(const struct timing *t) {
    return t->context->control_count > 0 &&
           (!t->context->staged || t->context->plan->visits < CONTROLS_FROM ||
            t->visit % CONTROLS_EVERY == 0);
}

static bool is_double(const struct arm_state *arm) {
    return derive_is_control(arm->row.kernel);
}

void batch_begin_controls(struct timing *t) {
    const int library = first_library(t);
    t->request.suspect_count = 0;
    t->request.library = -1;
    t->request.left_out = 0;
    for (int i = 0; i < t->request.arm_count; i++)
        t->request.left_out |= (is_double(t->slots[i]) || i == library ? 0u : 1u) << i;
}

void batch_arms(struct timing *t) {
    struct unit_context *context = t->context;
    for (int i = 0; i < context->checked.arm_count; i++) {
        struct arm_state *arm = &context->checked.arms[i];
        if (unit_takes_part(context, arm))
            add_slot(t, arm);
    }
    set_library(t);
    for (int i = 0; i < context->control_count; i++) {
        t->request.left_out |= (is_double(&context->controls[i]) ? 1u : 0u) << t->request.arm_count;
        add_slot(t, &context->controls[i]);
    }
}

/* Puts the outcome on the arm. Returns it. */
static int accuse(struct timing *t, struct arm_state *arm, enum outcome outcome,
                  const char *detail) {
    *t->failed = arm;
    snprintf(arm->row.detail, sizeof arm->row.detail, "%s", detail);
    return arm->outcome = outcome;
}

static struct arm_state *suspect_of(const struct timing *t) {
    struct arm_state *suspect = unit_suspect(t->context);
    return suspect ? suspect : t->slots[0];
}

/* Blocks that the runner may have made: what was asked for, but no fewer than one. */
static uint64_t most_blocks(const struct wire_time *request, size_t shared_bytes) {
    const uint64_t room = wire_block_room(request, shared_bytes);
    const uint64_t asked = request->most_blocks > 1 ? request->most_blocks : 1;
    return asked < room ? asked : room;
}

/* Out of the memory that the runner can still write to: what is examined is what is kept. */
static int take_samples(struct timing *t, const float *shared, size_t count) {
    if (count > t->samples_room) {
        float *more = realloc(t->samples, count * sizeof *more);
        if (!more)
            return error("no memory for %zu samples", count);
        t->samples = more;
        t->samples_room = count;
    }
    memcpy(t->samples, shared, count * sizeof *t->samples);
    return 0;
}

/* Adds the intervals of a block to *sum. Returns whether all of its numbers are possible. */
static bool add_block(const struct timing *t, const float *block, double *sum) {
    const int arms = t->request.arm_count;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(t->request.lenses & 1 << lens))
            continue;
        for (int i = 0; i < arms; i++, block++) {
            if (wire_is_left_out(&t->request, i))
                continue;
            if (!isfinite(*block) || *block == 0)
                return false;
            *sum += fabs((double)*block);
        }
        for (int i = 0; i < arms && words_lens_is((enum lens)lens, LENS_HOST_TIME); i++, block++)
            if (!wire_is_left_out(&t->request, i) && !(*block >= 0 && isfinite(*block)))
                return false;
    }
    return true;
}

/* The samples of an arm that was timed as another one are those of that one. */
static void fill_same(const struct timing *t, float *block) {
    const int arms = t->request.arm_count;
    const size_t columns = wire_block_floats(&t->request) / (size_t)arms;
    for (size_t column = 0; column < columns; column++, block += arms)
        for (int i = 0; i < arms; i++)
            block[i] = block[t->timed[i]];
}

/* The runner shares its process with the kernel, so that what it says is a claim: blocks must fit
 * into the memory and be no more than were asked for, samples must be times, and all of them
 * together must have had room in the wall time that the judge has seen pass. */
static int examine(struct timing *t) {
    const struct runner_process *process = &t->context->process;
    struct arm_state *suspect = suspect_of(t);
    const size_t stride = wire_block_floats(&t->request);
    char text[320];
    if (t->reply.blocks == 0 || t->reply.blocks > most_blocks(&t->request, process->shared_bytes))
        return accuse(t, suspect, OUTCOME_DISHONEST, "it claims blocks that cannot be there");
    if (take_samples(t, process->shared, t->reply.blocks * stride) < 0)
        return TROUBLE;
    double sum = 0;
    for (size_t b = 0; b < t->reply.blocks; b++) {
        if (!add_block(t, t->samples + b * stride, &sum))
            return accuse(t, suspect, OUTCOME_DISHONEST, "a sample is no time");
        fill_same(t, t->samples + b * stride);
    }
    if (sum <= t->wall)
        return OUTCOME_OK;
    snprintf(text, sizeof text, "it claims %.6g s of intervals within %.6g s", sum, t->wall);
    return accuse(t, suspect, OUTCOME_DISHONEST, text);
}

/* A library's C was as that of the kernel, if there is one: then their inputs were at fault. */
static int examine_taken(struct timing *t) {
    char text[320];
    for (int i = 0; i < t->request.suspect_count; i++) {
        struct arm_state *suspect = t->slots[t->request.suspects[i]];
        if (t->reply.looked == 0)
            return accuse(t, suspect, OUTCOME_DISHONEST, "it claims blocks that nobody looked at");
        if (!taken_is_right(&t->request, &t->reply, t->context->plan->element,
                            t->context->plan->inputs, t->context->unit->shape, i, text,
                            sizeof text))
            return accuse(t, suspect,
                          t->request.library >= 0 ? OUTCOME_INPUT_CHANGED : OUTCOME_UNSTABLE, text);
    }
    return OUTCOME_OK;
}

double batch_least(const struct timing *t, int slot) {
    const size_t stride = wire_block_floats(&t->request);
    double least = INFINITY;
    for (size_t b = 0; b < t->reply.blocks; b++)
        least = fmin(least, fabs((double)t->samples[b * stride + (size_t)slot]));
    return least;
}

/* Takes some milliseconds. Warm runners and, while it is not timed, the stage have nothing to
 * do. */
static void read_card(const struct device_session *session, bool staged,
                      struct gpu_monitor_reading *reading) {
    gpu_monitor_read(session->nvml, reading);
    if (reading->processes > 0)
        reading->processes -= processes_waiting(session) - (staged && session->stage.units > 0);
}

static struct arm_state *slot_of(const struct timing *t, int32_t number,
                                 struct arm_state *otherwise) {
    for (int i = 0; i < t->request.arm_count; i++)
        if (t->slots[i]->number == number)
            return t->slots[i];
    return otherwise;
}

/* A runner that lives tells which arm was at fault. Where the stage dies it is the one in hand, for
 * nobody else's work has run since its interval began. Another process's word for that is worth
 * nothing: there it is the one arm that is not a library. */
static struct arm_state *at_fault(const struct timing *t, enum outcome outcome) {
    const struct runner_process *process = &t->context->process;
    if (unit_runner_survives(outcome))
        return slot_of(t, t->reply.failed_arm, suspect_of(t));
    return t->context->staged
               ? slot_of(t, *wire_in_hand(process->shared, process->shared_bytes), suspect_of(t))
               : suspect_of(t);
}

int batch_run(struct timing *t) {
    struct unit_context *context = t->context;
    static struct wire_reply reply;
    struct arm_state harness = {0};
    double block = t->request.arm_count * unit_call_limit(context);
    if (t->mode == MODE_SERVER)
        block += 20 * LENS_COUNT * t->request.arm_count / context->plan->qps;
    const double start = clock_seconds();
    *wire_in_hand(context->process.shared, context->process.shared_bytes) = -1;
    int outcome =
        unit_ask_process(context, &context->process, &harness, wire_time_request(t->request),
                         t->request.seconds + block, &reply);
    t->wall = clock_seconds() - start;
    t->reply = reply.time;
    if (outcome == OUTCOME_OK) {
        read_card(context->session, context->staged, &t->reading);
        outcome = examine(t);
        return outcome == OUTCOME_OK ? examine_taken(t) : outcome;
    }
    if (outcome == TROUBLE)
        return outcome;
    *t->failed = at_fault(t, (enum outcome)outcome);
    (*t->failed)->outcome = (enum outcome)outcome;
    snprintf((*t->failed)->row.detail, sizeof(*t->failed)->row.detail, "while timed: %.450s",
             harness.row.detail);
    return outcome;
}
