#include "bench/jobs/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/device/nvml.h"
#include "bench/jobs/batch.h"
#include "bench/jobs/blocks.h"
#include "bench/jobs/energy.h"
#include "bench/jobs/processes.h"
#include "correctness/numbers/input.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"
#include "timing/stopping.h"

/* A batch is one request to the runner: short, to keep the judge in the picture, but a whole block
 * is always finished. */
#define BATCH_SECONDS 0.5
#define WARMUP_BATCH_SECONDS 0.03
#define HOST_BATCH_SECONDS 0.05 /* the same on the host, whose speed is all that it shows */
#define CAPPED_BATCH_SECONDS 0.1
#define BUSY_BATCH_SECONDS 0.01 /* on a GPU that was timed so shortly before: */
#define WARM_SECONDS 1

/* Between looks at what is known, and of a visit's share at most: with what is asked of the card
 * then each costs some 10 ms. */
#define LOOK_SECONDS 0.1
#define LOOK_SHARE 0.2

/* Of all that are precise a visit whose blocks are not counted has BLOCKS_FEW, too, for fewer tell
 * neither what the visit is like nor what a kernel does after its first calls. It may take so many
 * times its share for them. */
#define FEW_BLOCKS_SHARES 4

/* Warm is: three readings in a row agree to this, the clock and, where the card meets its power
 * cap, the power; where they are not told, the speed of the blocks. Below the cap the clock does
 * not depend on the power, which drifts for seconds. */
#define STEADY_CLOCK 0.01
#define STEADY_POWER 0.05
#define STEADY_SPEED 0.05

/* Visits that the lenses in hand will have in all. */
static int visits_of(const struct timing *t) {
    const struct plan *plan = t->context->plan;
    return t->context->staged ? plan->visits : unit_own_visits(t->context);
}

static struct sample_buffer *find_series(const struct timing *t, int lens) {
    return unit_result_series(t->context->result, t->mode, (enum lens)lens, t->context->staged,
                              unit_subject(t->context));
}

/* Visits of other arms are no samples of one unit. Nothing of either is lost. */
static int refuse_arms(const struct timing *t, const struct samples *before) {
    char there[1024] = "", here[1024] = "", id[UNIT_ID];
    for (size_t i = 0; i < before->column_count && before->columns[i][0] != '@'; i++)
        text_append(there, sizeof there, "%s%.80s", i > 0 ? ", " : "", before->columns[i]);
    for (int i = 0; i < t->request.arm_count; i++)
        text_append(here, sizeof here, "%s%.80s", i > 0 ? ", " : "", t->slots[i]->row.kernel);
    return error("visit %d has other arms than the visits before it: %s; they have %s; go on where "
                 "all of these are, or remove units/.%s.visits and have the unit measured from "
                 "its first visit",
                 t->context->visit + 1, here, there, unit_id(t->context->unit, id));
}

/* A series for each lens of the visit: that of the visits before, or a new one. */
static int open_series(struct timing *t) {
    char names[WIRE_ARMS][RUNDIR_NAME];
    const int arms = t->request.arm_count;
    for (int i = 0; i < arms; i++)
        memcpy(names[i], t->slots[i]->row.kernel, RUNDIR_NAME);
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const char(*const arm_names)[RUNDIR_NAME] = (const char(*)[RUNDIR_NAME])names;
        const struct sample_buffer *series = find_series(t, lens);
        if (!(t->lenses & 1 << lens))
            continue;
        if (series && !sample_buffer_fits(series, arm_names, arms))
            return refuse_arms(t, &series->samples);
        if (!series)
            unit_result_start(t->context->result, t->mode, (enum lens)lens,
                              t->context->staged ? PLACE_STAGE : PLACE_OWN, arm_names, arms);
    }
    return 0;
}

/* Hands the batch's samples to the series of their lenses. Returns whether the machine was disturbed
 * meanwhile. */
