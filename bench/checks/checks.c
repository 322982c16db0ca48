#include "bench/checks/checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/text.h"
#include "bench/checks/accumulator_check.h"
#include "bench/checks/finalists.h"
#include "bench/checks/findings.h"
#include "bench/checks/recording_check.h"
#include "bench/checks/values_check.h"
#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit_context.h"
#include "bench/jobs/unit_reference.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "reports/pairs/pairs.h"

/* In a runner of its own, which is some hundred times slower. Not in the sandbox: the tool's own
 * libraries live in the process and talk to the tool outside, and that they can from within has not
 * been shown. So only kernels that have passed everything else come here, and whoever asks for it
 * is told. An error that is found becomes the arm's outcome. 0, or -1 after error(). */
static int memcheck_call(struct unit_context *context, struct arm_state *arm) {
    static struct wire_reply reply;
    struct runner_process process = PROCESS_NONE;
    struct wire_add add = {.kind = ARM_CANDIDATE};
    int code = 0;
    double limit = 120 + 100 * unit_call_limit(context);
    snprintf(add.name, sizeof add.name, "%s", arm->built->so);
    struct wire_request request = wire_add_request(add);
    if (unit_open(context, RUNNER_MEMCHECK, &process) < 0) {
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
    clean_text(process.printed);
    if (code == RUNNER_MEMCHECK_FOUND || strstr(process.printed, "Invalid __")) {
        arm_describe(arm, process.printed, "compute-sanitizer --tool memcheck");
        arm->outcome = OUTCOME_MEMCHECK;
    } else if (answer != PROCESS_ANSWERED || code != 0) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "memcheck did not end well (%d), though the call alone did: %.300s", code,
                 process.printed);
    }
    process_end(&process);
    return 0;
}

static int check_binary(struct unit_context *context, struct arm_state *arm) {
    const uint64_t seed = unit_reference_seed(context, INPUT_BINARY);
    const float *reference = unit_reference(context, INPUT_BINARY);
    if (!reference)
        return TROUBLE;
    snprintf(arm->row.reference, sizeof arm->row.reference, "%s",
             context->session->reference_on_device ? "gpu" : "cpu");
    static const char all_nan[] =
        ". Each element of C held NaN before the call: it was not written, or it was read, which "
        "it "
        "must not be, not even times beta = 0 (reads_c = yes in gemmgate.ini allows that)";
    int outcome = arm_call(context, arm, INPUT_BINARY, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_exact exact;
    arm->outcome = check_exact(context->plan->element, context->process.shared, reference,
                               context->unit->shape, &exact);
    arm->row.share_compared = (double)exact.compared / (double)exact.total;
    if (arm->outcome == OUTCOME_NAN_LEFT || arm->outcome == OUTCOME_INEXACT)
        arm_describe(arm, context->process.printed,
                     "first at C[%" PRId64 "][%" PRId64 "]: %g, exact product %g; %" PRId64
                     " NaN and %" PRId64 " wrong of %" PRId64 " entries%s",
                     exact.place.row, exact.place.col, (double)exact.place.got,
                     (double)exact.place.want, exact.nan, exact.wrong, exact.compared,
                     exact.nan == exact.total ? all_nan : "");
    return arm->outcome;
}

/* Holds a kernel's deviation against the largest one of the libraries. */
static int judge_deviation(const struct unit_context *context, struct arm_state *arm,
                           const struct check_deviation *found) {
    const double largest = context->checked.largest_deviation;
    const int32_t accumulate = context->plan->accumulate;
    if (accumulate != GEMM_F32 && !(largest > 0)) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "no baseline ran, so nothing bounds an f16 deviation");
        return OUTCOME_OK;
    }
    arm->row.paper_bound = largest;
    arm->row.bound = check_bound(context->plan->element, largest, found->reference_max,
                                 context->unit->shape.k, accumulate);
    if (found->largest <= arm->row.bound)
        return OUTCOME_OK;
    arm_describe(arm, "", "C[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
                 found->place.row, found->place.col, (double)found->place.got,
                 (double)found->place.want, found->largest, arm->row.bound);
    return arm->outcome = OUTCOME_DEVIATES;
}

/* Holds against the libraries how much of C is coarse, where f32 is claimed. */
static int judge_coarse(const struct unit_context *context, struct arm_state *arm,
                        const struct check_deviation *found) {
    const struct shape shape = context->unit->shape;
    const double largest = context->checked.largest_coarse;
    const uint64_t allowed = check_coarse_allowed(largest, shape);
    if (context->plan->accumulate != GEMM_F32 || (uint64_t)found->coarse <= allowed)
        return OUTCOME_OK;
    arm_describe(arm, "",
                 "it claims f32; %" PRId64 " of %" PRId64 " elements (%.3g %%) are more than %g "
                 "last places from the FP32 product, of a library's at most %.3g %%; %" PRIu64
                 " may be",
                 found->coarse, shape.m * shape.n, 100 * arm->row.coarse,
                 (double)element_coarse(context->plan->element), 100 * largest, allowed);
    return arm->outcome = OUTCOME_PRECISION;
}

