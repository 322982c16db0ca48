/* Runner: the choice among a baseline's algorithms, or their ranks. What is timed here is never
 * reported: it shares no samples and no seeds with what is. */
#include "bench/runner/requests/requests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/outcome.h"
#include "bench/runner/interval.h"
#include "correctness/numbers/input.h"
#include "timing/schedule.h"
#include "timing/stats.h"

/* Of a ranking: the rounds over all, and so few algorithms as are told apart by all their rounds. */
enum { FIRST_ROUNDS = 8, LAST = 8 };
enum { MOST_ROUNDS = 2 * WIRE_ALGORITHMS / LAST * FIRST_ROUNDS }; /* 8 + 16 + ... of an algorithm */

struct tuning {
    struct runner *runner;
    const struct wire_tune *request;
    struct wire_reply *reply;
    struct arm *arm;
    enum lens lens;
    int calls;       /* in an interval */
    int count, most; /* algorithms; samples of one, at most */
    int failed;      /* algorithms */
    int *order, *out, *taken;
    double *seconds;
    uint64_t rounds;
};

/* Fresh inputs for a round. 0, or -1 with the device in error. */
static int begin_round(struct tuning *t, uint64_t round) {
    int lost = 0;
    for (int call = t->calls - 1; call >= 0; call--) {
        const uint64_t seed =
            seed_derive(t->request->seed, SEED_TUNE, round * LAYOUT_CALLS + (uint64_t)call);
        lost |= call > 0 ? runner_write_operands(t->runner, call, t->runner->inputs, seed)
                         : runner_refresh(t->runner, seed, 1);
    }
    if (lost == 0)
        return 0;
    t->reply->outcome = OUTCOME_DEVICE_ERROR;
    snprintf(t->reply->text, WIRE_TEXT, "an algorithm left the device in error");
    return -1;
}

/* One interval of an algorithm. One that fails is out. A marked interval holds the host's time, and
 * is not kept. */
static void time_one(struct tuning *t, int v, bool keep) {
    const struct wire_interval how = {.cache = t->request->cache, .stream_calls = t->calls};
    struct runner_times times;
    if (t->arm->baseline->select(t->arm->state, v) != 0 ||
        runner_interval(t->runner, &how, t->arm, t->lens, 0, false, &times, t->reply) !=
            OUTCOME_OK ||
        t->reply->status != 0) {
        t->out[v] = 1;
        t->failed++;
        if (v < WIRE_ALGORITHMS)
            t->reply->add.rank[v] = WIRE_FAILED;
    } else if (keep && times.seconds >= 0 && t->taken[v] < t->most) {
        t->seconds[v * t->most + t->taken[v]++] = times.seconds;
    }
}

/* One visit to every algorithm that is still in, in random order on fresh inputs. One that fails
 * once is out. 0, or -1 with the device in error. */
static int tune_round(struct tuning *t, bool keep) {
    const uint64_t round = t->rounds++;
    schedule_shuffle(seed_derive(t->request->seed, SEED_ORDER, round), t->count, t->order);
    if (begin_round(t, round) < 0)
        return -1;
    for (int i = 0; i < t->count; i++)
        if (!t->out[t->order[i]])
            time_one(t, t->order[i], keep);
    return 0;
}

/* INFINITY: it has no interval. */
static double median_of(const struct tuning *t, int v) {
    const size_t n = (size_t)t->taken[v];
    return n ? stats_median(t->seconds + v * t->most, n) : INFINITY;
}

/* The algorithm with the best median among those that are in; -1 if none is. */
static int best_of(const struct tuning *t) {
    int best = -1;
    for (int v = 0; v < t->count; v++)
        if (!t->out[v] && (best < 0 || median_of(t, v) < median_of(t, best)))
            best = v;
    return best;
}

static int in_play(const struct tuning *t) {
    int in = 0;
    for (int v = 0; v < t->count; v++)
        in += !t->out[v];
    return in;
}

/* Takes out all but the best so many of those that are in. The place of each is its rank. Among equals
 * the one that is suggested later goes first. */
static void keep_best(struct tuning *t, int kept) {
    double median[WIRE_ALGORITHMS];
    for (int v = 0; v < t->count; v++)
        median[v] = median_of(t, v);
    for (int in = in_play(t); in > kept; in--) {
        int worst = -1;
        for (int v = 0; v < t->count; v++)
            if (!t->out[v] && (worst < 0 || median[v] >= median[worst]))
                worst = v;
        t->out[worst] = 1;
        t->reply->add.rank[worst] = (uint8_t)(in - 1);
    }
}