static bool store_samples(struct timing *t, bool doubles) {
    const int arms = t->request.arm_count, visits = visits_of(t);
    const bool disturbed = gpu_monitor_disturbed(&t->reading, 1);
    struct sample_blocks blocks = {t->samples, t->reply.blocks, wire_block_floats(&t->request),
                                   doubles};
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (t->request.lenses & 1 << lens) {
            sample_buffer_add(find_series(t, lens), &blocks, t->visit, visits, t->reading.sm_mhz,
                              disturbed);
            blocks.values += wire_lens_columns((enum lens)lens) * (size_t)arms;
        }
    gpu_monitor_add(&t->summary, &t->reading);
    return disturbed;
}

/* Delays are whole steps of the coarsest clock by which a GPU can wait (%globaltimer of some). One
 * that is shorter than the host takes to enqueue the stop behind it would not show by the call
 * lens. */
#define DELAY_STEP 1.024e-6
enum { DELAY_STEPS_LEAST = 4 };

/* A row has two calls at least: of calls that take more than half of BLOCKS_ROW_SECONDS, 250 us, there
 * is none. What a row hides of a launch is next to nothing of such a call. */
#define ROW_LEAST_CALLS 2

/* In a row: as many as a recording has. */
static double most_calls(const struct timing *t) {
    double most = unit_row_calls(t->context);
    for (int i = 0; i < UNIT_KERNELS && t->context->staged; i++)
        if (t->context->recorded[i].bytes)
            most = fmin(most, t->context->recorded[i].calls);
    return most;
}

/* From the last warm-up batch, by what the first library takes: how long the delay controls' shorter
 * delay is, a tenth of that, and how many calls are in a row. */
static void set_lengths(struct timing *t) {
    t->request.interval.planted_seconds =
        DELAY_STEP * fmax(DELAY_STEPS_LEAST, round(0.1 * batch_least(t, 0) / DELAY_STEP));
    t->request.interval.stream_calls =
        (int)fmin(most_calls(t), BLOCKS_ROW_SECONDS / batch_least(t, 0));
}

static void push(double readings[STOPPING_STEADY], double reading) {
    memmove(readings, readings + 1, (STOPPING_STEADY - 1) * sizeof *readings);
    readings[STOPPING_STEADY - 1] = reading;
}

/* What a batch of the warm-up shows of the machine. Returns whether it is warm. */
static bool read_warmth(struct warmth *warm, const struct timing *t) {
    push(warm->sm_mhz, t->reading.sm_mhz);
    push(warm->power_w, t->reading.power_w);
    push(warm->speed, (double)t->reply.blocks / t->wall);
    warm->capped |= t->reading.throttle > 0 && t->reading.throttle & NVML_POWER_CAP;
    if (isnan(t->reading.sm_mhz))
        return stopping_steady(warm->speed, STEADY_SPEED);
    return stopping_steady(warm->sm_mhz, STEADY_CLOCK) &&
           (!warm->capped || stopping_steady(warm->power_w, STEADY_POWER));
}

/* A batch of the warm-up: longer where the card meets its power cap, since a reading of the power
 * is a mean over some time. */
static double warmup_batch(const struct timing *t, bool busy) {
    if (t->context->plan->protocol != PROTOCOL_FAST)
        return BATCH_SECONDS;
    if (busy)
        return BUSY_BATCH_SECONDS;
    if (t->warmth.capped)
        return CAPPED_BATCH_SECONDS;
    return plan_on_host(t->context->plan) ? HOST_BATCH_SECONDS : WARMUP_BATCH_SECONDS;
}

static uint64_t visit_seed(const struct timing *t, enum seed_purpose purpose) {
    return seed_derive(unit_secret_seed(t->context), purpose,
                       (uint64_t)t->mode + MODE_COUNT * (uint64_t)t->visit);
}

static void settle(struct unit_context *context) {
    const double start = clock_seconds();
    processes_settle(context->session);
    context->start_seconds += clock_seconds() - start;
}