static int check_normal(struct unit_context *context, struct arm_state *arm, bool candidate) {
    const uint64_t seed = unit_reference_seed(context, INPUT_NORMAL);
    const float *reference = unit_reference(context, INPUT_NORMAL);
    if (!reference)
        return TROUBLE;
    int outcome = arm_call(context, arm, INPUT_NORMAL, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_deviation deviation;
    const struct shape shape = context->unit->shape;
    arm->outcome = check_deviation(context->plan->element, context->process.shared, reference,
                                   shape, &deviation);
    if (arm->outcome == OUTCOME_NAN_LEFT) {
        arm_describe(arm, "",
                     "first at C[%" PRId64 "][%" PRId64 "]; %" PRId64 " NaN on normal inputs",
                     deviation.place.row, deviation.place.col, deviation.nan);
        return arm->outcome;
    }
    arm->row.deviation = deviation.largest;
    arm->row.coarse = (double)deviation.coarse / ((double)shape.m * (double)shape.n);
    if (candidate) {
        outcome = judge_deviation(context, arm, &deviation);
        return outcome == OUTCOME_OK ? judge_coarse(context, arm, &deviation) : outcome;
    }
    struct unit_checked *checked = &context->checked;
    checked->largest_deviation = fmax(checked->largest_deviation, deviation.largest);
    checked->largest_coarse = fmax(checked->largest_coarse, arm->row.coarse);
    return OUTCOME_OK;
}

/* Whether the kernel's product survives that one copy of B is all NaN: then it does not read it. */
static int survives_poison(struct unit_context *context, struct arm_state *arm,
                           enum wire_poison poison, bool *survived) {
    struct check_exact exact;
    const uint64_t seed = unit_reference_seed(context, INPUT_BINARY);
    const float *reference = unit_reference(context, INPUT_BINARY);
    if (!reference)
        return TROUBLE;
    int outcome = arm_call(context, arm, INPUT_BINARY, seed, poison);
    if (outcome == OUTCOME_OK)
        *survived = check_exact(context->plan->element, context->process.shared, reference,
                                context->unit->shape, &exact) == OUTCOME_OK;
    return outcome;
}

/* Finds out which copy of B the candidate reads. */
static int probe_layout(struct unit_context *context, struct arm_state *arm) {
    bool no_row = false, no_col = false;
    int outcome = survives_poison(context, arm, WIRE_POISON_B_ROW, &no_row);
    if (outcome == OUTCOME_OK)
        outcome = survives_poison(context, arm, WIRE_POISON_B_COL, &no_col);
    if (outcome == OUTCOME_OK)
        snprintf(arm->row.layout, sizeof arm->row.layout, "%s",
                 no_row   ? (no_col ? "none" : "tn")
                 : no_col ? "nn"
                          : "both");
    return outcome;
}

/* Libraries are probed, too, to see that the probe sees, where that costs next to nothing. */
static bool is_small(const struct unit_context *context) {
    return (double)context->unit->shape.m * (double)context->unit->shape.n <= 1 << 22;
}

/* An earlier release need only be right. */
static bool is_examined(struct unit_context *context, const struct arm_state *arm) {
    return arm != unit_previous(context);
}

/* Sets up one arm, and checks all that its products show. Returns an outcome or TROUBLE. */
static int check_arm(struct unit_context *context, struct arm_state *arm, enum wire_arm kind,
                     const char *name) {
    const bool candidate = kind == ARM_CANDIDATE;
    const bool examined = candidate && is_examined(context, arm);
    int outcome = arm_add(context, arm, kind, name);
    const double start = clock_seconds();
    if (outcome == OUTCOME_OK)
        outcome = check_binary(context, arm);
    if (outcome == OUTCOME_OK)
        outcome = check_normal(context, arm, candidate);
    if (outcome == OUTCOME_OK && examined)
        outcome = values_check(context, arm);
    if (outcome == OUTCOME_OK && candidate) /* what it reads is prepared before it is timed */
        outcome = probe_layout(context, arm);
    if (outcome == OUTCOME_OK && (examined || (!candidate && is_small(context))))
        outcome = accumulator_check(context, arm);
    else if (outcome == OUTCOME_DEVIATES)
        outcome = accumulator_explain(context, arm);
    context->check_seconds += clock_seconds() - start;
    return outcome;
}

/* The process that has taken the libraries so far is gone. 0 or TROUBLE. */
static int begin_anew(struct unit_context *context) {
    for (int i = 0; i < context->checked.arm_count; i++)
        context->checked.arms[i].number = -1;
    unit_drop_runner(context, &context->process);
    return own_process_take(context, OWN_PROCESS_LIBRARIES, OWN_PROCESS_CHECKS, true);
}

/* One that takes the process down leaves a fresh one. Where other shapes were before it, it is checked
 * there once more. */
static int check_library(struct unit_context *context, const struct finalist *finalist) {
    const struct unit_checked before = context->checked;
    const bool shared = context->process_units > 1;
    struct arm_state *arm = unit_new_arm(context, finalist->name);
    arm->variant = finalist->variant;
    const int outcome = check_arm(context, arm, ARM_BASELINE, finalist->name);
    if (outcome == TROUBLE || unit_runner_survives((enum outcome)outcome))
        return outcome;
    if (shared)
        context->checked = before;
    if (begin_anew(context) < 0)
        return TROUBLE;
    if (!shared)
        return OUTCOME_OK;
    return check_library(context, finalist);
}

int checks_libraries(struct unit_context *context) {
    struct finalist list[FINALISTS_BEST + 1];
    for (int i = 0; i < context->plan->baseline_count; i++) {
        const int count = finalists_list(context, i, list);
        for (int j = 0; j < count; j++)
            if (check_library(context, &list[j]) == TROUBLE)
                return TROUBLE;
    }
    return 0;
}

static double known(int64_t value) {
    return value < 0 ? NAN : (double)value;
}

/* What the sets tell of the kernel. */
static struct arm_state *new_kernel(struct unit_context *context, int which) {
    const struct candidate *candidate = unit_source(context->unit, which);
    const struct candidate_traits *traits = &candidate->traits;
    context->checked.kernel[which] = context->checked.arm_count;
    struct arm_state *arm =
        unit_new_arm(context, which == UNIT_PREVIOUS ? RUNDIR_PREVIOUS : candidate->label);
    arm->built = unit_built(context, which);
    snprintf(arm->row.source, sizeof arm->row.source, "%s", candidate->file);
    snprintf(arm->row.source_hash, sizeof arm->row.source_hash, "%s", candidate->source_hash);
    arm->row.code_length = known(traits->length);
    arm->row.bm = known(traits->bm);
    arm->row.bn = known(traits->bn);
    arm->row.bk = known(traits->bk);
    arm->row.stages = known(traits->stages);
    arm->row.swizzle = known(traits->swizzle);
    if (candidate->call && candidate->call->reads_c)
        snprintf(arm->row.note, sizeof arm->row.note,
                 "C held 65504 before each call, not NaN: its set says that it reads C");
    return arm;
}

/* The lines that the compiler said, as many whole ones as there is room for. */
static void tell_failure(struct arm_state *arm) {
    char *detail = arm->row.detail;
    snprintf(detail, sizeof arm->row.detail, "%.*s", RUNDIR_TEXT - 1, arm->built->message);
    char *last = strrchr(detail, '\n');
    if (last && (!last[1] || strlen(arm->built->message) >= RUNDIR_TEXT))
        *last = 0;
    clean_lines(detail);
}

int checks_kernel(struct unit_context *context, int which) {
    struct arm_state *arm = new_kernel(context, which);
    if (arm->built->outcome != BUILD_OK) {
        tell_failure(arm);
        arm->outcome =
            arm->built->outcome == BUILD_LACKING ? OUTCOME_NOT_BUILT : OUTCOME_NO_COMPILE;
        return 0;
    }
    if (context->process.pid == PROCESS_NONE.pid && unit_open_runner(context) < 0)
        return TROUBLE;
    int outcome = check_arm(context, arm, ARM_CANDIDATE, arm->built->so);
    const double start = clock_seconds();
    if (outcome == OUTCOME_OK)
        outcome = findings_report_memory(context, arm);
    if (outcome == OUTCOME_OK && !plan_on_host(context->plan))
        outcome = recording_check(context, arm);
    context->audit_seconds += clock_seconds() - start;
    if (*arm->note)
        text_append(arm->row.variant, sizeof arm->row.variant, "%s%s",
                    *arm->row.variant ? "; " : "", arm->note);
    if (arm_has_passed(arm) && context->plan->memcheck && memcheck_call(context, arm) < 0)
        return TROUBLE;
    return outcome == TROUBLE ? TROUBLE : 0;
}
