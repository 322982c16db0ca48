#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/error.h"
#include "bench/monotonic.h"
#include "bench/nvml.h"
#include "correctness/input.h"
#include "reports/derive.h"
#include "timing/stopping.h"

/* A batch is one request to the runner: short, to keep the judge in the picture, but a whole block
 * is always finished. */
#define BATCH_SECONDS 0.5
#define WARMUP_BATCH_SECONDS 0.1

/* Warm is: three readings in a row agree to this, the clock and, where the card meets its power
 * cap, the power; where they are not told, the speed of the blocks. Below the cap the clock does
 * not depend on the power, which drifts for seconds. */
#define STEADY_CLOCK 0.01
#define STEADY_POWER 0.05
#define STEADY_SPEED 0.05
#define READINGS 1024

/* A unit may take from what others have saved as much as its own share at most. */
#define SAVED_SHARES 1

/* Two right products of the same inputs differ by no more than this many bounds of the deviation
 * check, whose inputs were others. */
#define TOLERANCE_BOUNDS 4

/* Work left after the stop: so much longer than after a library's call is work that escaped. */
#define DRAIN_SECONDS 3e-6
#define DRAIN_SHARE 0.02
#define DRAIN_LEAST 5 /* calls that must have been looked at */

/* What a kernel's process says of its times and what the judge's clock says of them may be so far
 * apart. */
#define CLOCK_SECONDS 5e-6
#define CLOCK_SHARE 0.05
#define CLOCK_TRIES 4
#define CLOCK_BATCH_SECONDS 0.002 /* of the slower arm: shorter than what disturbs is apart */
#define CLOCK_BATCHES 8

/* One mode of a unit being timed. */
struct timing {
    struct work *work;
    enum plan_mode mode;
    int round;
    int lenses; /* bits still wanted */
    struct wire_request request;
    struct wire_reply reply;
    struct arm_state *slots[WIRE_ARMS]; /* in the order of request.arms */
    struct watch_reading reading;
    struct watch_summary summary;
    size_t disturbed, blocks; /* of this round */
    /* Of the reference and the suspect, by the first lens. */
    double reference_seconds, suspect_seconds;
    struct arm_state **failed;
};

static void add_slot(struct timing *t, struct arm_state *arm) {
    t->slots[t->request.arm_count] = arm;
    t->request.arms[t->request.arm_count++] = arm->number;
}

/* The candidate is under suspicion; what its C must be is what the first library makes. */
static void set_suspect(struct timing *t) {
    const struct work *work = t->work;
    t->request.suspect = t->request.reference = -1;
    for (int i = 0; i < t->request.arm_count; i++)
        if (work->candidate >= 0 && t->slots[i] == &work->arms[work->candidate])
            t->request.suspect = i;
        else if (t->request.reference < 0)
            t->request.reference = i;
    if (t->request.suspect < 0 || isnan(t->slots[t->request.suspect]->row.bound))
        t->request.reference = -1;
    else
        t->request.tolerance = TOLERANCE_BOUNDS * t->slots[t->request.suspect]->row.bound;
}

static struct series *find_series(const struct timing *t, int lens) {
    struct unit_result *result = t->work->result;
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].mode == t->mode && (int)result->series[i].lens == lens)
            return &result->series[i];
    return NULL;
}

/* The series of the mode: made in the first round, added to in others. */
static int open_series(struct timing *t) {
    char names[WIRE_ARMS][RUNDIR_NAME];
    struct unit_result *result = t->work->result;
    for (int i = 0; i < t->request.arm_count; i++)
        memcpy(names[i], t->slots[i]->row.kernel, RUNDIR_NAME);
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (t->lenses & 1 << lens && !find_series(t, lens) &&
            series_start(&result->series[result->series_count++], t->mode, (enum wire_lens)lens,
                         (const char(*)[RUNDIR_NAME])names, t->request.arm_count) < 0)
            return -1;
    return 0;
}

/* Puts the outcome on the arm. Returns it. */
static int accuse(struct timing *t, struct arm_state *arm, enum outcome outcome,
                  const char *detail) {
    *t->failed = arm;
    snprintf(arm->row.detail, sizeof arm->row.detail, "%s", detail);
    return arm->outcome = outcome;
}

static size_t stride_of(const struct timing *t) {
    size_t stride = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        stride += t->request.lenses & 1 << lens ? (size_t)t->request.arm_count : 0;
    return stride;
}

