#include "bench/checks/replay_play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/context/unit_reference.h"
#include "bench/context/unit_runner.h"
#include "bench/process/clean_text.h"
#include "bench/replay/recording.h"
#include "correctness/audit/behaviour.h"
#include "correctness/numbers/check.h"
#include "reports/rows/replays.h"
#include "timing/rounds.h"
#include "timing/stats.h"

/* Seconds of timing: the first are not counted. */
#define WARM_SECONDS 0.03
#define TIMED_SECONDS 0.08
#define MOST_BLOCKS 2000
#define LEAST_PAIRS 4 /* single calls beside the library's, for an estimate */

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
    replay->recording = malloc(told->bytes);
    if (!replay->recording) {
        replay->trouble = true;
        error("no memory for a recording of %" PRIu64 " bytes", told->bytes);
        return false;
    }
    memcpy(replay->recording, process->shared, told->bytes);
    replay->bytes = told->bytes;
    return true;
}

/* What kernels the last call launches. A recording that makes no sense has none; the player says
 * so. */
static void note_kernels(struct replay *replay) {
    struct recording recording;
    const char *why;
    uint64_t work = 0;
    if (recording_read(replay->recording, replay->bytes, &recording, &why) != 0)
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
    replay->padded = source->padded;
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

/* The library beside which both are timed: one that does not choose among algorithms, if there is
 * one. NULL without any. */
static const struct arm_state *find_library(const struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    const struct arm_state *found = NULL;
    for (int i = 0; i < checked->arm_count; i++) {
        const struct arm_state *arm = &checked->arms[i];
        if (!arm->built && arm->outcome == OUTCOME_OK &&
            (!found || (found->variant >= 0 && arm->variant < 0)))
            found = arm;
    }
    return found;
}

/* Adds it to the player, with the algorithm that it has natively. Its number there, or -1. */
static int add_library(struct replay *replay, struct runner_process *player,
                       const struct arm_state *library) {
    static struct wire_reply reply;
    struct wire_add add = {.kind = ARM_BASELINE};
    if (!library)
        return -1;
    snprintf(add.name, sizeof add.name, "%s", library->row.kernel);
    if (!replay_ask(replay, player, "a library beside it", wire_add_request(add), &reply))
        return -1;
    const int number = reply.add.arm;
    const struct wire_tune tune = {.arm = number, .variant = library->variant};
    if (library->variant >= 0 &&
        !replay_ask(replay, player, "a library beside it", wire_tune_request(tune), &reply))
        return -1;
    return number;
}

/* Why times are not compared, or NULL. */
static const char *why_untimed(const struct replay *replay, int library) {
    const struct plan *plan = replay->context->plan;
    if (!plan->modes[MODE_OFFLINE] || !(plan_mode_lenses(plan, MODE_OFFLINE) & 1 << LENS_DEVICE))
        return "the device lens is not timed in offline mode";
    if (plan->cache != CACHE_WARM)
        return "a replay is timed with a warm cache only";
    if (plan->count_padding && replay->arm->row.padding_share > 0)
        return "copies of padded operands count natively";
    return library < 0 ? "there is no library to time it beside" : NULL;
}

/* Median of the recording by a lens: calls by themselves, or in a row. */
static double median_of(const float *samples, uint64_t blocks, size_t stride, size_t first,
                        size_t count) {
    double *values = malloc((blocks * count + 1) * sizeof *values);
    size_t kept = 0;
    for (uint64_t b = 0; values && b < blocks; b++)
        for (size_t i = 0; i < count; i++) {
            const double value = (double)samples[b * stride + first + 2 * i];
            if (value > 0 && isfinite(value))
                values[kept++] = value;
        }
    const double median = values && kept > 0 ? stats_median(values, kept) : NAN;
    free(values);
    return median;
}

/* ln(library / kernel) of calls by themselves. Samples whose hold gave up are negative. */
static size_t log_ratios(const float *samples, uint64_t blocks, size_t stride, size_t calls,
                         double *out) {
    size_t count = 0;
    for (uint64_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < calls; i++) {
            const double kernel = (double)samples[b * stride + 2 * i];
            const double library = (double)samples[b * stride + 2 * i + 1];
            const double ratio = kernel > 0 && library > 0 ? log(library / kernel) : NAN;
            if (isfinite(ratio))
                out[count++] = ratio;
        }
    return count;
}

static void take_times(struct replay *replay, const float *samples, uint64_t blocks) {
    const size_t calls = (size_t)replay->calls, stride = wire_played_floats(replay->calls);
    struct replay_row *row = &replay->row;
    double *x = malloc((blocks * calls + 1) * sizeof *x);
    const size_t count = x ? log_ratios(samples, blocks, stride, calls, x) : 0;
    row->device_seconds = median_of(samples, blocks, stride, 0, calls);
    row->stream_seconds = median_of(samples, blocks, stride, 2 * calls, 1);
    if (count >= LEAST_PAIRS) {
        const struct rounds found = rounds_combine(x, &count, 1, 0.95);
        row->ratio = exp(found.estimate);
        row->error = found.plain_error;
    } else {
        snprintf(row->note, sizeof row->note, "too few replayed calls could be timed");
    }
    free(x);
}

static void time_it(struct replay *replay, struct runner_process *player, int library,
                    const char *name) {
    static struct wire_reply reply;
    struct unit_context *context = replay->context;
    struct wire_time_played time = {.library = library,
                                    .seconds = WARM_SECONDS,
                                    .most_blocks = MOST_BLOCKS,
                                    .seed = replay->drawn};
    const struct replay_row right = replay->row;
    const char *untimed = why_untimed(replay, library);
    if (untimed) {
        snprintf(replay->row.note, sizeof replay->row.note, "times: %s", untimed);
        return;
    }
    snprintf(replay->row.baseline, sizeof replay->row.baseline, "%s", name);
    unit_settle_runners(context);
    bool timed = replay_ask(replay, player, "timed", wire_time_played_request(time), &reply);
    time.seconds = TIMED_SECONDS;
    timed = timed && replay_ask(replay, player, "timed", wire_time_played_request(time), &reply);
    if (timed) {
        take_times(replay, player->shared, reply.time_played.blocks);
        return;
    }
    char why[RUNDIR_TEXT];
    memcpy(why, replay->row.why, sizeof why);
    replay->row = right;
    snprintf(replay->row.note, sizeof replay->row.note, "times: %.480s", why);
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
static bool carry_out(struct replay *replay, struct runner_process *player, int unread) {
    static struct wire_reply first, second;
    const int shown = (int)(replay->drawn % (uint64_t)replay->calls);
    struct wire_play play = {.seed = replay->seed, .secret = replay->secret, .shown = -1};
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

static bool load(struct replay *replay, struct runner_process *player, int *unread) {
    static struct wire_reply reply;
    const struct wire_load load = {.bytes = replay->bytes,
                                   .padded = replay->padded,
                                   .sandbox = replay->context->plan->sandbox};
    const struct wire_load_reply *told = &reply.load;
    const struct shape shape = replay->context->unit->shape, padded = replay->padded;
    if (replay->bytes > player->shared_bytes || padded.m < shape.m || padded.n < shape.n ||
        padded.k < shape.k) {
        replay_cannot(replay, "its recording or its operands are not of a size that can be");
        return false;
    }
    memcpy(player->shared, replay->recording, replay->bytes);
    if (!replay_ask(replay, player, "loaded", wire_load_request(load), &reply))
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
    return true;
}

void replay_play(struct replay *replay) {
    static struct wire_reply reply;
    struct unit_context *context = replay->context;
    struct runner_process player = PROCESS_NONE;
    const struct arm_state *library = find_library(context);
    int unread = 0;
    const int status = unit_open_to_replay(context, &player, RUNNER_PLAYER, &reply);
    replay->trouble = status < 0;
    if (status > 0)
        replay_cannot(replay, context->session->no_replay);
    if (status != 0)
        return;
    const int number = add_library(replay, &player, library);
    if (!replay->trouble && (number >= 0 || !library) && load(replay, &player, &unread) &&
        carry_out(replay, &player, unread))
        time_it(replay, &player, number, library ? library->row.kernel : "");
    unit_drop_runner(context, &player);
}