/* A GPU that was timed a second ago is warm: only what is new to it has to be called once. */
static bool was_busy(const struct timing *t) {
    return t->context->plan->protocol == PROTOCOL_FAST && !plan_on_host(t->context->plan) &&
           clock_seconds() - t->context->session->timed_at < WARM_SECONDS;
}

/* One block calls once what is new to a GPU that is warm. In the first visit one more tells how
 * long a call takes, since a first call loads code. */
static uint64_t warm_blocks(const struct timing *t) {
    return t->visit == 0 ? 2 : 1;
}

/* As long as the plan says (paper), or until clock and power are steady, and over all visits at
 * most as long as the plan says (fast). Each visit shows for itself that the device is warm: it is
 * at another time, after other units, and it may be on another device. Meanwhile other runners may
 * still open the device or leave it: the last batch comes after that, and what is timed later. */
static int warm_up(struct timing *t, struct condition_row *row) {
    const struct plan *plan = t->context->plan;
    const bool fast = plan->protocol == PROTOCOL_FAST;
    struct warmth *warm = &t->warmth;
    const double limit = plan->warmup_seconds / (fast ? visits_of(t) : 1);
    bool steady = false, settled = false;
    double spent = 0;
    for (int i = 0; i < STOPPING_STEADY; i++)
        warm->sm_mhz[i] = warm->power_w[i] = warm->speed[i] = NAN;
    t->request.seed = visit_seed(t, SEED_WARMUP);
    t->request.lenses = t->lenses & -t->lenses; /* one warms all */
    t->request.interval.stream_calls = (int)fmin(most_calls(t), ROW_LEAST_CALLS);
    t->request.most_blocks = UINT64_MAX;
    const bool busy = was_busy(t);
    /* A host is warm by the speed of its blocks, which others on its cores change. */
    if (plan_on_host(plan) || busy)
        settle(t->context);
    while (!(settled && (spent >= limit || (fast && steady) ||
                         (busy && t->request.first_block >= warm_blocks(t))))) {
        if (spent >= limit)
            settle(t->context);
        settled = processes_are_settled(t->context->session);
        t->request.seconds = fmin(warmup_batch(t, busy), fmax(limit - spent, 0));
        int outcome = batch_run(t);
        if (outcome != OUTCOME_OK)
            return outcome;
        t->request.first_block += t->reply.blocks;
        spent += t->wall;
        steady = read_warmth(warm, t);
    }
    set_lengths(t);
    row->warmup_seconds += spent;
    snprintf(row->steady, sizeof row->steady, "%s", steady ? "yes" : "no");
    return OUTCOME_OK;
}

/* Whether every ratio is known to the precision: of that visit, as the scatter of its blocks says,
 * or of all (visit -1). The A/A control by the device lens, the sharpest one, shows the noise that
 * all else is read against: it is to be known twice as well. Where only the ratio to an earlier
 * release is wanted, that is what is to be known twice as well. */
static bool are_narrow(const struct unit_context *context, const struct samples *samples,
                       enum lens lens, int visit, double precision) {
    size_t pairs[SAMPLES_COLUMNS][2];
    const char *subject = unit_subject(context);
    const size_t count = derive_pairs(samples, subject, pairs);
    const bool one = context->plan->precise_previous &&
                     derive_column(samples, RUNDIR_PREVIOUS) >= 0 &&
                     strcmp(subject, RUNDIR_PREVIOUS) != 0;
    for (size_t i = 0; i < count; i++) {
        if (one && strcmp(samples->columns[pairs[i][0]], RUNDIR_PREVIOUS) != 0)
            continue;
        const char *below = samples->columns[pairs[i][1]];
        if (plan_is_staged(context->plan) && derive_is_control(below)) /* known by all shapes */
            continue;
        const bool twin = lens == LENS_DEVICE && strncmp(below, DERIVE_AA, strlen(DERIVE_AA)) == 0;
        const struct visits r = derive_ratio(samples, pairs[i][0], pairs[i][1], visit, NULL);
        const double least = visits_least_half(&r, VERDICT_CONFIDENCE);
        const double low = visit < 0 ? r.low : r.estimate - least;
        const double high = visit < 0 ? r.high : r.estimate + least;
        if (!stopping_narrow(r.estimate, low, high, precision * (one || twin ? 0.5 : 1)))
            return false;
    }
    return true;
}

