#include "bench/unit.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/error.h"
#include "bench/leash.h"
#include "correctness/check.h"
#include "correctness/input.h"
#include "correctness/reference.h"
#include "reports/reward.h"

volatile int unit_interrupted;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct arm_state {
    struct check_row row;
    enum outcome outcome;
    int number; /* in the runner */
};

struct work {
    const struct plan *plan;
    const struct unit *unit;
    struct unit_result *result;
    struct leash leash;
    struct arm_state arms[WIRE_ARMS]; /* baselines, then the candidate */
    int arm_count;
    int candidate;   /* index in arms; -1 if none */
    uint64_t lost;   /* bit i: baseline i killed a runner and is left out */
    double deadline; /* of the candidate's checks, on the monotonic clock; 0: none */
    double largest;  /* deviation among the baselines */
};

#define TROUBLE (-1) /* beside enum outcome: our own fault, said through error() */

/* Detail text: whatever is given, then the last lines the runner printed, on one line. */
static void describe(struct arm_state *arm, const char *printed, const char *format, ...) {
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

/* Asks, and turns however the runner ended into the arm's outcome. A fault the runner reports
 * counts against the arm too: after a healthy start only the kernel can have brought it about. */
static int ask(struct work *work, struct arm_state *arm, const struct wire_request *request,
               double limit, struct wire_reply *reply) {
    int code = 0;
    if (unit_interrupted)
        return error("interrupted");
    if (work->deadline > 0 && limit > work->deadline - now())
        limit = fmax(work->deadline - now(), 0.001);
    enum leash_answer answer = leash_ask(&work->leash, request, limit, reply, &code);
    const char *printed = work->leash.printed;
    switch (answer) {
    case LEASH_ANSWERED:
        if (reply->status != 0) {
            describe(arm, printed, "%s", reply->text);
            return arm->outcome = OUTCOME_DEVICE_ERROR;
        }
        if (reply->outcome < 0 || reply->outcome >= OUTCOME_COUNT)
            return error("the runner answered with an unknown outcome, %d", reply->outcome);
        if (reply->outcome != OUTCOME_OK)
            describe(arm, printed, "%s", reply->text);
        return arm->outcome = (enum outcome)reply->outcome;
    case LEASH_TIMED_OUT:
        describe(arm, printed, "killed after %.3g s", limit);
        return arm->outcome = OUTCOME_TIMED_OUT;
    case LEASH_EXITED:
        describe(arm, printed, "exit status %d", code);
        return arm->outcome = OUTCOME_EXITED;
    case LEASH_CRASHED:
        describe(arm, printed, "signal %d (%s)", code, strsignal(code));
        return arm->outcome = OUTCOME_CRASHED;
    case LEASH_TROUBLE:
        break;
    }
    return TROUBLE;
}

/* A call may take ten seconds plus the time of the slowest kernel worth waiting for: 1 GFLOP/s on
 * the host, 100 GFLOP/s on a GPU. */
static double call_limit(const struct plan *plan, struct shape shape) {
    double rate = strcmp(plan->device_kind, "host") == 0 ? 1e9 : 1e11;
    return plan->call_timeout_seconds > 0 ? plan->call_timeout_seconds
                                          : 10 + shape_flops(shape) / rate;
}

/* The libraries are trusted with an hour; a candidate's setup has its own budget. */
static double setup_limit(const struct plan *plan, int candidate) {
    return candidate ? plan->setup_timeout_seconds : 3600;
}

static struct arm_state *new_arm(struct work *work, const char *kernel) {
    struct arm_state *arm = &work->arms[work->arm_count++];
    memset(arm, 0, sizeof *arm);
    arm->number = -1;
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

/* Loads and sets up one arm; an autotuned baseline also chooses. */
static int add_arm(struct work *work, struct arm_state *arm, int candidate, const char *name) {
    static struct wire_request request;
    static struct wire_reply reply;
    memset(&request, 0, sizeof request);
    request.verb = WIRE_ADD;
    request.is_candidate = candidate;
    snprintf(request.name, sizeof request.name, "%s", name);
    int outcome = ask(work, arm, &request, setup_limit(work->plan, candidate), &reply);
    if (outcome != OUTCOME_OK)
        return outcome;
    arm->number = reply.arm;
    arm->row.setup_seconds = reply.seconds;
    arm->row.padding_share = 1 - shape_flops(work->unit->shape) / shape_flops(reply.padded);
    if (candidate || reply.variants == 0)
        return OUTCOME_OK;
    request = (struct wire_request){
        .verb = WIRE_TUNE,
        .index = arm->number,
        .seed = seed_derive(work->plan->seed, SEED_TUNE, (uint64_t)arm->number),
        .warmup_rounds = work->plan->tune_warmup,
        .timed_rounds = work->plan->tune_rounds,
    };
    outcome = ask(work, arm, &request, setup_limit(work->plan, candidate), &reply);
    if (outcome == OUTCOME_OK)
        snprintf(arm->row.variant, sizeof arm->row.variant, "%s", reply.text);
    return outcome;
}

/* One checked call; on OUTCOME_OK C lies in the shared memory. */
static int checked_call(struct work *work, struct arm_state *arm, enum input_kind kind,
                        uint64_t seed, enum wire_poison poison) {
    static struct wire_reply reply;
    struct wire_request request = {.verb = WIRE_CALL,
                                   .index = arm->number,
                                   .input_kind = kind,
                                   .poison = poison,
                                   .seed = seed};
    int outcome = ask(work, arm, &request, call_limit(work->plan, work->unit->shape), &reply);
    if (outcome != OUTCOME_OK)
        return outcome;
    if (isnan(arm->row.first_call_seconds))
        arm->row.first_call_seconds = reply.seconds;
    if (reply.changed_guards) {
        describe(arm, "", "%" PRIu64 " elements around A, B or C were written",
                 reply.changed_guards);
        return arm->outcome = OUTCOME_WROTE_OUTSIDE;
    }
    if (reply.changed_inputs) {
        describe(arm, "", "%" PRIu64 " elements of A or B were changed", reply.changed_inputs);
        return arm->outcome = OUTCOME_INPUT_CHANGED;
    }
    return OUTCOME_OK;
}

static int check_binary(struct work *work, struct arm_state *arm) {
    uint64_t seed = seed_derive(work->plan->seed, SEED_CHECK, 0);
    const float *reference = reference_product(work->unit->shape, INPUT_BINARY, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checked_call(work, arm, INPUT_BINARY, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_exact exact;
    arm->outcome = check_exact(work->leash.shared, reference, work->unit->shape, &exact);
    arm->row.share_compared = (double)exact.compared / (double)exact.total;
    if (arm->outcome == OUTCOME_NAN_LEFT || arm->outcome == OUTCOME_INEXACT)
        describe(arm, "",
                 "first at C[%" PRId64 "][%" PRId64 "]: %g, exact product %g; %" PRId64
                 " NaN and %" PRId64 " wrong of %" PRId64 " entries",
                 exact.row, exact.col, (double)exact.got, (double)exact.want, exact.nan,
                 exact.wrong, exact.compared);
    return arm->outcome;
}

static int check_normal(struct work *work, struct arm_state *arm, int candidate) {
    uint64_t seed = seed_derive(work->plan->seed, SEED_CHECK, 1);
    const float *reference = reference_product(work->unit->shape, INPUT_NORMAL, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checked_call(work, arm, INPUT_NORMAL, seed, WIRE_POISON_NONE);
    if (outcome != OUTCOME_OK)
        return outcome;
    struct check_deviation deviation;
    arm->outcome = check_deviation(work->leash.shared, reference, work->unit->shape, &deviation);
    if (arm->outcome == OUTCOME_NAN_LEFT) {
        describe(arm, "", "first at C[%" PRId64 "][%" PRId64 "]; %" PRId64 " NaN on normal inputs",
                 deviation.row, deviation.col, deviation.nan);
        return arm->outcome;
    }
    arm->row.deviation = deviation.largest;
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
    describe(arm, "", "C[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
             deviation.row, deviation.col, (double)deviation.got, (double)deviation.want,
             deviation.largest, arm->row.bound);
    return arm->outcome = OUTCOME_DEVIATES;
}

/* Whether the kernel's product survives that one copy of B is all NaN: then it does not read it. */
static int survives_poison(struct work *work, struct arm_state *arm, enum wire_poison poison,
                           bool *survived) {
    struct check_exact exact;
    uint64_t seed = seed_derive(work->plan->seed, SEED_CHECK, 0);
    const float *reference = reference_product(work->unit->shape, INPUT_BINARY, seed);
    if (!reference)
        return TROUBLE;
    int outcome = checked_call(work, arm, INPUT_BINARY, seed, poison);
    if (outcome == OUTCOME_OK)
        *survived =
            check_exact(work->leash.shared, reference, work->unit->shape, &exact) == OUTCOME_OK;
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

/* Everything before timing, for one arm. */
static int prove(struct work *work, struct arm_state *arm, int candidate, const char *name) {
    int outcome = add_arm(work, arm, candidate, name);
    if (outcome == OUTCOME_OK)
        outcome = check_binary(work, arm);
    if (outcome == OUTCOME_OK)
        outcome = check_normal(work, arm, candidate);
    if (outcome == OUTCOME_OK && candidate)
        outcome = probe_layout(work, arm);
    return outcome;
}

/* compute-sanitizer's own exit status when it found something. */
#define MEMCHECK_FOUND 86

/* Starts a runner, under another program unless NULL, and opens the device for the unit's shape. */
static int open_leash(const struct work *work, struct leash *leash, const char *const *program) {
    static struct wire_reply reply;
    struct shape s = work->unit->shape;
    struct wire_request request = {.verb = WIRE_OPEN,
                                   .shape = s,
                                   .ordinal = work->plan->ordinal,
                                   .accumulate = work->plan->accumulate,
                                   .workspace_bytes = work->plan->workspace_bytes};
    size_t product = (size_t)s.m * (size_t)s.n * sizeof(uint16_t), least = (size_t)4 << 20;
    int code = 0;
    snprintf(request.device_kind, sizeof request.device_kind, "%s", work->plan->device_kind);
    if (leash_start_under(leash, product > least ? product : least, program) < 0)
        return -1;
    if (leash_ask(leash, &request, 300, &reply, &code) != LEASH_ANSWERED)
        return error("the runner died (%d) while opening the device: %s", code, leash->printed);
    if (reply.status != 0)
        return error("%s: %s", reply.text, leash->printed);
    return 0;
}

/* One call of the candidate in a runner of its own under compute-sanitizer, which makes it some
 * hundred times slower. */
static int memcheck(struct work *work, struct arm_state *arm, const char *so) {
    static const char *const program[] = {
        "compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "86",
        "--print-limit",     "1",      NULL};
    static struct wire_request request;
    static struct wire_reply reply;
    struct leash leash;
    int code = 0;
    double limit = 120 + 100 * call_limit(work->plan, work->unit->shape);
    memset(&request, 0, sizeof request);
    request.verb = WIRE_ADD;
    request.is_candidate = 1;
    snprintf(request.name, sizeof request.name, "%s", so);
    if (open_leash(work, &leash, program) < 0) {
        leash_end(&leash);
        return error("--memcheck: is compute-sanitizer on PATH?");
    }
    enum leash_answer answer = leash_ask(&leash, &request, limit, &reply, &code);
    if (answer == LEASH_ANSWERED && reply.outcome == OUTCOME_OK) {
        request.verb = WIRE_CALL;
        request.index = reply.arm;
        request.input_kind = INPUT_BINARY;
        answer = leash_ask(&leash, &request, limit, &reply, &code);
    }
    if (answer == LEASH_ANSWERED)
        code = leash_finish(&leash, 120);
    if (code == MEMCHECK_FOUND || strstr(leash.printed, "Invalid __")) {
        describe(arm, leash.printed, "compute-sanitizer --tool memcheck");
        arm->outcome = OUTCOME_MEMCHECK;
    } else if (answer != LEASH_ANSWERED || code != 0) {
        snprintf(arm->row.note, sizeof arm->row.note,
                 "memcheck did not end well (%d), though the call alone did: %.300s", code,
                 leash.printed);
    }
    leash_end(&leash);
    return 0;
}

/* Whether the runner can go on after this outcome of an arm. */
static bool survives(enum outcome outcome) {
    return outcome != OUTCOME_DEVICE_ERROR && outcome != OUTCOME_TIMED_OUT &&
           outcome != OUTCOME_EXITED && outcome != OUTCOME_CRASHED;
}

/* Sets up and checks the baselines. One that takes the runner down is left out of the next attempt:
 * returns 1 for another attempt, 0 when done, -1 on trouble. */
static int prove_baselines(struct work *work) {
    for (int i = 0; i < work->plan->baseline_count; i++) {
        if (work->lost & (UINT64_C(1) << i))
            continue;
        struct arm_state *arm = new_arm(work, work->plan->baselines[i]);
        int outcome = prove(work, arm, 0, work->plan->baselines[i]);
        if (outcome == TROUBLE)
            return -1;
        if (survives((enum outcome)outcome))
            continue;
        snprintf(arm->row.outcome, sizeof arm->row.outcome, "%s", outcome_word(arm->outcome));
        if (rows_add_check(&work->result->rows, &arm->row) < 0)
            return -1;
        work->lost |= UINT64_C(1) << i;
        return 1;
    }
    return 0;
}

static double known(int64_t value) {
    return value < 0 ? NAN : (double)value;
}

static int prove_candidate(struct work *work, const struct built *built) {
    const struct candidate *candidate = work->unit->candidate;
    struct arm_state *arm = new_arm(work, candidate->label);
    work->candidate = work->arm_count - 1;
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
        describe(arm, "", "%s", built->message);
        return 0;
    }
    if (work->plan->shape_timeout_seconds > 0)
        work->deadline = now() + work->plan->shape_timeout_seconds;
    int outcome = prove(work, arm, 1, built->so);
    work->deadline = 0;
    if (outcome == OUTCOME_OK && work->plan->memcheck)
        return memcheck(work, arm, built->so);
    return outcome == TROUBLE ? -1 : 0;
}

/* Times the arms that passed, `seconds` long, into series (NULL: warm-up, nothing kept). Returns an
 * outcome with *failed set to the arm concerned, or TROUBLE. */
static int time_arms(struct work *work, enum plan_mode mode, uint64_t seed, double seconds,
                     struct series *series, struct arm_state **failed) {
    static struct wire_reply reply;
    struct wire_request request = {
        .verb = WIRE_TIME, .server = mode == MODE_SERVER, .qps = work->plan->qps, .seed = seed};
    struct arm_state *by_slot[WIRE_ARMS] = {NULL};
    if (work->plan->count_padding && work->candidate >= 0) {
        const char *layout = work->arms[work->candidate].row.layout;
        request.count_padding = (strcmp(layout, "tn") != 0 ? WIRE_PAD_NN : 0) |
                                (strcmp(layout, "nn") != 0 ? WIRE_PAD_TN : 0);
    }
    for (int i = 0; i < work->arm_count; i++)
        if (work->arms[i].outcome == OUTCOME_OK) {
            by_slot[request.arm_count] = &work->arms[i];
            request.arms[request.arm_count++] = work->arms[i].number;
        }
    if (request.arm_count == 0)
        return OUTCOME_OK;
    double block_limit = request.arm_count * call_limit(work->plan, work->unit->shape);
    if (mode == MODE_SERVER)
        block_limit += 20 * request.arm_count / work->plan->qps;
    for (double spent = 0; spent < seconds;) {
        /* Short batches keep the judge in the picture; a whole block is always finished. */
        request.seconds = fmin(0.5, seconds - spent);
        struct arm_state harness = {0};
        int outcome = ask(work, &harness, &request, request.seconds + block_limit, &reply);
        if (outcome == TROUBLE)
            return TROUBLE;
        if (outcome != OUTCOME_OK) {
            /* Which arm it was is known only when the runner lived to tell; else it is the one arm
             * that is not a library. */
            *failed = work->candidate >= 0 ? &work->arms[work->candidate] : by_slot[0];
            for (int i = 0; i < request.arm_count; i++)
                if (survives((enum outcome)outcome) && request.arms[i] == reply.arm)
                    *failed = by_slot[i];
            (*failed)->outcome = (enum outcome)outcome;
            snprintf((*failed)->row.detail, sizeof(*failed)->row.detail, "while timed: %.450s",
                     harness.row.detail);
            return outcome;
        }
        if (series && series_add(series, work->leash.shared, reply.blocks) < 0)
            return TROUBLE;
        request.first_block += reply.blocks;
        spent += reply.seconds;
    }
    return OUTCOME_OK;
}

static int time_mode(struct work *work, enum plan_mode mode, struct arm_state **failed) {
    struct series *series = &work->result->series[work->result->series_count++];
    *series = (struct series){.mode = mode, .candidate = -1};
    for (int i = 0; i < work->arm_count; i++)
        if (work->arms[i].outcome == OUTCOME_OK) {
            if (i == work->candidate)
                series->candidate = series->arms;
            snprintf(series->names[series->arms++], RUNDIR_NAME, "%s", work->arms[i].row.kernel);
        }
    uint64_t warm = seed_derive(work->plan->seed, SEED_WARMUP, (uint64_t)mode);
    uint64_t seed = seed_derive(work->plan->seed, SEED_BLOCK, (uint64_t)mode);
    int outcome = time_arms(work, mode, warm, work->plan->warmup_seconds, NULL, failed);
    if (outcome == OUTCOME_OK)
        outcome = time_arms(work, mode, seed, work->plan->duration_seconds, series, failed);
    return outcome;
}

/* Eq. (3) of the paper for every ratio of the unit; reports/reward.h has the formula. */
static void reward(struct work *work) {
    const struct check_row *check = &work->arms[work->candidate].row;
    for (size_t i = 0; i < work->result->rows.ratio_count; i++) {
        struct ratio_row *row = &work->result->rows.ratios[i];
        row->reward = reward_value(1 + row->speedup, check->deviation, check->code_length,
                                   work->plan->alpha, work->plan->beta);
    }
}

/* Times every wanted mode. A kernel that fails here takes its unit's times with it: a mean over
 * what it did before failing would be a number without a meaning. */
static int time_unit(struct work *work) {
    bool timed = work->arm_count > 0;
    if (work->candidate >= 0)
        timed = work->arms[work->candidate].outcome == OUTCOME_OK;
    bool any = false;
    for (int i = 0; i < work->arm_count; i++)
        any |= work->arms[i].outcome == OUTCOME_OK;
    for (int mode = 0; mode < MODE_COUNT && timed && any; mode++) {
        if (!work->plan->modes[mode])
            continue;
        struct arm_state *failed = NULL;
        int outcome = time_mode(work, (enum plan_mode)mode, &failed);
        if (outcome == TROUBLE)
            return -1;
        if (outcome != OUTCOME_OK) {
            for (int i = 0; i < work->result->series_count; i++)
                series_free(&work->result->series[i]);
            work->result->series_count = 0;
            return 0;
        }
    }
    for (int i = 0; i < work->result->series_count; i++)
        if (series_rows(&work->result->series[i], work->unit, &work->result->rows) < 0)
            return -1;
    if (work->candidate >= 0)
        reward(work);
    return 0;
}

int unit_run(const struct plan *plan, const struct unit *unit, const struct built *built,
             struct unit_result *result) {
    struct work work = {.plan = plan, .unit = unit, .result = result, .candidate = -1};
    work.leash.socket = work.leash.output = -1;
    int status, again;
    do {
        work.arm_count = 0;
        work.largest = 0;
        again = -1;
        if (open_leash(&work, &work.leash, NULL) == 0)
            again = prove_baselines(&work);
        if (again == 1)
            leash_end(&work.leash);
    } while (again == 1);
    status = again;
    if (status == 0 && unit->candidate)
        status = prove_candidate(&work, built);
    if (status == 0)
        status = time_unit(&work);
    for (int i = 0; i < work.arm_count && status == 0; i++) {
        struct check_row *row = &work.arms[i].row;
        snprintf(row->outcome, sizeof row->outcome, "%s", outcome_word(work.arms[i].outcome));
        status = rows_add_check(&result->rows, row);
    }
    leash_end(&work.leash);
    return status;
}

void unit_result_free(struct unit_result *result) {
    rows_free(&result->rows);
    for (int i = 0; i < result->series_count; i++)
        series_free(&result->series[i]);
    memset(result, 0, sizeof *result);
}
