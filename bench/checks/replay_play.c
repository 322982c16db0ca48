#include "bench/checks/replay_play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/context/stage.h"
#include "bench/context/unit_reference.h"
#include "bench/context/unit_runner.h"
#include "bench/process/clean_text.h"
#include "bench/replay/recording.h"
#include "correctness/audit/behaviour.h"
#include "correctness/numbers/check.h"
#include "reports/rows/replays.h"

int replay_cannot(struct replay *replay, const char *why) {
    snprintf(replay->row.result, sizeof replay->row.result, "no");
    snprintf(replay->row.why, sizeof replay->row.why, "%.500s", why);
    clean_text(replay->row.why);
    return 0;
}

static const char *how_it_ended(enum process_answer answer) {
    return answer == PROCESS_TIMED_OUT ? "its time limit"
           : answer == PROCESS_EXITED  ? "the process ended"
           : answer == PROCESS_CRASHED ? "the process crashed"
           : answer == PROCESS_FORGED  ? "somebody answered in its process's stead"
                                       : "";
}

bool replay_ask(struct replay *replay, struct runner_process *process, const char *doing,
                struct wire_request request, struct wire_reply *reply) {
    const struct plan *plan = replay->context->plan;
    const double limit = unit_call_limit(replay->context) +
                         (request.verb == WIRE_ADD ? plan->setup_timeout_seconds : 0);
    char why[RUNDIR_TEXT];
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, limit, reply, &code);
    replay->answer = answer;
    replay->trouble = answer == PROCESS_TROUBLE;
    const bool answered = answer == PROCESS_ANSWERED;
    if (answered && reply->status == 0 && reply->outcome == OUTCOME_OK)
        return true;
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
        work += behaviour_kernel(behaviour_symbol(name), step->launch.grid, step->launch.block);
    }
    recording_free(&recording);
    snprintf(replay->row.kernels, sizeof replay->row.kernels, "%016" PRIx64, work);
}

bool replay_record(struct replay *replay, struct replay_source *source) {
    static struct wire_reply reply;
    const struct wire_record record = {.arm = source->arm,
                                       .unkept = replay->unkept,
                                       .calls = replay->calls,
                                       .seed = replay->seed,
                                       .secret = replay->secret};
    const struct wire_record_reply *told = &reply.record;
    replay->recorded.padded = replay->arm->padded;
    replay->recorded.operands = unit_operands(replay->context, replay->arm);
    if (!replay_ask(replay, &source->process, "recorded", wire_record_request(record), &reply)) {
        if (replay->answer == PROCESS_FORGED)
            note_forgery(replay);
        return false;
    }
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
    bool steady = replay->steady;
    for (int i = 0; i < replay->calls; i++)
        steady &= i == shown || seals[i] == again[i];
    row->same_calls = same;
    if (!right || (!all && steady)) {
        if (right)
            snprintf(row->why, sizeof row->why,
                     "%d of %d products have other bits than the native ones, which are the same "
                     "each time",
                     replay->calls - same, replay->calls);
        snprintf(row->result, sizeof row->result, "%s", right ? "bits" : "wrong");
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

static bool load(struct replay *replay, int *arm, int *unread) {
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
    replay->row.streams = told->streams;
    replay->row.side_by_side = told->side_by_side;
    *unread = told->unread;
    *arm = told->arm;
    return true;
}

/* A recording that the stage has not carried out to its end leaves none that can be trusted. */
void replay_play(struct replay *replay) {
    struct unit_context *context = replay->context;
    int unread = 0, arm = 0;
    const int status = stage_take(context);
    replay->trouble = status < 0;
    if (status > 0)
        replay_cannot(replay, context->session->no_replay);
    if (status == 0 && (!load(replay, &arm, &unread) || !carry_out(replay, arm, unread)))
        stage_drop(context);
}