/* Whether every ratio of the lens is known well enough in this visit. The intervals of R visits
 * shrink together with the square root of R. */
static bool is_narrow(const struct timing *t, int lens) {
    return are_narrow(t->context, &find_series(t, lens)->samples, (enum lens)lens, t->visit,
                      t->context->plan->precision * sqrt(visits_of(t)));
}

/* The visits that a unit has at least: five sixths of the plan's, rounded down, of which there are
 * eight or more; or all. One look, which costs half a per cent of the coverage at most
 * (tests/unit/timing/test_stopping.c). More looks would cost more. */
static int least_visits(const struct plan *plan) {
    const int look = plan->visits * 5 / 6;
    return look >= 8 && !plan->all_visits && plan->protocol == PROTOCOL_FAST ? look : plan->visits;
}

static bool is_known(const struct unit_context *context, const struct sample_buffer *series) {
    const int look = least_visits(context->plan);
    return look < context->plan->visits && derive_visits(&series->samples) == (size_t)look &&
           are_narrow(context, &series->samples, series->lens, -1, context->plan->precision);
}

int measure_known(const struct unit_context *context) {
    int known = 0, open = 0;
    for (int i = 0; i < context->result->series_count; i++) {
        const struct sample_buffer *series = &context->result->series[i];
        if (series->samples.place == PLACE_STAGE)
            *(is_known(context, series) ? &known : &open) |= 1 << series->lens;
    }
    if (known | open) /* a row that the first visit has not taken */
        known |= words_lenses_with(LENS_MANY);
    return known & ~open;
}

/* The lenses that this visit takes. The first one decides for all whether there are rows. */
static int taken(const struct timing *t) {
    const int rows = words_lenses_with(LENS_MANY);
    const bool takes_rows = t->visit == 0 ? t->request.interval.stream_calls >= ROW_LEAST_CALLS
                                          : find_series(t, LENS_STREAM) != NULL;
    return takes_rows ? t->lenses : t->lenses & ~rows;
}

/* Own processes share what two more of them would have: a kernel that is wrong after some hundred
 * calls is to make them, before its last calls are watched. */
static double share_of(const struct timing *t) {
    const struct plan *plan = t->context->plan;
    const double share = plan->duration_seconds / plan->visits, visits = visits_of(t);
    const bool own = !t->context->staged && unit_own_every(t->context) > 1;
    return own ? share * (visits + 2) / visits : share;
}

/* How many blocks each lens of the visit has. Where blocks are counted those that are to be precise
 * have as many as take the visit's share. Else they have SIZE_MAX: it ends when time is up, or in
 * the fast protocol when their ratios are known. Others have a few. */
static void count_blocks(const struct timing *t, size_t counts[LENS_COUNT]) {
    const struct plan *plan = t->context->plan;
    const bool counted = blocks_are_counted(plan);
    const int held = words_lenses_with(LENS_HELD), precise = plan_precise_lenses(plan, t->mode);
    const int here = precise & (t->context->staged ? held : ~held);
    const size_t count =
        counted && here ? blocks_count(plan, t->context->unit, t->mode, here, share_of(t)) : 0;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        counts[lens] = !(precise & 1 << lens) ? BLOCKS_FEW
                       : counted              ? blocks_of_lens((enum lens)lens, count)
                                              : SIZE_MAX;
}

/* The lenses that have fewer blocks than they are to have, and in *most how many more all of them
 * have. */