/* Successive halving (Karnin, Koren & Somekh 2013): a few rounds over all, then twice as many over
 * the better half, until few are left. Of algorithms that take a millisecond or more, whose times
 * hardly vary, fewer rounds do. */
static int rank_all(struct tuning *t) {
    if (tune_round(t, false) < 0)
        return -1;
    for (int wanted = FIRST_ROUNDS, in; (in = in_play(t)) > 0; wanted *= 2) {
        if (tune_round(t, true) < 0)
            return -1;
        const int best = best_of(t);
        const double one = best >= 0 ? median_of(t, best) : 1;
        const int rounds = 20e-3 / one < wanted ? 1 + (int)(20e-3 / one) : wanted;
        for (int i = 1; i < rounds; i++)
            if (tune_round(t, true) < 0)
                return -1;
        keep_best(t, in <= LAST ? 0 : in / 2);
    }
    return 0;
}

/* The paper's way: all algorithms, every round. */
static int choose_one(struct tuning *t) {
    struct wire_reply *reply = t->reply;
    const struct baseline *baseline = t->arm->baseline;
    for (int i = 0; i < t->request->warmup_rounds + t->request->timed_rounds; i++)
        if (tune_round(t, i >= t->request->warmup_rounds) < 0)
            return -1;
    const int best = best_of(t);
    reply->add.variant = t->arm->variant = best;
    if (best < 0 || baseline->select(t->arm->state, best) != 0) {
        reply->outcome = OUTCOME_SETUP_FAILED;
        snprintf(reply->text, sizeof reply->text, "none of %d algorithms ran", t->count);
        return 0;
    }
    snprintf(reply->text, sizeof reply->text,
             "%s; best of %d by median of %d rounds by %s, %d failed",
             baseline->describe(t->arm->state, best), t->count, t->taken[best],
             words_lenses[t->lens], t->failed);
    return 0;
}

/* Operands and outputs of the arm's size. 0 or -1. */
static int reserve(struct tuning *t) {
    const int64_t elements = runner_output_elements(t->arm);
    return runner_outputs(t->runner, 1, elements) < 0 ||
                   runner_row(t->runner, t->calls, elements) < 0
               ? -1
               : 0;
}

static void take(struct arm *arm, int variant, int count, struct wire_reply *reply) {
    reply->add.variant = arm->variant = variant;
    if (variant < count && arm->baseline->select(arm->state, variant) == 0) {
        snprintf(reply->text, sizeof reply->text, "%s",
                 arm->baseline->describe(arm->state, variant));
        return;
    }
    reply->outcome = OUTCOME_SETUP_FAILED;
    snprintf(reply->text, sizeof reply->text, "algorithm %d of %d is not to be had again", variant,
             count);
}

void runner_tune(struct runner *runner, struct arm *arm, const struct wire_tune *request,
                 struct wire_reply *reply) {
    const int all = arm->baseline->variants(arm->state);
    if (request->variant >= 0) {
        take(arm, request->variant, all, reply);
        return;
    }
    const bool ranks = request->variant == WIRE_RANK;
    const int count = all < WIRE_ALGORITHMS ? all : WIRE_ALGORITHMS;
    struct tuning t = {
        .runner = runner,
        .request = request,
        .reply = reply,
        .arm = arm,
        .lens = (enum lens)request->lens,
        .calls = words_lens_is((enum lens)request->lens, LENS_MANY) ? request->stream_calls : 1,
        .count = count,
        .most = ranks ? MOST_ROUNDS : request->timed_rounds,
        .order = calloc((size_t)count, sizeof *t.order),
        .out = calloc((size_t)count, sizeof *t.out),
        .taken = calloc((size_t)count, sizeof *t.taken),
    };
    t.seconds = calloc((size_t)count * (size_t)t.most, sizeof *t.seconds);
    if (t.order && t.out && t.taken && t.seconds && reserve(&t) == 0) {
        (ranks ? rank_all : choose_one)(&t);
    } else {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no memory to tune %d algorithms in", count);
    }
    free(t.order);
    free(t.out);
    free(t.taken);
    free(t.seconds);
}
