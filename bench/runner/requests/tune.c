/* Runner: the choice among a baseline's algorithms. What is timed here is never reported: selection
 * and measurement share no samples and no seeds. */
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
        lost |= call > 0 ? runner_write_operands(t->runner, call, seed)
                         : runner_refresh(t->runner, seed, 1);
    }
    if (lost == 0)
        return 0;
    t->reply->outcome = OUTCOME_DEVICE_ERROR;
    snprintf(t->reply->text, WIRE_TEXT, "an algorithm left the device in error");
    return -1;
}

/* One interval of an algorithm. One that fails is out. */
static void time_one(struct tuning *t, int v, bool keep) {
    const struct wire_interval how = {.cache = CACHE_WARM, .stream_calls = t->calls};
    struct runner_times times;
    if (t->arm->baseline->select(t->arm->state, v) != 0 ||
        runner_interval(t->runner, &how, t->arm, t->lens, 0, false, &times, t->reply) !=
            OUTCOME_OK ||
        t->reply->status != 0) {
        t->out[v] = 1;
        t->failed++;
    } else if (keep && t->taken[v] < t->most) {
        t->seconds[v * t->most + t->taken[v]++] = fabs(times.seconds);
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

static double median_of(const struct tuning *t, int v) {
    return stats_median(t->seconds + v * t->most, (size_t)t->taken[v]);
}

/* The algorithm with the best median among those that are in; -1 if none is. */
static int best_of(const struct tuning *t) {
    int best = -1;
    for (int v = 0; v < t->count; v++)
        if (!t->out[v] && (best < 0 || median_of(t, v) < median_of(t, best)))
            best = v;
    return best;
}

/* Takes out all but the better half of those that are in. */
static void halve(struct tuning *t, int in) {
    for (int drop = in / 2; drop > 0; drop--) {
        int worst = -1;
        for (int v = 0; v < t->count; v++)
            if (!t->out[v] && (worst < 0 || median_of(t, v) > median_of(t, worst)))
                worst = v;
        t->out[worst] = 1;
    }
}

static int in_play(const struct tuning *t) {
    int in = 0;
    for (int v = 0; v < t->count; v++)
        in += !t->out[v];
    return in;
}

/* Successive halving (Karnin, Koren & Somekh 2013): a few rounds over all, then twice as many over
 * the better half, until one is left. Of algorithms that take a millisecond or more, whose times
 * hardly vary, fewer rounds do. */
static int tune_halving(struct tuning *t) {
    if (tune_round(t, false) < 0)
        return -1;
    for (int wanted = 16; in_play(t) > 1; wanted *= 2) {
        if (tune_round(t, true) < 0)
            return -1;
        int best = best_of(t);
        double one = best >= 0 ? median_of(t, best) : 1;
        int rounds = 20e-3 / one < wanted ? 1 + (int)(20e-3 / one) : wanted;
        for (int i = 1; i < rounds; i++)
            if (tune_round(t, true) < 0)
                return -1;
        halve(t, in_play(t));
    }
    return 0;
}

/* The paper's way: all algorithms, every round. */
static int tune_all(struct tuning *t) {
    for (int i = 0; i < t->request->warmup_rounds + t->request->timed_rounds; i++)
        if (tune_round(t, i >= t->request->warmup_rounds) < 0)
            return -1;
    return 0;
}

static void choose_variant(struct tuning *t) {
    struct wire_reply *reply = t->reply;
    const struct baseline *baseline = t->arm->baseline;
    const char *way = t->request->halving ? " (successive halving)" : "";
    if ((t->request->halving ? tune_halving : tune_all)(t) < 0)
        return;
    int best = best_of(t);
    reply->add.variant = t->arm->variant = best;
    if (best < 0 || baseline->select(t->arm->state, best) != 0) {
        reply->outcome = OUTCOME_SETUP_FAILED;
        snprintf(reply->text, sizeof reply->text, "none of %d algorithms ran", t->count);
        return;
    }
    snprintf(reply->text, sizeof reply->text,
             "%s; best of %d by median of %d rounds by %s%s, %d failed",
             baseline->describe(t->arm->state, best), t->count, t->taken[best],
             words_lenses[t->lens], way, t->failed);
}

/* Operands and outputs of the arm's size. 0 or -1. */
static int reserve(struct tuning *t) {
    const int64_t elements = runner_output_elements(t->arm);
    return runner_outputs(t->runner, 1, elements) < 0 ||
                   runner_row(t->runner, t->calls, elements) < 0
               ? -1
               : 0;
}

void runner_tune(struct runner *runner, struct arm *arm, const struct wire_tune *request,
                 struct wire_reply *reply) {
    const int count = arm->baseline->variants(arm->state);
    if (request->variant >= 0) {
        reply->add.variant = arm->variant = request->variant;
        if (request->variant >= count || arm->baseline->select(arm->state, request->variant) != 0) {
            reply->outcome = OUTCOME_SETUP_FAILED;
            snprintf(reply->text, sizeof reply->text, "algorithm %d of %d is not to be had again",
                     request->variant, count);
        } else {
            snprintf(reply->text, sizeof reply->text, "%s",
                     arm->baseline->describe(arm->state, request->variant));
        }
        return;
    }
    struct tuning t = {
        .runner = runner,
        .request = request,
        .reply = reply,
        .arm = arm,
        .lens = (enum lens)request->lens,
        .calls = words_lens_is((enum lens)request->lens, LENS_MANY) ? request->stream_calls : 1,
        .count = count,
        .most = request->halving ? 1024 : request->timed_rounds,
        .order = calloc((size_t)count, sizeof *t.order),
        .out = calloc((size_t)count, sizeof *t.out),
        .taken = calloc((size_t)count, sizeof *t.taken),
    };
    t.seconds = calloc((size_t)count * (size_t)t.most, sizeof *t.seconds);
    if (t.order && t.out && t.taken && t.seconds && reserve(&t) == 0) {
        choose_variant(&t);
    } else {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no memory to tune %d algorithms in", count);
    }
    free(t.order);
    free(t.out);
    free(t.taken);
    free(t.seconds);
}