static int lenses_left(const struct timing *t, const size_t counts[LENS_COUNT], uint64_t *most) {
    int left = 0;
    *most = UINT64_MAX;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(t->lenses & 1 << lens) || counts[lens] <= t->blocks)
            continue;
        left |= 1 << lens;
        if (counts[lens] < SIZE_MAX && counts[lens] - t->blocks < *most)
            *most = counts[lens] - t->blocks;
    }
    return left;
}

/* Seconds that the visit may take: its share, and more where that was too short for its first
 * blocks. Where blocks are counted a kernel that takes many times as long as was reckoned with has
 * fewer. */
static double most_seconds(const struct timing *t, double spent) {
    const struct plan *plan = t->context->plan;
    const double share = share_of(t);
    if (blocks_are_counted(plan))
        return t->blocks < BLOCKS_LEAST ? INFINITY : BLOCKS_SHARES * share;
    return plan->protocol == PROTOCOL_FAST && t->blocks < BLOCKS_FEW && spent >= share
               ? FEW_BLOCKS_SHARES * share
               : share;
}

/* Drops the lenses whose ratios are all known, on the width of their intervals alone. Returns when
 * the next look is due. */
static size_t look_at_ratios(const struct timing *t, double spent, size_t counts[LENS_COUNT]) {
    const double apart = fmin(LOOK_SECONDS, LOOK_SHARE * share_of(t));
    size_t look = STOPPING_LEAST;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (t->lenses & 1 << lens && is_narrow(t, lens))
            counts[lens] = t->blocks;
    while (look <= t->blocks || (double)look < (1 + apart / spent) * (double)t->blocks)
        look = stopping_next_look(look);
    return look;
}

/* Of a batch's time, which the blocks of the controls share. */
static double arms_share(const struct timing *t) {
    double arms = 0;
    for (int i = 0; i < t->request.arm_count; i++)
        arms += !wire_is_left_out(&t->request, i);
    return batch_has_controls(t) ? arms / (arms + UNIT_CONTROLS) : 1;
}

/* As many blocks of the controls as the last batch had. */
static int time_controls(struct timing *t, double *spent) {
    const struct wire_time arms = t->request;
    int outcome = OUTCOME_OK;
    if (!batch_has_controls(t))
        return OUTCOME_OK;
    batch_begin_controls(t);
    t->request.most_blocks = t->reply.blocks;
    outcome = batch_run(t);
    t->request = arms;
    if (outcome != OUTCOME_OK)
        return outcome;
    store_samples(t, true);
    *spent += t->wall;
    return OUTCOME_OK;
}

static int time_blocks(struct timing *t) {
    const struct plan *plan = t->context->plan;
    const bool looks = plan->protocol == PROTOCOL_FAST && !blocks_are_counted(plan);
    size_t counts[LENS_COUNT], look = STOPPING_LEAST;
    struct wire_time *request = &t->request;
    double spent = 0;
    count_blocks(t, counts);
    while ((t->lenses = lenses_left(t, counts, &request->most_blocks)) &&
           spent < most_seconds(t, spent)) {
        const size_t most = (spent >= share_of(t) ? BLOCKS_FEW : look) - t->blocks;
        if (looks && most < request->most_blocks)
            request->most_blocks = most;
        request->lenses = t->lenses;
        request->seconds = arms_share(t) * fmin(BATCH_SECONDS, most_seconds(t, spent) - spent);
        int outcome = batch_run(t);
        if (outcome != OUTCOME_OK)
            return outcome;
        t->disturbed += store_samples(t, false) ? t->reply.blocks : 0;
        t->blocks += t->reply.blocks;
        spent += t->wall;
        outcome = time_controls(t, &spent);
        if (outcome != OUTCOME_OK)
            return outcome;
        request->first_block = t->blocks;
        if (looks && t->blocks >= look)
            look = look_at_ratios(t, spent, counts);
    }
    return OUTCOME_OK;
}

