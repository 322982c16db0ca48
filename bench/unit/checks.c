#include "bench/unit/checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/unit/audit.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/reference.h"
#include "reports/compare/round_speeds.h"
#include "reports/run/derive.h"

/* The libraries are trusted with an hour; a candidate's setup has its own budget. */
static double setup_limit(const struct plan *plan, int candidate) {
    return candidate ? plan->setup_timeout_seconds : 3600;
}

static struct arm_state *new_arm(struct work *work, const char *kernel) {
    struct arm_state *arm = &work->arms[work->arm_count++];
    memset(arm, 0, sizeof *arm);
    arm->number = arm->variant = -1;
    arm->coarse = NAN;
    struct check_row *row = &arm->row;
    row->shape = work->unit->shape;
    row->share_compared = row->deviation = row->bound = row->paper_bound = NAN;
    row->padding_share = row->setup_seconds = row->first_call_seconds = NAN;
    row->code_length = row->bm = row->bn = row->bk = row->stages = row->swizzle = NAN;
    snprintf(row->candidate, sizeof row->candidate, "%s", unit_label(work->unit));
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    snprintf(row->claimed, sizeof row->claimed, "%s",
             work->plan->accumulate == GEMM_F16 ? "f16" : "f32");
    return arm;
}

/* What a runner says shares its process with the kernel, and goes into the arm's row. Returns OK or
 * DISHONEST. */
static int examine_time(struct arm_state *arm, const char *what, double seconds) {
    if (isfinite(seconds) && seconds >= 0)
        return OUTCOME_OK;
    work_describe(arm, "", "its process claims that %s took %g s", what, seconds);
    return arm->outcome = OUTCOME_DISHONEST;
}

static int examine_added(const struct work *work, struct arm_state *arm,
                         const struct wire_reply *reply) {
    const struct shape s = work->unit->shape, padded = reply->add.padded;
    if (padded.m >= s.m && padded.n >= s.n && padded.k >= s.k)
        return examine_time(arm, "its setup", reply->add.setup_seconds);
    work_describe(arm, "", "its process claims operands of %" PRId64 "x%" PRId64 "x%" PRId64,
                  padded.m, padded.n, padded.k);
    return arm->outcome = OUTCOME_DISHONEST;
}

int checks_add(struct work *work, struct arm_state *arm, enum wire_arm kind, const char *name) {
    static struct wire_reply reply;
    const struct plan *plan = work->plan;
    const double limit = setup_limit(plan, kind == ARM_CANDIDATE), start = clock_seconds();
    struct wire_add add = {.kind = kind, .sandbox = plan->sandbox};
    snprintf(add.name, sizeof add.name, "%s", name);
    int outcome = work_ask(work, arm, wire_add_request(add), limit, &reply);
    if (outcome == OUTCOME_OK)
        outcome = examine_added(work, arm, &reply);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (kind == ARM_CANDIDATE && !*work->session->sandbox)
        snprintf(work->session->sandbox, sizeof work->session->sandbox, "%.480s%s",
                 plan->sandbox ? reply.add.sandbox : "none: --no-sandbox",
                 plan->sandbox && plan->memcheck ? "; none under --memcheck" : "");
    arm->number = reply.add.arm;
    arm->row.setup_seconds = reply.add.setup_seconds;
    arm->row.padding_share = 1 - shape_flops(work->unit->shape) / shape_flops(reply.add.padded);
    if (kind == ARM_BASELINE && reply.add.variants > 0) {
        const struct wire_tune tune = {
            .arm = arm->number,
            .variant = arm->variant,
            .halving = plan->halving,
            .seed = seed_derive(work->seed, SEED_TUNE, (uint64_t)arm->number),
            .warmup_rounds = plan->tune_warmup,
            .timed_rounds = plan->tune_rounds,
        };
        outcome = work_ask(work, arm, wire_tune_request(tune), limit, &reply);
        if (outcome == OUTCOME_OK && arm->variant < 0)
            snprintf(arm->row.variant, sizeof arm->row.variant, "%s", reply.text);
        arm->variant = reply.tune.variant;
    }
    work->start_seconds += clock_seconds() - start;
    return outcome;
}

