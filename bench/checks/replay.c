#include "bench/checks/replay.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/checks/audit.h"
#include "bench/context/arm_calls.h"
#include "bench/context/recordings.h"
#include "bench/context/stage.h"
#include "bench/context/unit_reference.h"
#include "bench/context/unit_runner.h"
#include "bench/replay/recording.h"
#include "correctness/contract/facts.h"
#include "correctness/numbers/check.h"
#include "correctness/numbers/input.h"
#include "reports/rows/replays.h"

/* A runner that records, and what is known of the kernel in it. */
struct replay_source {
    struct runner_process process;
    int arm;
};

/* One try. */
struct replay {
    struct unit_context *context;
    struct arm_state *arm;
    struct replay_row row;
    int calls, unkept;              /* in the sequence, and before it */
    uint64_t seed, secret;          /* of the sequence's inputs, and what seals are keyed with */
    uint64_t drawn;                 /* decides which call's C is looked at whole */
    struct recorded recorded;       /* the caller's to forget */
    uint64_t native[WIRE_RECORDED]; /* seals of the native products */
    bool steady;                    /* made again natively they had the same bits */
    enum process_answer answer;     /* to what was asked last */
    bool forged;                    /* somebody has answered in the recorder's stead */
    bool failed;                    /* the kernel did, by its own doing */
    bool told;                      /* the facts of its calls are */
    bool absent;                    /* there is no recorder */
    bool trouble;                   /* our own fault, said through error() */
};

/* Notes why the kernel's calls are no recording. */
static void replay_cannot(struct replay *replay, const char *why) {
    snprintf(replay->row.result, sizeof replay->row.result, "no");
    snprintf(replay->row.why, sizeof replay->row.why, "%.500s", why);
    clean_text(replay->row.why);
}

static const char *how_it_ended(enum process_answer answer) {
    return answer == PROCESS_TIMED_OUT ? "its time limit"
           : answer == PROCESS_EXITED  ? "the process ended"
           : answer == PROCESS_CRASHED ? "the process crashed"
           : answer == PROCESS_FORGED  ? "somebody answered in its process's stead"
                                       : "";
}

/* Asks a runner. False, with the row's reason, where it does not do as it is asked. */
static bool replay_ask(struct replay *replay, struct runner_process *process, const char *doing,
                       struct wire_request request, struct wire_reply *reply) {
    /* Each call of the sequence, which is made twice, has its time; those before it have one's. */
    const double one = unit_call_limit(replay->context);
    const double limit = request.verb == WIRE_ADD
                             ? one + replay->context->plan->setup_timeout_seconds
                             : (2 * replay->calls + 1) * one;
    char why[RUNDIR_TEXT];
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, limit, reply, &code);
    const bool answered = answer == PROCESS_ANSWERED;
    replay->answer = answer;
    replay->trouble = answer == PROCESS_TROUBLE || (answered && reply->status != 0);
    replay->context->session->killed |= answer == PROCESS_CRASHED && code == SIGKILL;
    if (answered && reply->status != 0)
        error("%s, %s, %s: %s", unit_label(replay->context->unit), replay->arm->row.kernel, doing,
              reply->text);
    if (answered && reply->status == 0 && reply->outcome == OUTCOME_OK)
        return true;
    replay->failed = !replay->trouble && answer != PROCESS_FORGED;
    snprintf(why, sizeof why, "%s: %.200s%s%.200s", doing,
             answered ? reply->text : how_it_ended(answer),
             !answered && *process->printed ? "; printed: " : "", answered ? "" : process->printed);
    replay_cannot(replay, why);
    return false;
}

/* A reply that nobody but the kernel can have made. */
static void note_forgery(struct replay *replay) {
    replay->forged = true;
    arm_describe(replay->arm, "", "it answered the judge in its process's stead when recorded");
    replay->arm->outcome = OUTCOME_DISHONEST;
}