/* The runner shares its process with the kernel, so that what it says is a claim: blocks must fit
 * into the memory, samples must be times, and all of them together must have had room in the wall
 * time that the judge has seen pass. */
static int examine(struct timing *t, double wall) {
    struct arm_state *suspect =
        t->work->candidate >= 0 ? &t->work->arms[t->work->candidate] : t->slots[0];
    const float *samples = t->work->leash.shared;
    const size_t stride = stride_of(t);
    char text[320];
    if (t->reply.blocks == 0 ||
        t->reply.blocks > t->work->leash.shared_bytes / sizeof *samples / stride)
        return accuse(t, suspect, OUTCOME_DISHONEST, "it claims blocks that cannot be there");
    double sum = 0;
    for (size_t i = 0; i < t->reply.blocks * stride; i++) {
        if (!isfinite(samples[i]) || samples[i] == 0)
            return accuse(t, suspect, OUTCOME_DISHONEST, "a sample is no time");
        sum += t->request.lenses == 1 << LENS_LATENCY ? 0 : fabs((double)samples[i]);
    }
    if (sum <= wall)
        return OUTCOME_OK;
    snprintf(text, sizeof text, "it claims %.6g s of intervals within %.6g s", sum, wall);
    return accuse(t, suspect, OUTCOME_DISHONEST, text);
}

/* Whether the device had work left when the intervals of the candidate ended. */
static int examine_drains(struct timing *t) {
    const struct wire_reply *reply = &t->reply;
    char text[320];
    if (t->request.suspect < 0 || t->request.reference < 0 || reply->drains < DRAIN_LEAST)
        return OUTCOME_OK;
    const double left = reply->drain_suspect - reply->drain_reference;
    const double limit = fmax(DRAIN_SECONDS, DRAIN_SHARE * t->reference_seconds);
    if (!(left > limit))
        return OUTCOME_OK;
    snprintf(text, sizeof text,
             "the device is busy for %.3g us more after the end of its intervals than after those "
             "of %.60s (median of %d calls; %.3g us are allowed)",
             1e6 * left, t->slots[t->request.reference]->row.kernel, reply->drains, 1e6 * limit);
    return accuse(t, t->slots[t->request.suspect], OUTCOME_ESCAPED, text);
}

/* Asks for one batch. Which arm was at fault is known only when the runner lived to tell; else it
 * is the one arm that is not a library. */
static int batch(struct timing *t) {
    struct work *work = t->work;
    struct arm_state harness = {0};
    double block = t->request.arm_count * work_call_limit(work);
    if (t->mode == MODE_SERVER)
        block += 20 * LENS_COUNT * t->request.arm_count / work->plan->qps;
    if (work->plan->open_loop && t->mode == MODE_SERVER)
        block *= 64; /* arrivals a visit */
    const double start = monotonic_seconds();
    int outcome = work_ask(work, &harness, &t->request, t->request.seconds + block, &t->reply);
    const double wall = monotonic_seconds() - start;
    if (outcome == OUTCOME_OK) {
        watch_read(work->session->watch, &t->reading);
        outcome = examine(t, wall);
        return outcome == OUTCOME_OK ? examine_drains(t) : outcome;
    }
    if (outcome == TROUBLE)
        return outcome;
    *t->failed = work->candidate >= 0 ? &work->arms[work->candidate] : t->slots[0];
    for (int i = 0; i < t->request.arm_count; i++)
        if (work_survives((enum outcome)outcome) && t->request.arms[i] == t->reply.arm)
            *t->failed = t->slots[i];
    (*t->failed)->outcome = (enum outcome)outcome;
    snprintf((*t->failed)->row.detail, sizeof(*t->failed)->row.detail, "while timed: %.450s",
             harness.row.detail);
    return outcome;
}

/* Hands the batch's samples to the series of their lenses. */
static void store(struct timing *t) {
    const float *samples = t->work->leash.shared;
    const int arms = t->request.arm_count;
    const bool disturbed = watch_disturbed(&t->reading, 1);
    const size_t stride = stride_of(t);
    size_t at = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (t->request.lenses & 1 << lens) {
            series_add(find_series(t, lens), samples + at, t->reply.blocks, stride, t->round,
                       t->reading.sm_mhz, disturbed);
            at += (size_t)arms;
        }
    watch_add(&t->summary, &t->reading, 1);
    t->blocks += t->reply.blocks;
    t->disturbed += disturbed ? t->reply.blocks : 0;
}

