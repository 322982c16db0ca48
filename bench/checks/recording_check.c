#include "bench/checks/recording_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/checks/accumulator_check.h"
#include "bench/checks/findings.h"
#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"
#include "bench/jobs/unit_reference.h"
#include "bench/record/recording.h"
#include "correctness/contract/facts.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "reports/rows/rows.h"

/* One try. */
struct attempt {
    struct unit_context *context;
    struct arm_state *arm;
    struct recording_row row;
    int outcome;   /* or TROUBLE: what this try alone makes of the kernel; row.why says why */
    bool in_doubt; /* another process may come to another outcome */
    bool absent;   /* there is no recorder on this machine */
    int calls;     /* in the sequence */
    uint64_t seed, secret;       /* of the sequence's inputs, and what seals are keyed with */
    uint64_t drawn;              /* decides which call's C is looked at whole */
    struct recorded recorded;    /* the caller's to forget */
    uint64_t own[WIRE_RECORDED]; /* seals of the products of the kernel's own process */
    bool steady;                 /* made again there they had the same bits */
};

/* Ends a try. Returns false, as the steps of a try do that is over. */
enum end { SETTLED, IN_DOUBT };
__attribute__((format(printf, 4, 5))) static bool end_try(struct attempt *attempt, enum end end,
                                                          int outcome, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(attempt->row.why, sizeof attempt->row.why, format, arguments);
    va_end(arguments);
    clean_text(attempt->row.why);
    attempt->outcome = outcome;
    attempt->in_doubt = end == IN_DOUBT;
    return false;
}

/* A fault of ours, which error() has said. */
static bool give_up(struct attempt *attempt) {
    return end_try(attempt, SETTLED, TROUBLE, "%s", "");
}

/* Asks a runner. False, with the try ended, where it does not do as it is asked. */
static bool attempt_ask(struct attempt *attempt, struct runner_process *process, const char *doing,
                        struct wire_request request, struct wire_reply *reply) {
    struct unit_context *context = attempt->context;
    struct arm_state harness = {0};
    snprintf(harness.row.kernel, sizeof harness.row.kernel, "%.48s, %.40s",
             attempt->arm->row.kernel, doing);
    /* Each call that is recorded is made twice and has its time; those before have one's. */
    const double one = unit_call_limit(context);
    const double limit = request.verb == WIRE_ADD      ? one + context->plan->setup_timeout_seconds
                         : request.verb == WIRE_RECORD ? (2 * attempt->calls + 1) * one
                                                       : one;
    const int outcome = unit_ask_process(context, process, &harness, request, limit, reply);
    /* On the stage there is nobody who could do otherwise in another process, or forge a reply. */
    const bool staged = process == &context->session->stage.process;
    const bool forged = outcome == OUTCOME_DISHONEST && !staged;
    if (outcome == TROUBLE)
        return give_up(attempt);
    return outcome == OUTCOME_OK || end_try(attempt, staged || forged ? SETTLED : IN_DOUBT,
                                            forged ? OUTCOME_DISHONEST : OUTCOME_UNRECORDED,
                                            "%s: %.400s", doing, harness.row.detail);
}

/* Out of the memory that the kernel's process can still write to. */
static bool take_recording(struct attempt *attempt, const struct runner_process *process,
                           const struct wire_record_reply *told) {
    if (told->bytes == 0 || told->bytes > process->shared_bytes)
        return end_try(attempt, SETTLED, OUTCOME_UNRECORDED,
                       "its process claims a recording that cannot be there");
    void *bytes = need(told->bytes, 1);
    memcpy(bytes, process->shared, told->bytes);
    attempt->recorded.bytes = bytes;
    attempt->recorded.size = told->bytes;
    attempt->recorded.calls = attempt->calls;
    return true;
}

/* What kernels the last call launches. A recording that makes no sense has none; the player says
 * so. */
