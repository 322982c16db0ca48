#include "bench/checks/replay.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
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
#include "bench/context/arm_calls.h"
#include "bench/context/recordings.h"
#include "bench/context/stage.h"
#include "bench/context/unit_reference.h"
#include "bench/context/unit_runner.h"
#include "bench/record/recording.h"
#include "correctness/contract/facts.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "reports/rows/replays.h"

/* One try. */
struct replay {
    struct unit_context *context;
    struct arm_state *arm;
    struct replay_row row;
    int outcome;   /* or TROUBLE: what this try alone makes of the kernel; row.why says why */
    bool in_doubt; /* another process may come to another outcome */
    bool absent;   /* there is no recorder on this machine */
    int calls;     /* in the sequence */
    uint64_t seed, secret;          /* of the sequence's inputs, and what seals are keyed with */
    uint64_t drawn;                 /* decides which call's C is looked at whole */
    struct recorded recorded;       /* the caller's to forget */
    uint64_t native[WIRE_RECORDED]; /* seals of the native products */
    bool steady;                    /* made again natively they had the same bits */
};

/* Ends a try. Returns false, as the steps of a try do that is over. */
enum end { SETTLED, IN_DOUBT };
__attribute__((format(printf, 4, 5))) static bool end_try(struct replay *replay, enum end end,
                                                          int outcome, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(replay->row.why, sizeof replay->row.why, format, arguments);
    va_end(arguments);
    clean_text(replay->row.why);
    replay->outcome = outcome;
    replay->in_doubt = end == IN_DOUBT;
    return false;
}

/* A fault of ours, which error() has said. */
static bool give_up(struct replay *replay) {
    return end_try(replay, SETTLED, TROUBLE, "%s", "");
}

static const char *how_it_ended(enum process_answer answer) {
    return answer == PROCESS_TIMED_OUT ? "its time limit"
           : answer == PROCESS_EXITED  ? "the process ended"
           : answer == PROCESS_CRASHED ? "the process crashed"
           : answer == PROCESS_FORGED  ? "somebody answered in its process's stead"
                                       : "";
}

/* Asks a runner. False, with the try ended, where it does not do as it is asked. */
static bool replay_ask(struct replay *replay, struct runner_process *process, const char *doing,
                       struct wire_request request, struct wire_reply *reply) {
    /* Each call of the sequence, which is made twice, has its time; those before it have one's. */
    const double one = unit_call_limit(replay->context);
    const double limit = request.verb == WIRE_ADD
                             ? one + replay->context->plan->setup_timeout_seconds
                             : (2 * replay->calls + 1) * one;
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, limit, reply, &code);
    const bool answered = answer == PROCESS_ANSWERED;
    replay->context->session->killed |= answer == PROCESS_CRASHED && code == SIGKILL;
    if (answered && reply->status != 0)
        error("%s, %s, %s: %s", unit_label(replay->context->unit), replay->arm->row.kernel, doing,
              reply->text);
    if (answer == PROCESS_TROUBLE || (answered && reply->status != 0))
        return give_up(replay);
    if (answered && reply->outcome == OUTCOME_OK)
        return true;
    /* On the stage there is nobody who could do otherwise in another process, or forge a reply. */
    const bool staged = process == &replay->context->session->stage.process;
    if (answer == PROCESS_FORGED && !staged)
        return end_try(replay, SETTLED, OUTCOME_DISHONEST, "%s: %s", doing, how_it_ended(answer));
    return end_try(replay, staged ? SETTLED : IN_DOUBT, OUTCOME_UNRECORDED, "%s: %.200s%s%.200s",
                   doing, answered ? reply->text : how_it_ended(answer),
                   !answered && *process->printed ? "; printed: " : "",
                   answered ? "" : process->printed);
}

/* Out of the memory that the kernel's process can still write to. */
static bool take_recording(struct replay *replay, const struct runner_process *process,
                           const struct wire_record_reply *told) {
    if (told->bytes == 0 || told->bytes > process->shared_bytes)
        return end_try(replay, SETTLED, OUTCOME_UNRECORDED,
                       "its process claims a recording that cannot be there");
    void *bytes = need(told->bytes, 1);
    memcpy(bytes, process->shared, told->bytes);
    replay->recorded.bytes = bytes;
    replay->recorded.size = told->bytes;
    replay->recorded.calls = replay->calls;
    return true;
}

/* What kernels the last call launches. A recording that makes no sense has none; the player says
 * so. */
static void note_kernels(struct replay *replay) {
    struct recording recording;
    const char *why;
    uint64_t work = 0;
    if (recording_read(replay->recorded.bytes, replay->recorded.size, &recording, &why) != 0)
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
    snprintf(replay->row.kernels, sizeof replay->row.kernels, "%016" PRIx64, work);
}