/* Out of the memory that the kernel's process can still write to. */
static bool take_recording(struct replay *replay, const struct runner_process *process,
                           const struct wire_record_reply *told) {
    if (told->bytes == 0 || told->bytes > process->shared_bytes) {
        replay_cannot(replay, "its process claims a recording that cannot be there");
        return false;
    }
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

/* False, with the row's reason, where there is no recording to carry out. */
static bool replay_record(struct replay *replay, struct replay_source *source,
                          struct facts *facts) {
    static struct wire_reply reply;
    const struct wire_record record = {.arm = source->arm,
                                       .unkept = replay->unkept,
                                       .calls = replay->calls,
                                       .seed = replay->seed,
                                       .secret = replay->secret};
    const struct wire_record_reply *told = &reply.record;
    replay->recorded.padded = replay->arm->padded;
    replay->recorded.operands = unit_operands(replay->context, replay->arm);
    if (!replay_ask(replay, &source->process, "its calls fail when recorded",
                    wire_record_request(record), &reply))
        return false;
    facts_take(wire_facts(source->process.shared, source->process.shared_bytes), facts);
    replay->told = true;
    if (!told->replayable) {
        replay_cannot(replay, reply.text);
        return false;
    }
    memcpy(replay->native, told->seals, sizeof replay->native);
    replay->steady =
        memcmp(told->seals, told->again, (size_t)replay->calls * sizeof *told->seals) == 0;
    if (!take_recording(replay, &source->process, told))
        return false;
    note_kernels(replay);
    return true;
}

static int same_calls(const struct replay *replay, const uint64_t *seals, int but) {
    int same = 0;
    for (int i = 0; i < replay->calls; i++)
        same += i != but && seals[i] == replay->native[i];
    return same;
}

/* A C that is no product of its inputs. Returns whether it is right; what cannot be told is. */
static bool is_right(struct replay *replay, const uint16_t *c) {
    struct unit_context *context = replay->context;
    const float *reference = unit_reference(context, INPUT_NORMAL);
    struct check_deviation found;
    struct replay_row *row = &replay->row;
    replay->trouble = !reference;
    if (!reference)
        return false;
    const double bound = replay->arm->row.bound;
    if (check_deviation(context->plan->element, c, reference, context->unit->shape, &found) ==
        OUTCOME_NAN_LEFT)
        snprintf(row->why, sizeof row->why, "C[%" PRId64 "][%" PRId64 "] is NaN; %" PRId64 " are",
                 found.row, found.col, found.nan);
    else if (found.largest > bound)
        snprintf(row->why, sizeof row->why,
                 "C[%" PRId64 "][%" PRId64 "] = %g, FP32 product %g: off by %g, bound %g",
                 found.row, found.col, (double)found.got, (double)found.want, found.largest, bound);
    else
        return true;
    return false;
}

/* A kernel whose module has variables that could not be read is no liar for a wrong C. */
static void judge_products(struct replay *replay, const uint64_t *seals, const uint64_t *again,
                           int shown, bool right, int unread) {
    struct replay_row *row = &replay->row;
    const int same = same_calls(replay, seals, -1);
    const bool all = same == replay->calls;
    /* The player's own bits are the same each time, but for the call that had other inputs. */
    bool varies = false;
    for (int i = 0; i < replay->calls; i++)
        varies |= i != shown && seals[i] != again[i];
    row->same_calls = same;
    if (!right || (!all && replay->steady && !varies)) {
        if (right)
            snprintf(row->why, sizeof row->why,
                     "%d of %d products have other bits than the native ones, which are the same "
                     "each time",
                     replay->calls - same, replay->calls);
        snprintf(row->result, sizeof row->result, "%s",
                 right    ? "bits"
                 : varies ? "varies"
                          : "wrong");
        if (unread == 0)
            return;
        char why[RUNDIR_TEXT];
        snprintf(why, sizeof why, "variables of %d modules cannot be read: %.300s", unread,
                 row->why);
        replay_cannot(replay, why);
        return;
    }
    snprintf(row->result, sizeof row->result, "%s", all ? "same" : "right");
}

/* The sequence twice: on the inputs that it was recorded with, and with a drawn call on those of
 * the reference product, which the recorder has never seen. */
static bool carry_out(struct replay *replay, int arm, int unread) {
    static struct wire_reply first, second;
    struct runner_process *player = &replay->context->session->stage.process;
    const int shown = (int)(replay->drawn % (uint64_t)replay->calls);
    struct wire_play play = {
        .arm = arm, .seed = replay->seed, .secret = replay->secret, .shown = -1};
    if (!replay_ask(replay, player, "carried out", wire_play_request(play), &first))
        return false;
    play.shown = shown;
    play.shown_seed = unit_reference_seed(replay->context, INPUT_NORMAL);
    if (!replay_ask(replay, player, "carried out again", wire_play_request(play), &second))
        return false;
    const bool right = is_right(replay, player->shared);
    if (replay->trouble)
        return false;
    judge_products(replay, first.play.seals, second.play.seals, shown, right, unread);
    return replays_right(&replay->row);
}

static bool load_on_stage(struct replay *replay, int *arm, int *unread) {
    static struct wire_reply reply;
    struct unit_context *context = replay->context;
    const struct wire_load_reply *told = &reply.load;
    if (replay->recorded.size > context->session->stage.process.shared_bytes) {
        replay_cannot(replay, "its recording is not of a size that can be");
        return false;
    }
    if (!replay_ask(replay, &context->session->stage.process, "loaded",
                    stage_load_request(context, &replay->recorded), &reply))
        return false;
    if (!told->replayable || told->calls != replay->calls) {
        replay_cannot(replay,
                      told->replayable ? "its process claims another number of calls" : reply.text);
        return false;
    }
    replay->row.calls = told->calls;
    *unread = told->unread;
    *arm = told->arm;
    return true;
}

/* Fills the row: bits and C. A recording that the stage has not carried out to its end leaves no
 * stage that can be trusted. */
static void replay_play(struct replay *replay) {
    struct unit_context *context = replay->context;
    int unread = 0, arm = 0;
    replay->trouble = stage_take(context) < 0;
    if (!replay->trouble &&
        (!load_on_stage(replay, &arm, &unread) || !carry_out(replay, arm, unread)))
        stage_drop(context);
}

/* The work of all calls in a sequence has so many operations at most, but for two calls. */
#define LEAST_CALLS 2
#define WORK_FLOPS 2e13

/* Calls before the sequence: a kernel that cheats after some calls does then. */
#define UNKEPT_LEAST 64
#define UNKEPT_MOST 255

static int unkept_calls(struct shape shape, uint64_t draw) {
    const double drawn = (double)(UNKEPT_LEAST + draw % (UNKEPT_MOST - UNKEPT_LEAST + 1));
    return (int)fmin(drawn, WORK_FLOPS / shape_flops(shape));
}

int replay_calls(const struct unit_context *context) {
    const double calls = WORK_FLOPS / shape_flops(context->unit->shape);
    return (int)fmin(unit_row_calls(context), fmax(LEAST_CALLS, calls));
}

static struct replay begin_replay(struct unit_context *context, struct arm_state *arm, int number) {
    const uint64_t draw = 4 * (uint64_t)number;
    return (struct replay){
        .context = context,
        .arm = arm,
        .row =
            replays_row(context->unit->shape, unit_label(context->unit), arm->row.kernel, number),
        .calls = replay_calls(context),
        .seed = seed_derive(context->seed, SEED_REPLAY, draw),
        .secret = seed_derive(context->seed, SEED_REPLAY, draw + 1),
        .drawn = seed_derive(context->seed, SEED_REPLAY, draw + 2),
    };
}

/* A runner that records, with the kernel set up in it. False where that fails. */
static bool prepare_source(struct replay *replay, struct replay_source *source, uint32_t fill) {
    struct unit_context *context = replay->context;
    static struct wire_reply reply;
    struct wire_add add = arm_request(context, replay->arm, ARM_CANDIDATE, replay->arm->built->so);
    add.fill = fill;
    const int status = unit_open_recorder(context, &source->process, &reply);
    replay->absent = status > 0;
    replay->trouble =
        status < 0 || (status == 0 && unit_reference_make(context, &source->process) < 0);
    if (status != 0 || replay->trouble ||
        !replay_ask(replay, &source->process, "its setup fails when recorded",
                    wire_add_request(add), &reply))
        return false;
    source->arm = reply.add.arm;
    replay->unkept = replay->calls + unkept_calls(context->unit->shape,
                                                  seed_derive(replay->drawn, SEED_BETWEEN, 0));
    return true;
}

/* What has been shown to be right is the unit's from now on. */
static void keep_recording(struct replay *replay) {
    struct recorded *kept = &replay->context->recorded[unit_which(replay->context, replay->arm)];
    if (!replays_right(&replay->row))
        return;
    recordings_forget(kept);
    *kept = replay->recorded;
    replay->recorded = (struct recorded){.bytes = NULL};
}

/* Whether the kernel makes a right product in its own process, now that its recording is taken.
 * Where it does not, nothing is left to be carried out. */
static bool is_right_natively(struct replay *replay, struct replay_source *source) {
    static struct wire_reply reply;
    const struct wire_call call = {.arm = source->arm,
                                   .input_kind = INPUT_NORMAL,
                                   .seed = unit_reference_seed(replay->context, INPUT_NORMAL)};
    if (!replay_ask(replay, &source->process, "called", wire_call_request(call), &reply))
        return false;
    const bool right = is_right(replay, source->process.shared);
    if (!right && !replay->trouble)
        snprintf(replay->row.result, sizeof replay->row.result, "faulty");
    return right;
}

/* Records the kernel in a process of its own. Returns whether there is something to carry out; the
 * process is gone then, so that it takes no memory of the device. */
static bool take_source(struct replay *replay, int tried, struct facts *facts) {
    struct replay_source source = {.process = PROCESS_NONE};
    const uint32_t fill = tried == 1 ? 0 : REPLAY_UNWRITTEN;
    const bool recorded = prepare_source(replay, &source, fill) &&
                          replay_record(replay, &source, facts) &&
                          (tried == 0 || is_right_natively(replay, &source));
    if (replay->answer == PROCESS_FORGED)
        note_forgery(replay);
    unit_drop_runner(replay->context, &source.process);
    return recorded;
}

/* All tries of a kernel. In the second alone new memory holds zeros. */
enum { FAILED_BUT_ZEROS = 1 << 0 | 1 << 2 };
struct tries {
    int first, made; /* the number of its first row */
    bool judged;     /* the facts of its calls are, in the unit's first try that has any */
    bool absent;     /* there is no recorder, which is a note */
    unsigned failed; /* bits: those that the kernel has ended */
};

/* One try, and its row. From the second try on, the kernel is also called natively. Returns an
 * outcome or TROUBLE. */
static int try_once(struct unit_context *context, struct arm_state *arm, struct tries *tries) {
    static struct facts facts;
    struct replay replay = begin_replay(context, arm, tries->first + tries->made);
    const double start = clock_seconds();
    const bool recorded = take_source(&replay, tries->made, &facts);
    int outcome = OUTCOME_OK;
    if (!tries->judged && replay.told) {
        outcome = audit_facts(context, arm, &facts);
        tries->judged = true;
    }
    if (outcome != OUTCOME_OK)
        replay_cannot(&replay, arm->row.detail);
    else if (recorded)
        replay_play(&replay);
    keep_recording(&replay);
    recordings_forget(&replay.recorded);
    replay.row.seconds = clock_seconds() - start;
    if (outcome == TROUBLE || replay.trouble)
        return TROUBLE;
    tries->absent = replay.absent;
    if (replay.absent) {
        snprintf(arm->row.note, sizeof arm->row.note, "not recorded on this machine: %.400s",
                 context->session->no_recorder);
        return OUTCOME_OK;
    }
    tries->failed |= (unsigned)(replay.failed && !recorded) << tries->made;
    rows_add_replay(&context->result->rows, &replay.row);
    return replay.forged ? (int)arm->outcome : outcome;
}

/* Whether to try once more. Products that are right on the stage, but have other bits than the
 * native ones, do not tell that those are right. */
static bool is_in_doubt(const struct replay_row *row, const struct tries *tries) {
    if (tries->made == REPLAYS_TRIES)
        return false;
    if (tries->failed == (1U << tries->made) - 1)
        return true;
    return !replays_none(row) && strcmp(row->result, "faulty") != 0 &&
           (tries->made > 1 || strcmp(row->result, "same") != 0);
}

/* Why a third try may be faulty where the second was right with the native bits. In the second
 * alone new memory holds zeros. */
static const char *what_differs(const struct replay_row *second, const struct replay_row *third) {
    if (strcmp(second->result, "same") != 0 || !*third->kernels)
        return "";
    if (strcmp(second->kernels, third->kernels) != 0)
        return "; it was right in a process in which it launched other kernels";
    return "; it was right where new memory holds zeros: it probably reads what it has not written";
}

/* Why there is no recording. A kernel that fails only where new memory holds no zeros reads what it
 * has not written. */
static int judge_none(struct unit_context *context, struct arm_state *arm,
                      const struct tries *tries, const char *why) {
    if (tries->failed != FAILED_BUT_ZEROS)
        return audit_one(context, arm, "calls", FINDING_UNRECORDED, "%s", why);
    arm_describe(arm, "", "%.400s, where memory that it allocates is not zero, and not where it is",
                 why);
    return arm->outcome = OUTCOME_UNSTABLE;
}

int replay_products(struct unit_context *context, struct arm_state *arm) {
    struct rows *rows = &context->result->rows;
    const struct shape shape = context->unit->shape;
    const char *label = unit_label(context->unit), *kernel = arm->row.kernel;
    struct tries tries = {.first = 1};
    int outcome = OUTCOME_OK;
    for (size_t i = 0; i < rows->replay_count; i++)
        tries.first += strcmp(rows->replays[i].kernel, kernel) == 0;
    tries.judged = tries.first > 1;
    do {
        outcome = try_once(context, arm, &tries);
        tries.made++;
    } while (outcome == OUTCOME_OK && !tries.absent &&
             is_in_doubt(&rows->replays[rows->replay_count - 1], &tries));
    if (outcome != OUTCOME_OK || tries.absent)
        return outcome;
    if (replays_none(&rows->replays[rows->replay_count - 1]))
        return judge_none(context, arm, &tries, rows->replays[rows->replay_count - 1].why);
    const char *accusation = replays_accuse(rows, shape, label, kernel);
    if (!*accusation)
        return outcome;
    const char *why = replays_last(rows, shape, label, kernel)->why;
    if (strcmp(accusation, "faulty") == 0) {
        const struct replay_row *last = &rows->replays[rows->replay_count - 1];
        arm_describe(arm, "", "in another process: %.400s%s", why,
                     tries.made == REPLAYS_TRIES ? what_differs(last - 1, last) : "");
        return arm->outcome = OUTCOME_UNSTABLE;
    }
    /* Memory that is read before it is written, or a race, is a fault and no lie. */
    const bool varies = strcmp(accusation, "varies") == 0;
    arm_describe(arm, "", "replayed without its library: %.400s, in %d of %d processes%s", why,
                 REPLAYS_TRIES, REPLAYS_TRIES,
                 varies ? "; the same call on the same inputs gives other bits each time" : "");
    return arm->outcome = varies ? OUTCOME_UNSTABLE : OUTCOME_DISHONEST;
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