int checks_call(struct work *work, struct arm_state *arm, int32_t kind, uint64_t seed,
                enum wire_poison poison) {
    static struct wire_reply reply;
    const struct wire_call_reply *told = &reply.call;
    const struct wire_call call = {
        .arm = arm->number, .input_kind = kind, .poison = poison, .seed = seed};
    int outcome = work_ask(work, arm, wire_call_request(call), work_call_limit(work), &reply);
    if (outcome == OUTCOME_OK)
        outcome = examine_time(arm, "a call", told->seconds);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (isnan(arm->row.first_call_seconds))
        arm->row.first_call_seconds = told->seconds;
    if (told->changed_guards) {
        work_describe(arm, "", "%" PRIu64 " elements around A, B or C were written",
                      told->changed_guards);
        return arm->outcome = OUTCOME_WROTE_OUTSIDE;
    }
    if (told->changed_inputs) {
        work_describe(arm, "", "%" PRIu64 " elements of A or B were changed", told->changed_inputs);
        return arm->outcome = OUTCOME_INPUT_CHANGED;
    }
    return OUTCOME_OK;
}

static int check_binary(struct work *work, struct arm_state *arm) {
    uint64_t seed = seed_derive(work->seed, SEED_CHECK, 0);
    const float *reference = reference_product(work->unit->shape, INPUT_BINARY, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checks_call(work, arm, INPUT_BINARY, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_exact exact;
    arm->outcome = check_exact(work->process.shared, reference, work->unit->shape, &exact);
    arm->row.share_compared = (double)exact.compared / (double)exact.total;
    if (arm->outcome == OUTCOME_NAN_LEFT || arm->outcome == OUTCOME_INEXACT)
        work_describe(arm, "",
                      "first at C[%" PRId64 "][%" PRId64 "]: %g, exact product %g; %" PRId64
                      " NaN and %" PRId64 " wrong of %" PRId64 " entries",
                      exact.row, exact.col, (double)exact.got, (double)exact.want, exact.nan,
                      exact.wrong, exact.compared);
    return arm->outcome;
}

static int check_normal(struct work *work, struct arm_state *arm, int candidate) {
    uint64_t seed = seed_derive(work->seed, SEED_CHECK, 1);
    const float *reference = reference_product(work->unit->shape, INPUT_NORMAL, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checks_call(work, arm, INPUT_NORMAL, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_deviation deviation;
    arm->outcome = check_deviation(work->process.shared, reference, work->unit->shape, &deviation);
    if (arm->outcome == OUTCOME_NAN_LEFT) {
        work_describe(arm, "",
                      "first at C[%" PRId64 "][%" PRId64 "]; %" PRId64 " NaN on normal inputs",
                      deviation.row, deviation.col, deviation.nan);
        return arm->outcome;
    }
    arm->row.deviation = deviation.largest;
    arm->coarse =
        (double)deviation.coarse / ((double)work->unit->shape.m * (double)work->unit->shape.n);
    if (!candidate) {
        work->largest = fmax(work->largest, deviation.largest);
        return OUTCOME_OK;
    }
    bool judged = work->largest > 0 || work->plan->accumulate == GEMM_F32;
    if (!judged) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "no baseline ran, so nothing bounds an f16 deviation");
        return OUTCOME_OK;
    }
    arm->row.paper_bound = work->largest;
    arm->row.bound = check_bound(work->largest, deviation.reference_max, work->unit->shape.k,
                                 work->plan->accumulate);
    if (deviation.largest <= arm->row.bound)
        return OUTCOME_OK;
    work_describe(arm, "", "C[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
                  deviation.row, deviation.col, (double)deviation.got, (double)deviation.want,
                  deviation.largest, arm->row.bound);
    return arm->outcome = OUTCOME_DEVIATES;
}

/* Whether the kernel's product survives that one copy of B is all NaN: then it does not read it. */
static int survives_poison(struct work *work, struct arm_state *arm, enum wire_poison poison,
                           bool *survived) {
    struct check_exact exact;
    uint64_t seed = seed_derive(work->seed, SEED_CHECK, 0);
    const float *reference = reference_product(work->unit->shape, INPUT_BINARY, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checks_call(work, arm, INPUT_BINARY, seed, poison);
    if (outcome == OUTCOME_OK)
        *survived =
            check_exact(work->process.shared, reference, work->unit->shape, &exact) == OUTCOME_OK;
    return outcome;
}

/* Finds out which copy of B the candidate reads. */
static int probe_layout(struct work *work, struct arm_state *arm) {
    bool no_row = false, no_col = false;
    int outcome = survives_poison(work, arm, WIRE_POISON_B_ROW, &no_row);
    if (outcome == OUTCOME_OK)
        outcome = survives_poison(work, arm, WIRE_POISON_B_COL, &no_col);
    if (outcome == OUTCOME_OK)
        snprintf(arm->row.layout, sizeof arm->row.layout, "%s",
                 no_row   ? (no_col ? "none" : "tn")
                 : no_col ? "nn"
                          : "both");
    return outcome;
}

/* Libraries are probed, too, to see that the probe sees, where that costs next to nothing. */
static bool small(const struct work *work) {
    return (double)work->unit->shape.m * (double)work->unit->shape.n <= 1 << 22;
}

/* An earlier release that is not audited here need only be right. */
static bool is_examined(const struct work *work, const struct arm_state *arm) {
    return work->plan->audit_previous || work->previous < 0 || arm != &work->arms[work->previous];
}

/* Everything before timing, for one arm. */
static int prove(struct work *work, struct arm_state *arm, enum wire_arm kind, const char *name) {
    const int candidate = kind == ARM_CANDIDATE;
    const bool examined = candidate && is_examined(work, arm);
    int outcome = checks_add(work, arm, kind, name);
    const double start = clock_seconds();
    if (outcome == OUTCOME_OK)
        outcome = check_binary(work, arm);
    if (outcome == OUTCOME_OK)
        outcome = check_normal(work, arm, candidate);
    if (outcome == OUTCOME_OK && (examined || (candidate && work->plan->count_padding)))
        outcome = probe_layout(work, arm);
    if (outcome == OUTCOME_OK && (examined || (!candidate && small(work))))
        outcome = audit_accumulator(work, arm);
    else if (outcome == OUTCOME_DEVIATES)
        outcome = audit_deviating(work, arm);
    work->check_seconds += clock_seconds() - start;
    return outcome;
}

/* One call of the candidate in a runner of its own under compute-sanitizer, which makes it some
 * hundred times slower. Not in the sandbox: the tool's own libraries live in the process and talk
 * to the tool outside, and that they can from within has not been shown. So only kernels that have
 * passed everything else come here, and who asks for it is told. */
static int memcheck(struct work *work, struct arm_state *arm, const char *so) {
    static struct wire_reply reply;
    struct runner_process process;
    struct wire_add add = {.kind = ARM_CANDIDATE};
    int code = 0;
    double limit = 120 + 100 * work_call_limit(work);
    snprintf(add.name, sizeof add.name, "%s", so);
    struct wire_request request = wire_add_request(add);
    if (work_open_as(work, &process, WORK_MEMCHECK, &reply) < 0 || reply.status != 0) {
        process_end(&process);
        return error("--memcheck: is compute-sanitizer on PATH?");
    }
    enum process_answer answer = process_ask(&process, &request, limit, &reply, &code);
    if (answer == PROCESS_ANSWERED && reply.outcome == OUTCOME_OK) {
        request =
            wire_call_request((struct wire_call){.arm = reply.add.arm, .input_kind = INPUT_BINARY});
        answer = process_ask(&process, &request, limit, &reply, &code);
    }
    if (answer == PROCESS_ANSWERED)
        code = process_finish(&process, 120);
    work_clean(process.printed);
    if (code == WORK_MEMCHECK_FOUND || strstr(process.printed, "Invalid __")) {
        work_describe(arm, process.printed, "compute-sanitizer --tool memcheck");
        arm->outcome = OUTCOME_MEMCHECK;
    } else if (answer != PROCESS_ANSWERED || code != 0) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "memcheck did not end well (%d), though the call alone did: %.300s", code,
                 process.printed);
    }
    process_end(&process);
    return 0;
}

/* An arm that took the runner down: its row is written, and there is to be another attempt. */
static int lose(struct work *work, struct arm_state *arm) {
    snprintf(arm->row.outcome, sizeof arm->row.outcome, "%s", outcome_word(arm->outcome));
    return rows_add_check(&work->result->rows, &arm->row) < 0 ? -1 : 1;
}

int checks_baselines(struct work *work) {
    for (int i = 0; i < work->plan->baseline_count; i++) {
        if (work->lost & (UINT64_C(1) << i))
            continue;
        struct arm_state *arm = new_arm(work, work->plan->baselines[i]);
        int outcome = prove(work, arm, ARM_BASELINE, work->plan->baselines[i]);
        if (outcome == TROUBLE)
            return -1;
        if (work_survives((enum outcome)outcome))
            continue;
        work->lost |= UINT64_C(1) << i;
        return lose(work, arm);
    }
    return 0;
}

static double known(int64_t value) {
    return value < 0 ? NAN : (double)value;
}

/* Everything before timing for a kernel under test. Returns an outcome or TROUBLE. */
static int prove_kernel(struct work *work, const struct prepared_set *release, size_t index,
                        const char *name) {
    const struct candidate *candidate = &release->set->list[index];
    const struct built *built = &release->built[index];
    struct arm_state *arm = new_arm(work, name);
    arm->built = built;
    arm->disassembly = release->code ? &release->code[index] : NULL;
    snprintf(arm->row.source, sizeof arm->row.source, "%s", candidate->file);
    snprintf(arm->row.source_hash, sizeof arm->row.source_hash, "%s", candidate->source_hash);
    const struct candidate_traits *traits = &candidate->traits;
    arm->row.code_length = known(traits->length);
    arm->row.bm = known(traits->bm);
    arm->row.bn = known(traits->bn);
    arm->row.bk = known(traits->bk);
    arm->row.stages = known(traits->stages);
    arm->row.swizzle = known(traits->swizzle);
    if (built->outcome != BUILD_OK) {
        arm->outcome = OUTCOME_NO_COMPILE;
        work_describe(arm, "", "%s", built->message);
        return arm->outcome;
    }
    if (work->plan->shape_timeout_seconds > 0)
        work->deadline = clock_seconds() + work->plan->shape_timeout_seconds;
    double start = clock_seconds();
    int outcome = audit_static(work, arm, candidate);
    work->audit_seconds += clock_seconds() - start;
    if (outcome == OUTCOME_OK)
        outcome = prove(work, arm, ARM_CANDIDATE, built->so);
    work->deadline = 0;
    start = clock_seconds();
    if (outcome == OUTCOME_OK)
        outcome = audit_calls(work, arm);
    work->audit_seconds += clock_seconds() - start;
    if (outcome == OUTCOME_OK && work->plan->memcheck && memcheck(work, arm, built->so) < 0)
        return TROUBLE;
    return outcome == TROUBLE ? TROUBLE : (int)arm->outcome;
}

int checks_previous(struct work *work) {
    const struct unit *unit = work->unit;
    work->previous = work->arm_count;
    int outcome =
        prove_kernel(work, work->session->previous, unit->previous_index, ROUND_SPEEDS_PREVIOUS);
    if (outcome == TROUBLE)
        return -1;
    if (work_survives((enum outcome)outcome))
        return 0;
    work->no_previous = true;
    return lose(work, &work->arms[work->previous]);
}

int checks_candidate(struct work *work) {
    const struct unit *unit = work->unit;
    work->candidate = work->arm_count;
    int outcome = prove_kernel(work, work->session->candidates, unit->candidate_index,
                               unit->candidate->label);
    return outcome == TROUBLE ? -1 : 0;
}

/* Without one of them the samples of this round would have other columns than those before. */
static int lose_again(struct work *work, struct arm_state *arm) {
    if (arm->built) {
        work->no_previous = work->beside = true; /* it has passed before */
        work->left_out = *arm;
        return 1;
    }
    for (int i = 0; i < work->plan->baseline_count; i++)
        if (strcmp(work->plan->baselines[i], arm->row.kernel) == 0)
            work->lost |= UINT64_C(1) << i;
    return lose(work, arm);
}

int checks_again(struct work *work) {
    for (int i = 0; i < work->arm_count; i++) {
        struct arm_state *arm = &work->arms[i];
        if (arm->outcome != OUTCOME_OK)
            continue;
        if (checks_add(work, arm, arm->built ? ARM_CANDIDATE : ARM_BASELINE,
                       arm->built ? arm->built->so : arm->row.kernel) == TROUBLE)
            return -1;
        if (arm->outcome != OUTCOME_OK)
            return i == work->candidate ? 0 : lose_again(work, arm);
    }
    return 0;
}

/* A library that has been set up in this process can be once more: where it cannot, or takes the
 * runner down, a kernel beside it has taken what there was or broken it. Without one there is no
 * control. Returns as checks_controls. */
static int blame_for(struct work *work, const struct arm_state *control, enum outcome outcome,
                     struct arm_state **failed) {
    const char *name = control->row.kernel, *said = control->row.detail;
    *failed = work_suspect(work);
    if (*failed) {
        work_describe(*failed, "", "after its checks, as a library is set up beside it: %.400s",
                      said);
        return (int)((*failed)->outcome = outcome);
    }
    if (!work_survives(outcome))
        return error("a second library, %s, takes the runner down: %s", name, said);
    warning("the control %s is missing, since the library cannot be set up twice: %s", name, said);
    return OUTCOME_OK;
}

int checks_controls(struct work *work, struct arm_state **failed) {
    static const char *const prefixes[WORK_CONTROLS] = {DERIVE_AA, DERIVE_DELAY};
    static struct wire_reply reply;
    const double start = clock_seconds();
    int first = 0;
    work->control_count = 0;
    while (first < work->arm_count &&
           (first == work->candidate || work->arms[first].outcome != OUTCOME_OK))
        first++;
    for (int i = 0; i < WORK_CONTROLS && first < work->arm_count; i++) {
        struct arm_state *control = &work->controls[work->control_count];
        const struct wire_add twin = {.kind = ARM_TWIN,
                                      .twin_of = work->arms[first].number,
                                      .delayed = strcmp(prefixes[i], DERIVE_DELAY) == 0};
        char name[RUNDIR_NAME];
        snprintf(name, sizeof name, "%s%.80s", prefixes[i], work->arms[first].row.kernel);
        memset(control, 0, sizeof *control);
        memcpy(control->row.kernel, name, sizeof name);
        int outcome =
            work_ask(work, control, wire_add_request(twin), setup_limit(work->plan, 0), &reply);
        if (outcome == OUTCOME_OK) {
            control->number = reply.add.arm;
            work->control_count++;
            continue;
        }
        if (outcome != TROUBLE)
            outcome = blame_for(work, control, (enum outcome)outcome, failed);
        if (outcome != OUTCOME_OK)
            return outcome;
    }
    work->start_seconds += clock_seconds() - start;
    return OUTCOME_OK;
}