static void note_kernels(struct attempt *attempt) {
    struct recording recording;
    const char *why;
    uint64_t work = 0;
    if (recording_read(attempt->recorded.bytes, attempt->recorded.size, &recording, &why) != 0)
        return;
    const uint32_t calls = recording.head.counts[RECORDING_TABLE_calls];
    for (uint32_t i = 0; calls > 0 && i < recording.calls[calls - 1].steps; i++) {
        const struct recording_step *step =
            &recording.steps[recording.calls[calls - 1].first_step + i];
        if (step->kind != RECORDING_LAUNCH)
            continue;
        const char *name =
            recording_name(&recording, recording.functions[step->launch.function].name);
        work = facts_digest(work, name, step->launch.grid, step->launch.block);
    }
    recording_free(&recording);
    snprintf(attempt->row.kernels, sizeof attempt->row.kernels, "%016" PRIx64, work);
}

/* Whether C is right. Else the try ends, with that outcome. */
static bool look_at(struct attempt *attempt, const uint16_t *c, enum end end, int outcome,
                    const char *where) {
    struct unit_context *context = attempt->context;
    const float *reference = unit_reference(context, INPUT_NORMAL);
    const double bound = attempt->arm->row.bound;
    struct check_deviation found;
    if (!reference)
        return give_up(attempt);
    if (check_deviation(context->plan->element, c, reference, context->unit->shape, &found) ==
        OUTCOME_NAN_LEFT)
        return end_try(attempt, end, outcome,
                       "%sC[%" PRId64 "][%" PRId64 "] is NaN; %" PRId64 " are", where,
                       found.place.row, found.place.col, found.nan);
    return found.largest <= bound ||
           end_try(attempt, end, outcome,
                   "%sC[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
                   where, found.place.row, found.place.col, (double)found.place.got,
                   (double)found.place.want, found.largest, bound);
}

/* Calls before the sequence: a kernel that cheats after some calls does then. */
#define UNKEPT_LEAST 64
#define UNKEPT_MOST 255

/* The work of all calls in a sequence has so many operations at most, but for two calls. */
#define LEAST_CALLS 2
#define WORK_FLOPS 2e13

static int unkept_calls(struct shape shape, uint64_t draw) {
    const double drawn = (double)(UNKEPT_LEAST + draw % (UNKEPT_MOST - UNKEPT_LEAST + 1));
    return (int)fmin(drawn, WORK_FLOPS / shape_flops(shape));
}

int recording_check_calls(const struct unit_context *context) {
    const double calls = WORK_FLOPS / shape_flops(context->unit->shape);
    return (int)fmin(unit_row_calls(context), fmax(LEAST_CALLS, calls));
}

/* The recorder has the kernel set up. *number is that of its arm. */
static bool set_up(struct attempt *attempt, struct runner_process *process, uint32_t fill,
                   int *number) {
    struct unit_context *context = attempt->context;
    static struct wire_reply reply;
    struct wire_add add =
        arm_request(context, attempt->arm, ARM_CANDIDATE, attempt->arm->built->so);
    add.fill = fill;
    const int status = unit_open(context, RUNNER_RECORDER, process);
    attempt->absent = status > 0;
    if (attempt->absent)
        return false;
    if (status < 0 || unit_reference_make(context, process) < 0)
        return give_up(attempt);
    if (!attempt_ask(attempt, process, "its setup fails when recorded", wire_add_request(add),
                     &reply))
        return false;
    *number = reply.add.arm;
    return true;
}

/* The calls of that arm are recorded, and the facts of them judged, unless they are. */
static bool record_calls(struct attempt *attempt, struct runner_process *process, int number,
                         bool *judged) {
    static struct wire_reply reply;
    static struct facts facts;
    struct unit_context *context = attempt->context;
    const int before =
        unkept_calls(context->unit->shape, seed_derive(attempt->drawn, SEED_BETWEEN, 0));
    const struct wire_record record = {.arm = number,
                                       .unkept = attempt->calls + before,
                                       .calls = attempt->calls,
                                       .seed = attempt->seed,
                                       .secret = attempt->secret};
    const struct wire_record_reply *told = &reply.record;
    attempt->recorded.padded = attempt->arm->padded;
    attempt->recorded.operands = unit_operands(context, attempt->arm);
    if (!attempt_ask(attempt, process, "its calls fail when recorded", wire_record_request(record),
                     &reply))
        return false;
    if (!told->recordable)
        return end_try(attempt, SETTLED, OUTCOME_UNRECORDED, "%s", reply.text);
    facts_take(wire_facts(process->shared, process->shared_bytes), &facts);
    const int outcome = *judged ? OUTCOME_OK : findings_report_facts(context, attempt->arm, &facts);
    *judged = true;
    if (outcome != OUTCOME_OK)
        return end_try(attempt, SETTLED, outcome, "%.500s", attempt->arm->row.detail);
    memcpy(attempt->own, told->seals, sizeof attempt->own);
    attempt->steady =
        memcmp(told->seals, told->again, (size_t)attempt->calls * sizeof *told->seals) == 0;
    if (!take_recording(attempt, process, told))
        return false;
    note_kernels(attempt);
    return true;
}