static void fill_row(const struct timing *t, double wall, struct condition_row *row) {
    /* A lens that is there on demand only, `wait`, has no column. */
    double *const by_lens[LENS_COUNT] = {[LENS_CALL] = &row->call_seconds,
                                         [LENS_DEVICE] = &row->device_seconds,
                                         [LENS_STREAM] = &row->stream_seconds};
    row->blocks = (double)t->blocks;
    row->disturbed = (double)t->disturbed / row->blocks;
    row->wall_seconds = wall;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const struct sample_buffer *series = find_series(t, lens);
        const double seconds = series ? series->timed_seconds - series->before.timed_seconds : 0;
        if (by_lens[lens])
            *by_lens[lens] = seconds;
        row->timed_seconds += seconds;
    }
    gpu_monitor_fill(&t->summary, row);
}

/* What a sample is must not change between visits: the first visit decides. What the warm-up of a
 * later one says is of no use: its one block may have loaded code. */
static void keep_lengths(struct timing *t) {
    struct wire_interval *interval = &t->request.interval;
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        if (!(t->lenses & 1 << lens)) /* another process times it */
            continue;
        struct samples *samples = &find_series(t, lens)->samples;
        const bool first = samples->blocks == 0, many = words_lens_is((enum lens)lens, LENS_MANY);
        if (!first)
            interval->planted_seconds = samples->planted_seconds;
        if (!first && many)
            interval->stream_calls = (int)samples->calls;
        samples->planted_seconds = interval->planted_seconds;
        samples->calls = many ? (uint64_t)interval->stream_calls : 1;
    }
}

static int measure_mode(struct unit_context *context, enum mode mode, int visit, int lenses,
                        struct arm_state **failed) {
    struct device_session *session = context->session;
    struct condition_row row = {.shape = context->unit->shape};
    struct timing *t = need(1, sizeof *t);
    *t = (struct timing){.context = context,
                         .mode = mode,
                         .visit = visit,
                         .lenses = lenses,
                         .failed = failed,
                         .request = {.server = mode == MODE_SERVER,
                                     .qps = context->plan->qps,
                                     .interval = {.cache = (int32_t)context->plan->cache}}};
    snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(context->unit));
    snprintf(row.mode, sizeof row.mode, "%s", words_modes[mode]);
    batch_arms(t);
    t->request.interval.stream_calls = ROW_LEAST_CALLS;
    t->lenses = taken(t);
    int outcome = t->lenses ? warm_up(t, &row) : OUTCOME_OK;
    t->lenses = taken(t);
    if (outcome == OUTCOME_OK && open_series(t) < 0)
        outcome = TROUBLE;
    if (outcome == OUTCOME_OK && t->lenses) {
        keep_lengths(t);
        outcome = blocks_heat(t, &row.warmup_seconds);
    }
    if (outcome == OUTCOME_OK && t->lenses) {
        const double first = clock_seconds();
        t->request.seed = visit_seed(t, SEED_BLOCK);
        t->request.first_block = 0;
        outcome = time_blocks(t);
        if (outcome == OUTCOME_OK)
            outcome = energy_measure(t);
        const double wall = clock_seconds() - first;
        session->timed_at = clock_seconds();
        fill_row(t, wall, &row);
    }
    if (outcome == OUTCOME_OK)
        unit_result_add_condition(context->result, &row);
    free(t->samples);
    free(t);
    return outcome;
}

int measure_visit(struct unit_context *context, int visit, int lenses, struct arm_state **failed) {
    int outcome = OUTCOME_OK;
    for (int mode = 0; mode < MODE_COUNT && outcome == OUTCOME_OK; mode++) {
        const int wanted = plan_mode_lenses(context->plan, (enum mode)mode) & lenses;
        if (context->plan->modes[mode] && wanted)
            outcome = measure_mode(context, (enum mode)mode, visit, wanted, failed);
    }
    return outcome;
}