/* Mean of a slot's seconds by the first lens of the batch. */
static double batch_mean(const struct timing *t, int slot) {
    const float *samples = t->work->leash.shared;
    const size_t stride = stride_of(t);
    double sum = 0;
    for (size_t b = 0; b < t->reply.blocks; b++)
        sum += fabs((double)samples[b * stride + (size_t)slot]);
    return sum / (double)t->reply.blocks;
}

/* From the last warm-up batch: how long the delay control's delay is, a tenth of its baseline's
 * time, and how the stream lens is run: ten calls, fewer of kernels that take long, behind a delay
 * that covers ten launches where the kernels are shorter than those. */
static void set_lengths(struct timing *t) {
    double fastest = INFINITY;
    for (int i = 0; i < t->request.arm_count; i++) {
        double mean = batch_mean(t, i);
        fastest = fmin(fastest, mean);
        if (i == t->request.reference)
            t->reference_seconds = mean;
        if (i == t->request.suspect)
            t->suspect_seconds = mean;
        if (strncmp(t->slots[i]->row.kernel, DERIVE_DELAY, strlen(DERIVE_DELAY)) == 0)
            t->request.planted_seconds = 0.1 * mean;
    }
    t->request.stream_calls = (int)fmax(2, fmin(10, 1e-3 / fastest));
    t->request.stream_delay = fastest < 20e-6 ? 100e-6 : 30e-6;
}

/* Until clock and power are steady (fast), or as long as the plan says (paper). */
static int warm_up(struct timing *t, struct condition_row *row) {
    const struct plan *plan = t->work->plan;
    const bool fast = plan->protocol == PROTOCOL_FAST;
    static double clock[READINGS], power[READINGS], speed[READINGS];
    size_t n = 0;
    bool steady = false, capped = false;
    double spent = 0;
    t->request.seed =
        seed_derive(plan->seed, SEED_WARMUP, (uint64_t)(t->mode + MODE_COUNT * t->round));
    t->request.stream_calls = 2;
    t->request.stream_delay = 30e-6;
    t->request.most_blocks = UINT64_MAX;
    do {
        t->request.seconds = fmin(fast ? WARMUP_BATCH_SECONDS : BATCH_SECONDS,
                                  fmax(plan->warmup_seconds - spent, 0));
        int outcome = batch(t);
        if (outcome != OUTCOME_OK)
            return outcome;
        t->request.first_block += t->reply.blocks;
        spent += t->reply.seconds;
        if (n == READINGS)
            n = 0;
        clock[n] = t->reading.sm_mhz;
        power[n] = t->reading.power_w;
        speed[n++] = (double)t->reply.blocks / t->reply.seconds;
        capped |= t->reading.throttle > 0 && t->reading.throttle & NVML_POWER_CAP;
        steady = isnan(clock[n - 1]) ? stopping_steady(speed, n, STEADY_SPEED)
                                     : stopping_steady(clock, n, STEADY_CLOCK) &&
                                           (!capped || stopping_steady(power, n, STEADY_POWER));
    } while (spent < plan->warmup_seconds && !(fast && steady));
    set_lengths(t);
    row->warmup_seconds += spent;
    snprintf(row->steady, sizeof row->steady, "%s", steady ? "yes" : "no");
    return OUTCOME_OK;
}

/* Whether every ratio of the lens is known well enough in this round. The intervals of R rounds
 * shrink together with the square root of R. The A/A control by the device lens, the sharpest one,
 * is the noise floor that all else is read against: it is to be known twice as well. */
static bool is_narrow(const struct timing *t, int lens) {
    const struct samples *samples = &find_series(t, lens)->samples;
    const struct plan *plan = t->work->plan;
    size_t pairs[SAMPLES_COLUMNS][2];
    size_t count = derive_pairs(samples, unit_label(t->work->unit), pairs);
    for (size_t i = 0; i < count; i++) {
        const char *below = samples->columns[pairs[i][1]];
        const bool floor = lens == LENS_DEVICE && strncmp(below, DERIVE_AA, strlen(DERIVE_AA)) == 0;
        const double wanted = plan->precision * sqrt(plan->rounds) * (floor ? 0.5 : 1);
        struct rounds r = derive_ratio(samples, pairs[i][0], pairs[i][1], t->round);
        if (!stopping_narrow(r.estimate, r.low, r.high, wanted))
            return false;
    }
    return true;
}

/* The paper's protocol times all lenses for a fixed time; the fast one looks now and then and drops
 * the lenses whose ratios are all known, on the width of their intervals alone. */