/* Whether the kernel still makes a right product in its own process, now that it is recorded. */
static bool call_there(struct attempt *attempt, struct runner_process *process, int number) {
    static struct wire_reply reply;
    const struct wire_call call = {.arm = number,
                                   .input_kind = INPUT_NORMAL,
                                   .seed = unit_reference_seed(attempt->context, INPUT_NORMAL)};
    return attempt_ask(attempt, process, "called", wire_call_request(call), &reply) &&
           look_at(attempt, process->shared, SETTLED, OUTCOME_UNSTABLE, "in its own process ");
}

/* Records the kernel in a process of its own, which is gone then: it takes no memory of the device
 * while the stage works. */
static bool record_kernel(struct attempt *attempt, uint32_t fill, bool *judged) {
    struct runner_process process = PROCESS_NONE;
    int number = 0;
    const bool recorded = set_up(attempt, &process, fill, &number) &&
                          record_calls(attempt, &process, number, judged) &&
                          call_there(attempt, &process, number);
    unit_drop_runner(attempt->context, &process);
    return recorded;
}

static bool load_on_stage(struct attempt *attempt, int *arm) {
    static struct wire_reply reply;
    struct unit_context *context = attempt->context;
    const struct wire_add_reply *told = &reply.add;
    if (attempt->recorded.size > context->session->stage.process.shared_bytes)
        return end_try(attempt, SETTLED, OUTCOME_UNRECORDED,
                       "its recording is not of a size that can be");
    if (!attempt_ask(attempt, &context->session->stage.process, "loaded",
                     stage_load_request(context, &attempt->recorded), &reply))
        return false;
    if (told->arm < 0)
        return end_try(attempt, SETTLED, OUTCOME_UNRECORDED, "%s", reply.text);
    if (told->calls != attempt->calls)
        return end_try(attempt, SETTLED, OUTCOME_UNRECORDED,
                       "its process claims another number of calls");
    attempt->row.calls = told->calls;
    *arm = told->arm;
    return true;
}

/* Holds the bits of the stage against those of the kernel's own process. The call that is shown had
 * other inputs the second time. */
static bool compare_bits(struct attempt *attempt, const uint64_t *seals, const uint64_t *again,
                         int shown, bool *varies) {
    int same = 0;
    *varies = false;
    for (int i = 0; i < attempt->calls; i++) {
        same += seals[i] == attempt->own[i];
        *varies |= i != shown && seals[i] != again[i];
    }
    attempt->row.same_calls = same;
    return same == attempt->calls || !attempt->steady || *varies ||
           end_try(attempt, IN_DOUBT, OUTCOME_DISHONEST,
                   "%d of %d products have other bits than those of its own process, which are the "
                   "same each time",
                   attempt->calls - same, attempt->calls);
}

static bool accuses(const struct attempt *attempt) {
    return attempt->outcome == OUTCOME_DISHONEST || attempt->outcome == OUTCOME_UNSTABLE;
}

/* The call of a recording that an interval by device carries out. */
#define TIMED_CALL 0

/* The recorded calls on the stage, in their order. The one that is shown (its number, input_kind and
 * seed; NULL: none) has other inputs, and its C comes in place of its seal. It is the last where
 * nobody wants seals. */