/* Whether C is right. Else the try ends, with that outcome. */
static bool look_at(struct replay *replay, const uint16_t *c, enum end end, int outcome,
                    const char *where) {
    struct unit_context *context = replay->context;
    const float *reference = unit_reference(context, INPUT_NORMAL);
    const double bound = replay->arm->row.bound;
    struct check_deviation found;
    if (!reference)
        return give_up(replay);
    if (check_deviation(context->plan->element, c, reference, context->unit->shape, &found) ==
        OUTCOME_NAN_LEFT)
        return end_try(replay, end, outcome,
                       "%sC[%" PRId64 "][%" PRId64 "] is NaN; %" PRId64 " are", where, found.row,
                       found.col, found.nan);
    return found.largest <= bound ||
           end_try(replay, end, outcome,
                   "%sC[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
                   where, found.row, found.col, (double)found.got, (double)found.want,
                   found.largest, bound);
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

int replay_calls(const struct unit_context *context) {
    const double calls = WORK_FLOPS / shape_flops(context->unit->shape);
    return (int)fmin(unit_row_calls(context), fmax(LEAST_CALLS, calls));
}

/* The recorder has the kernel set up. *number is that of its arm. */
static bool set_up(struct replay *replay, struct runner_process *process, uint32_t fill,
                   int *number) {
    struct unit_context *context = replay->context;
    static struct wire_reply reply;
    struct wire_add add = arm_request(context, replay->arm, ARM_CANDIDATE, replay->arm->built->so);
    add.fill = fill;
    const int status = unit_open_recorder(context, process, &reply);
    replay->absent = status > 0;
    if (replay->absent)
        return false;
    if (status < 0 || unit_reference_make(context, process) < 0)
        return give_up(replay);
    if (!replay_ask(replay, process, "its setup fails when recorded", wire_add_request(add),
                    &reply))
        return false;
    *number = reply.add.arm;
    return true;
}

/* The calls of that arm are recorded, and the facts of them judged, unless they are. */
static bool record_calls(struct replay *replay, struct runner_process *process, int number,
                         bool *judged) {
    static struct wire_reply reply;
    static struct facts facts;
    struct unit_context *context = replay->context;
    const int before =
        unkept_calls(context->unit->shape, seed_derive(replay->drawn, SEED_BETWEEN, 0));
    const struct wire_record record = {.arm = number,
                                       .unkept = replay->calls + before,
                                       .calls = replay->calls,
                                       .seed = replay->seed,
                                       .secret = replay->secret};
    const struct wire_record_reply *told = &reply.record;
    replay->recorded.padded = replay->arm->padded;
    replay->recorded.operands = unit_operands(context, replay->arm);
    if (!replay_ask(replay, process, "its calls fail when recorded", wire_record_request(record),
                    &reply))
        return false;
    if (!told->replayable)
        return end_try(replay, SETTLED, OUTCOME_UNRECORDED, "%s", reply.text);
    facts_take(wire_facts(process->shared, process->shared_bytes), &facts);
    const int outcome = *judged ? OUTCOME_OK : findings_report_facts(context, replay->arm, &facts);
    *judged = true;
    if (outcome != OUTCOME_OK)
        return end_try(replay, SETTLED, outcome, "%.500s", replay->arm->row.detail);
    memcpy(replay->native, told->seals, sizeof replay->native);
    replay->steady =
        memcmp(told->seals, told->again, (size_t)replay->calls * sizeof *told->seals) == 0;
    if (!take_recording(replay, process, told))
        return false;
    note_kernels(replay);
    return true;
}

/* Whether the kernel still makes a right product in its own process, now that it is recorded. */
static bool call_there(struct replay *replay, struct runner_process *process, int number) {
    static struct wire_reply reply;
    const struct wire_call call = {.arm = number,
                                   .input_kind = INPUT_NORMAL,
                                   .seed = unit_reference_seed(replay->context, INPUT_NORMAL)};
    return replay_ask(replay, process, "called", wire_call_request(call), &reply) &&
           look_at(replay, process->shared, SETTLED, OUTCOME_UNSTABLE, "natively ");
}

/* Records the kernel in a process of its own, which is gone then: it takes no memory of the device
 * while the stage works. */
static bool record_kernel(struct replay *replay, uint32_t fill, bool *judged) {
    struct runner_process process = PROCESS_NONE;
    int number = 0;
    const bool recorded = set_up(replay, &process, fill, &number) &&
                          record_calls(replay, &process, number, judged) &&
                          call_there(replay, &process, number);
    unit_drop_runner(replay->context, &process);
    return recorded;
}

static bool load_on_stage(struct replay *replay, int *arm, int *unread) {
    static struct wire_reply reply;
    struct unit_context *context = replay->context;
    const struct wire_add_reply *told = &reply.add;
    if (replay->recorded.size > context->session->stage.process.shared_bytes)
        return end_try(replay, SETTLED, OUTCOME_UNRECORDED,
                       "its recording is not of a size that can be");
    if (!replay_ask(replay, &context->session->stage.process, "loaded",
                    stage_load_request(context, &replay->recorded), &reply))
        return false;
    if (told->arm < 0)
        return end_try(replay, SETTLED, OUTCOME_UNRECORDED, "%s", reply.text);
    if (told->calls != replay->calls)
        return end_try(replay, SETTLED, OUTCOME_UNRECORDED,
                       "its process claims another number of calls");
    replay->row.calls = told->calls;
    *unread = told->unread;
    *arm = told->arm;
    return true;
}

/* Holds the bits of the stage against those of the kernel's own process. The call that is shown had
 * other inputs the second time. */
static bool compare_bits(struct replay *replay, const uint64_t *seals, const uint64_t *again,
                         int shown, bool *varies) {
    int same = 0;
    *varies = false;
    for (int i = 0; i < replay->calls; i++) {
        same += seals[i] == replay->native[i];
        *varies |= i != shown && seals[i] != again[i];
    }
    replay->row.same_calls = same;
    return same == replay->calls || !replay->steady || *varies ||
           end_try(replay, IN_DOUBT, OUTCOME_DISHONEST,
                   "%d of %d products have other bits than the native ones, which are the same "
                   "each time",
                   replay->calls - same, replay->calls);
}

static bool accuses(const struct replay *replay) {
    return replay->outcome == OUTCOME_DISHONEST || replay->outcome == OUTCOME_UNSTABLE;
}

/* What its own process has shown of its accumulator need not be true of what was recorded, as a
 * kernel can tell that it is recorded. */
static bool is_precise(struct replay *replay, struct wire_play play) {
    static struct wire_reply reply;
    struct unit_context *context = replay->context;
    struct runner_process *player = &context->session->stage.process;
    play.shown_kind = INPUT_PROBE;
    play.shown_seed = accumulator_seed(context);
    if (!*replay->arm->row.seen) /* nor was its own process asked */
        return true;
    if (!replay_ask(replay, player, "carried out again", wire_play_request(play), &reply))
        return false;
    const int outcome = accumulator_recorded(context, replay->arm, player->shared);
    return outcome == OUTCOME_OK ||
           end_try(replay, SETTLED, outcome, "%.500s", replay->arm->row.detail);
}

/* The sequence on the inputs that it was recorded with, and then with a drawn call on those of the
 * reference product, which the recorder has never seen, and on those of the probe. */
static bool carry_out(struct replay *replay, int arm) {
    static struct wire_reply first, second;
    struct runner_process *player = &replay->context->session->stage.process;
    const int shown = (int)(replay->drawn % (uint64_t)replay->calls);
    struct wire_play play = {
        .arm = arm, .seed = replay->seed, .secret = replay->secret, .shown = -1};
    bool varies;
    if (!replay_ask(replay, player, "carried out", wire_play_request(play), &first))
        return false;
    play.shown = shown;
    play.shown_seed = unit_reference_seed(replay->context, INPUT_NORMAL);
    if (!replay_ask(replay, player, "carried out again", wire_play_request(play), &second))
        return false;
    const bool same = compare_bits(replay, first.play.seals, second.play.seals, shown, &varies);
    /* Bits that differ each time are those of a race, which is a fault and no lie. */
    return look_at(replay, player->shared, IN_DOUBT, varies ? OUTCOME_UNSTABLE : OUTCOME_DISHONEST,
                   "") &&
           same && is_precise(replay, play);
}

/* On the stage. One that has not carried a recording out to its end, with the right products, cannot
 * be trusted. */
static void play_on_stage(struct replay *replay) {
    int arm = 0, unread = 0;
    if (stage_take(replay->context) < 0) {
        give_up(replay);
        return;
    }
    if (load_on_stage(replay, &arm, &unread) && carry_out(replay, arm))
        return;
    stage_drop(replay->context);
    /* A kernel whose variables could not be read is no liar for a wrong C. */
    if (unread > 0 && accuses(replay)) {
        char why[RUNDIR_TEXT];
        snprintf(why, sizeof why, "%s", replay->row.why);
        end_try(replay, SETTLED, OUTCOME_UNRECORDED,
                "variables of %d modules cannot be read: %.300s", unread, why);
    }
}

static const char *result_of(const struct replay *replay) {
    return accuses(replay)                           ? "wrong"
           : replay->outcome != OUTCOME_OK           ? "no"
           : replay->row.same_calls == replay->calls ? "same"
                                                     : "right";
}

/* What has been shown to be right is the unit's from now on. */
static void keep_recording(struct replay *replay) {
    struct recorded *kept = &replay->context->recorded[unit_which(replay->context, replay->arm)];
    recordings_forget(kept);
    *kept = replay->recorded;
    replay->recorded = (struct recorded){.bytes = NULL};
}

/* One try, and its row. */
static struct replay try_once(struct unit_context *context, struct arm_state *arm, int number,
                              uint32_t fill, bool *judged) {
    const uint64_t draw = 4 * (uint64_t)number;
    struct replay replay = {
        .context = context,
        .arm = arm,
        .row =
            replays_row(context->unit->shape, unit_label(context->unit), arm->row.kernel, number),
        .calls = replay_calls(context),
        .seed = seed_derive(context->seed, SEED_REPLAY, draw),
        .secret = seed_derive(context->seed, SEED_REPLAY, draw + 1),
        .drawn = seed_derive(context->seed, SEED_REPLAY, draw + 2),
    };
    const double start = clock_seconds();
    const struct replay_row *before = replays_last(&context->result->rows, context->unit->shape,
                                                   unit_label(context->unit), arm->row.kernel);
    if (before) /* its last calls have been seen, maybe before the run was resumed */
        memcpy(replay.row.native_kernels, before->native_kernels, sizeof replay.row.native_kernels);
    if (record_kernel(&replay, fill, judged))
        play_on_stage(&replay);
    replay.row.seconds = clock_seconds() - start;
    snprintf(replay.row.result, sizeof replay.row.result, "%s", result_of(&replay));
    if (replay.outcome == OUTCOME_OK && !replay.absent)
        keep_recording(&replay);
    recordings_forget(&replay.recorded);
    if (replay.outcome != TROUBLE && !replay.absent)
        rows_add_replay(&context->result->rows, &replay.row);
    return replay;
}

int replay_products(struct unit_context *context, struct arm_state *arm) {
    const struct rows *rows = &context->result->rows;
    int number = 1;
    for (size_t i = 0; i < rows->replay_count; i++)
        number += strcmp(rows->replays[i].kernel, arm->row.kernel) == 0;
    bool judged = number > 1;
    struct replay last = try_once(context, arm, number, REPLAY_UNWRITTEN, &judged);
    const bool accused = accuses(&last);
    if (last.in_doubt)
        last = try_once(context, arm, number + 1, accused ? 0 : REPLAY_UNWRITTEN, &judged);
    if (last.outcome == TROUBLE || arm->outcome != OUTCOME_OK) /* by the facts of its calls */
        return last.outcome;
    if (last.absent)
        snprintf(arm->row.note, sizeof arm->row.note, "not recorded on this machine: %.400s",
                 context->session->no_recorder);
    if (last.outcome == OUTCOME_UNRECORDED)
        return findings_report_one(context, arm, "calls", FINDING_UNRECORDED, "%s", last.row.why);
    if (accuses(&last))
        arm_describe(arm, "", "%s: %.400s",
                     !last.in_doubt ? "in another process"
                     : accused      ? "replayed without its library, in two of two processes"
                                    : "replayed without its library; it failed in another process",
                     last.row.why);
    /* One process alone shows no lie. */
    if (last.in_doubt && !accused)
        last.outcome = OUTCOME_UNSTABLE;
    return arm->outcome = (enum outcome)last.outcome;
}

int replay_again(struct unit_context *context, struct arm_state **failed) {
    int outcome = OUTCOME_OK;
    /* Nobody audits calls of an earlier release, so it is not known whether that tunes itself. It is
     * recorded anew wherever its successor is. */
    const struct arm_state *candidate = unit_candidate(context);
    const bool tuned = candidate && unit_found(context, candidate, FINDING_SELF_TUNING);
    for (int i = 0; i < UNIT_KERNELS && outcome == OUTCOME_OK; i++) {
        struct arm_state *kernel = unit_kernel(context, i);
        if (!kernel || kernel->outcome != OUTCOME_OK || !context->recorded[i].bytes ||
            !(tuned || unit_found(context, kernel, FINDING_SELF_TUNING)))
            continue;
        *failed = kernel;
        outcome = replay_products(context, kernel);
    }
    return outcome;
}

void replay_note_work(struct unit_context *context) {
    struct rows *rows = &context->result->rows;
    for (int k = 0; k < UNIT_KERNELS; k++) {
        const struct arm_state *kernel = unit_kernel(context, k);
        for (size_t i = 0; i < rows->replay_count && kernel && kernel->work != 0; i++)
            if (strcmp(rows->replays[i].kernel, kernel->row.kernel) == 0)
                snprintf(rows->replays[i].native_kernels, sizeof rows->replays[i].native_kernels,
                         "%016" PRIx64, kernel->work);
    }
}