static int time_blocks(struct timing *t, double seconds) {
    const struct plan *plan = t->work->plan;
    const bool fast = plan->protocol == PROTOCOL_FAST;
    size_t look = STOPPING_LEAST;
    double spent = 0;
    t->request.seed =
        seed_derive(plan->seed, SEED_BLOCK, (uint64_t)(t->mode + MODE_COUNT * t->round));
    t->request.first_block = 0;
    while (spent < seconds && t->lenses) {
        t->request.lenses = t->lenses;
        t->request.seconds = fmin(BATCH_SECONDS, seconds - spent);
        t->request.most_blocks = fast ? look - t->blocks : UINT64_MAX;
        int outcome = batch(t);
        if (outcome != OUTCOME_OK)
            return outcome;
        store(t);
        t->request.first_block += t->reply.blocks;
        spent += t->reply.seconds;
        if (!fast || t->blocks < look)
            continue;
        for (int lens = 0; lens < LENS_COUNT; lens++)
            if (t->lenses & 1 << lens && is_narrow(t, lens))
                t->lenses &= ~(1 << lens);
        while (look <= t->blocks)
            look = stopping_next_look(look);
    }
    return OUTCOME_OK;
}

/* Seconds that this mode may take: its share, and in the fast protocol some of what was saved. */
static double allowed(const struct work *work) {
    const struct plan *plan = work->plan;
    double share = plan->duration_seconds / plan->rounds;
    if (plan->protocol == PROTOCOL_PAPER)
        return share;
    return share + fmax(0, fmin(work->session->saved_seconds, SAVED_SHARES * share));
}

static struct condition_row *find_row(struct work *work, enum plan_mode mode) {
    struct rows *rows = &work->result->rows;
    for (size_t i = 0; i < rows->condition_count; i++)
        if (strcmp(rows->conditions[i].mode, plan_mode_names[mode]) == 0)
            return &rows->conditions[i];
    struct condition_row row = {.shape = work->unit->shape};
    snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(work->unit));
    snprintf(row.mode, sizeof row.mode, "%s", plan_mode_names[mode]);
    plan_device(work->plan, row.device);
    return rows_add_condition(rows, &row) < 0 ? NULL : &rows->conditions[rows->condition_count - 1];
}

/* Means over rounds would hide the round that was throttled: the row shows the last round's clock
 * and power, and times summed over all. */
static void fill_row(const struct timing *t, double wall, struct condition_row *row) {
    const struct unit_result *result = t->work->result;
    double before = row->blocks;
    row->blocks += (double)t->blocks;
    row->disturbed = (row->disturbed * before + (double)t->disturbed) / row->blocks;
    row->wall_seconds += wall;
    row->timed_seconds = 0;
    for (int i = 0; i < result->series_count; i++)
        if (result->series[i].mode == t->mode)
            row->timed_seconds += result->series[i].timed_seconds;
    row->start_seconds = t->work->start_seconds;
    row->check_seconds = t->work->check_seconds;
    row->audit_seconds = t->work->audit_seconds;
    watch_fill(&t->summary, row);
}

/* Wall time a block that the judge's clock sees beside what the runner claims for it, of one arm by
 * the call lens, in batches of so many blocks: the harness's own work, the same for every arm. The
 * least of some batches, since whatever disturbs adds. Negative: an outcome, negated. */
static double overhead(struct timing *t, int slot, uint64_t blocks) {
    const struct wire_request whole = t->request;
    double least = INFINITY;
    int outcome = OUTCOME_OK;
    t->request.lenses = 1 << LENS_CALL;
    t->request.arm_count = 1;
    t->request.arms[0] = whole.arms[slot];
    t->request.suspect = t->request.reference = -1;
    t->request.server = 0;
    t->request.bare = 1;
    t->request.cache = CACHE_WARM;
    t->request.seconds = 3600;
    t->request.most_blocks = blocks;
    for (int i = 0; i < CLOCK_BATCHES && outcome == OUTCOME_OK; i++) {
        const double start = monotonic_seconds();
        outcome = batch(t);
        const double wall = monotonic_seconds() - start;
        least = fmin(least, (wall / (double)t->reply.blocks) - batch_mean(t, 0));
    }
    t->request = whole;
    return outcome == OUTCOME_OK ? least : -(double)outcome;
}

/* Whether the times that the candidate's process claims agree with the judge's clock as those of a
 * library do. */