static bool make_calls(struct attempt *attempt, int arm, const struct wire_call *shown,
                       uint64_t *seals) {
    static struct wire_reply reply;
    const int last = seals ? attempt->calls - 1 : shown->call;
    for (int i = 0; i <= last; i++) {
        struct wire_call call = {.call = i,
                                 .input_kind = INPUT_NORMAL,
                                 .seed = seed_derive(attempt->seed, SEED_BLOCK, (uint64_t)i),
                                 .secret = attempt->secret};
        if (shown && shown->call == i)
            call = *shown;
        call.arm = arm;
        if (!attempt_ask(attempt, &attempt->context->session->stage.process,
                         shown ? "carried out again" : "carried out", wire_call_request(call),
                         &reply))
            return false;
        if (seals)
            seals[i] = reply.call.seal;
    }
    return true;
}

/* What its own process has shown of its accumulator need not be true of what was recorded, as a
 * kernel can tell that it is recorded. */
static bool is_precise(struct attempt *attempt, int arm, int call) {
    struct unit_context *context = attempt->context;
    const struct wire_call shown = {
        .call = call, .input_kind = INPUT_PROBE, .seed = accumulator_seed(context)};
    if (!*attempt->arm->row.seen) /* nor was its own process asked */
        return true;
    if (!make_calls(attempt, arm, &shown, NULL))
        return false;
    const int outcome =
        accumulator_recorded(context, attempt->arm, context->session->stage.process.shared);
    return outcome == OUTCOME_OK ||
           end_try(attempt, SETTLED, outcome, "%.500s", attempt->arm->row.detail);
}

/* The sequence on the inputs that it was recorded with, and then with a drawn call on those of the
 * reference product, which the recorder has never seen, and on those of the probe. The call that is
 * timed by device is always asked for its accumulator. */
static bool carry_out(struct attempt *attempt, int arm) {
    const struct wire_call shown = {.call = (int32_t)(attempt->drawn % (uint64_t)attempt->calls),
                                    .input_kind = INPUT_NORMAL,
                                    .seed = unit_reference_seed(attempt->context, INPUT_NORMAL)};
    uint64_t seals[WIRE_RECORDED] = {0}, again[WIRE_RECORDED] = {0};
    bool varies;
    if (!make_calls(attempt, arm, NULL, seals) || !make_calls(attempt, arm, &shown, again))
        return false;
    const bool same = compare_bits(attempt, seals, again, shown.call, &varies);
    /* Bits that differ each time are those of a race, which is a fault and no lie. */
    return look_at(attempt, attempt->context->session->stage.process.shared, IN_DOUBT,
                   varies ? OUTCOME_UNSTABLE : OUTCOME_DISHONEST, "") &&
           same && is_precise(attempt, arm, shown.call) &&
           (shown.call == TIMED_CALL || is_precise(attempt, arm, TIMED_CALL));
}

/* On the stage. One that has not carried a recording out to its end, with the right products, cannot
 * be trusted. */
static void play_on_stage(struct attempt *attempt) {
    int arm = 0;
    if (stage_take(attempt->context) < 0) {
        give_up(attempt);
        return;
    }
    if (!load_on_stage(attempt, &arm) || !carry_out(attempt, arm))
        stage_drop(attempt->context);
}

static const char *result_of(const struct attempt *attempt) {
    return accuses(attempt)                            ? "wrong"
           : attempt->outcome != OUTCOME_OK            ? "no"
           : attempt->row.same_calls == attempt->calls ? "same"
                                                       : "right";
}

/* What has been shown to be right is the unit's from now on. */
static void keep_recording(struct attempt *attempt) {
    struct recorded *kept = &attempt->context->recorded[unit_which(attempt->context, attempt->arm)];
    recorded_forget(kept);
    *kept = attempt->recorded;
    attempt->recorded = (struct recorded){.bytes = NULL};
}

/* One try, and its row. */
static struct attempt try_once(struct unit_context *context, struct arm_state *arm, int number,
                               uint32_t fill, bool *judged) {
    const uint64_t seed = unit_secret_seed(context), draw = 4 * (uint64_t)number;
    struct attempt attempt = {
        .context = context,
        .arm = arm,
        .row = {.shape = context->unit->shape,
                .number = number,
                .calls = NAN,
                .same_calls = NAN,
                .seconds = NAN},
        .calls = recording_check_calls(context),
        .seed = seed_derive(seed, SEED_RECORDING, draw),
        .secret = seed_derive(seed, SEED_RECORDING, draw + 1),
        .drawn = seed_derive(seed, SEED_RECORDING, draw + 2),
    };
    snprintf(attempt.row.candidate, sizeof attempt.row.candidate, "%s", unit_label(context->unit));
    snprintf(attempt.row.kernel, sizeof attempt.row.kernel, "%s", arm->row.kernel);
    const double start = clock_seconds();
    if (record_kernel(&attempt, fill, judged))
        play_on_stage(&attempt);
    attempt.row.seconds = clock_seconds() - start;
    snprintf(attempt.row.result, sizeof attempt.row.result, "%s", result_of(&attempt));
    if (attempt.outcome == OUTCOME_OK && !attempt.absent)
        keep_recording(&attempt);
    recorded_forget(&attempt.recorded);
    if (attempt.outcome != TROUBLE && !attempt.absent)
        rows_add_recording(&context->result->rows, &attempt.row);
    return attempt;
}

int recording_check(struct unit_context *context, struct arm_state *arm) {
    const struct rows *rows = &context->result->rows;
    int number = 1;
    for (size_t i = 0; i < rows->recording_count; i++)
        number += strcmp(rows->recordings[i].kernel, arm->row.kernel) == 0;
    bool judged = number > 1;
    struct attempt last = try_once(context, arm, number, RECORDING_UNWRITTEN, &judged);
    bool twice = accuses(&last);
    if (last.in_doubt) {
        const struct attempt first = last;
        last = try_once(context, arm, number + 1, twice ? 0 : RECORDING_UNWRITTEN, &judged);
        /* What was wrong stays so where its author keeps the second process from being recorded. */
        if (twice && last.outcome == OUTCOME_UNRECORDED) {
            last = first;
            twice = false;
        }
    }
    if (last.outcome == TROUBLE || arm->outcome != OUTCOME_OK) /* by the facts of its calls */
        return last.outcome;
    if (last.absent)
        snprintf(arm->row.note, sizeof arm->row.note, "not recorded on this machine: %.400s",
                 context->session->no_recorder);
    if (last.outcome == OUTCOME_UNRECORDED)
        return findings_report(context, arm, FINDINGS_CALLS, FINDING_UNRECORDED, "%s",
                               last.row.why);
    if (accuses(&last))
        arm_describe(arm, "", "%s: %.400s",
                     !last.in_doubt ? "while it was recorded"
                     : twice        ? "carried out without its library, in two of two processes"
                             : "carried out without its library; it failed in another process",
                     last.row.why);
    /* One process alone shows no lie. */
    if (last.in_doubt && !twice)
        last.outcome = OUTCOME_UNSTABLE;
    return arm->outcome = (enum outcome)last.outcome;
}

static bool tunes_itself(const struct unit_context *context, const struct arm_state *kernel) {
    return rows_found(&context->result->rows, kernel->row.kernel,
                      finding_words[FINDING_SELF_TUNING].word);
}

bool recording_check_is_due(struct unit_context *context, const struct arm_state *kernel) {
    /* Nobody audits calls of an earlier release, so it is not known whether that tunes itself. It is
     * recorded anew wherever its successor is. */
    const struct arm_state *candidate = unit_candidate(context);
    return kernel->outcome == OUTCOME_OK &&
           context->recorded[unit_which(context, kernel)].bytes != NULL &&
           ((candidate && tunes_itself(context, candidate)) || tunes_itself(context, kernel));
}

void recording_check_note_work(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    for (int k = 0; k < UNIT_KERNELS; k++) {
        const struct arm_state *kernel = unit_kernel(context, k);
        for (size_t i = 0; i < rows->recording_count && kernel && kernel->work != 0; i++)
            if (strcmp(rows->recordings[i].kernel, kernel->row.kernel) == 0)
                snprintf(rows->recordings[i].own_kernels, sizeof rows->recordings[i].own_kernels,
                         "%016" PRIx64, kernel->work);
    }
}