static int examine_clock(struct timing *t) {
    char text[320];
    double mine = 0, library = 0, limit = 0;
    if (t->request.suspect < 0 || t->request.reference < 0)
        return OUTCOME_OK;
    const double slower = fmax(t->suspect_seconds, t->reference_seconds);
    const uint64_t blocks = (uint64_t)fmax(2, fmin(200, CLOCK_BATCH_SECONDS / slower));
    for (int i = 0; i < CLOCK_TRIES; i++) {
        library = overhead(t, t->request.reference, blocks);
        mine = library < 0 ? library : overhead(t, t->request.suspect, blocks);
        if (mine < 0)
            return -(int)mine;
        limit = fmax(CLOCK_SECONDS, CLOCK_SHARE * fmax(t->suspect_seconds, t->reference_seconds));
        if (fabs(mine - library) <= limit)
            return OUTCOME_OK;
    }
    snprintf(text, sizeof text,
             "a call takes %.4g us more of the judge's time than it claims; a call of %.60s takes "
             "%.4g us more (%.3g us apart are allowed)",
             1e6 * mine, t->slots[t->request.reference]->row.kernel, 1e6 * library, 1e6 * limit);
    return accuse(t, t->slots[t->request.suspect], OUTCOME_DISHONEST, text);
}

static int measure_mode(struct work *work, enum plan_mode mode, int round,
                        struct arm_state **failed) {
    struct session *session = work->session;
    struct condition_row *row = find_row(work, mode);
    struct timing *t = calloc(1, sizeof *t);
    if (!row || !t) {
        free(t);
        return error("no memory to time a unit in");
    }
    *t = (struct timing){.work = work,
                         .mode = mode,
                         .round = round,
                         .lenses = plan_mode_lenses(work->plan, mode),
                         .failed = failed,
                         .request = {.verb = WIRE_TIME,
                                     .server = mode == MODE_SERVER,
                                     .qps = work->plan->qps,
                                     .cache = work->plan->cache}};
    t->request.lenses = t->lenses;
    if (work->plan->count_padding && work->candidate >= 0) {
        const char *layout = work->arms[work->candidate].row.layout;
        t->request.count_padding = (strcmp(layout, "tn") != 0 ? WIRE_PAD_NN : 0) |
                                   (strcmp(layout, "nn") != 0 ? WIRE_PAD_TN : 0);
    }
    for (int i = 0; i < work->arm_count; i++)
        if (work->arms[i].outcome == OUTCOME_OK)
            add_slot(t, &work->arms[i]);
    set_suspect(t);
    for (int i = 0; i < work->control_count; i++)
        add_slot(t, &work->controls[i]);

    int outcome = open_series(t) < 0 ? TROUBLE : warm_up(t, row);
    if (outcome == OUTCOME_OK)
        outcome = examine_clock(t);
    if (outcome == OUTCOME_OK) {
        /* What a sample is must not change between rounds. */
        for (int lens = 0; lens < LENS_COUNT; lens++) {
            struct series *series = find_series(t, lens);
            if (series && round == 0) {
                series->samples.planted_seconds = t->request.planted_seconds;
                series->samples.calls = lens == LENS_STREAM ? (uint64_t)t->request.stream_calls : 1;
            } else if (series) {
                t->request.planted_seconds = series->samples.planted_seconds;
                t->request.stream_calls =
                    lens == LENS_STREAM ? (int)series->samples.calls : t->request.stream_calls;
            }
        }
        const double start = monotonic_seconds();
        outcome = time_blocks(t, allowed(work));
        const double wall = monotonic_seconds() - start;
        session->saved_seconds += work->plan->duration_seconds / work->plan->rounds - wall;
        fill_row(t, wall, row);
    }
    free(t);
    return outcome;
}

/* One more question behind the last: an answer that was forged has left the runner's own behind,
 * and that is what comes now. */
static int close_round(struct work *work, struct arm_state **failed) {
    static struct wire_reply reply;
    const struct wire_request request = {.verb = WIRE_BASELINE};
    struct arm_state *arm = work->candidate >= 0 ? &work->arms[work->candidate] : &work->arms[0];
    *failed = arm;
    return work_ask(work, arm, &request, work_call_limit(work), &reply);
}

int measure_round(struct work *work, int round, struct arm_state **failed) {
    int outcome = OUTCOME_OK;
    for (int mode = 0; mode < MODE_COUNT && outcome == OUTCOME_OK; mode++)
        if (work->plan->modes[mode])
            outcome = measure_mode(work, (enum plan_mode)mode, round, failed);
    return outcome == OUTCOME_OK ? close_round(work, failed) : outcome;
}
