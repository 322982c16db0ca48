/* Runner: the choice among a baseline's algorithms. What is timed here is never reported: selection
 * and measurement share no samples and no seeds. */
#include "bench/runner/requests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/outcome.h"
#include "bench/runner/chain.h"
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
    int count, most; /* algorithms; samples of one, at most */
    int failed;      /* algorithms */
    int *order, *out, *taken;
    double *seconds;
    uint64_t rounds;
};

/* One visit to every algorithm that is still in, in random order on fresh inputs. One that fails
 * once is out. 0, or -1 with the device in error. */
static int tune_round(struct tuning *t, bool keep) {
    const uint64_t seed = t->request->seed, round = t->rounds++;
    const int calls = t->request->stream_calls;
    const struct wire_interval how = {.cache = CACHE_WARM, .stream_calls = calls};
    schedule_shuffle(seed_derive(seed, SEED_ORDER, round), t->count, t->order);
    if (runner_refresh(t->runner, seed_derive(seed, SEED_TUNE, round), 1) < 0) {
        t->reply->outcome = OUTCOME_DEVICE_ERROR;
        snprintf(t->reply->text, WIRE_TEXT, "an algorithm left the device in error");
        return -1;
    }
    if (words_lens_is(t->lens, LENS_MANY) && chain_time_edge(t->runner, calls, how.cache) < 0) {
        runner_fault(t->reply, "changes of operands between calls in a row cannot be timed");
        return -1;
    }
    for (int i = 0; i < t->count; i++) {
        int v = t->order[i];
        struct runner_times times;
        if (t->out[v])
            continue;
        if (t->arm->baseline->select(t->arm->state, v) != 0 ||
            runner_interval(t->runner, &how, t->arm, t->lens, 0, RUNNER_NOTHING, &times,
                            t->reply->text) != OUTCOME_OK) {
            t->out[v] = 1;
            t->failed++;
        } else if (keep && t->taken[v] < t->most) {
            t->seconds[v * t->most + t->taken[v]++] = fabs(times.seconds);
        }
    }
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

static void choose(struct tuning *t) {
    struct wire_reply *reply = t->reply;
    const struct baseline *baseline = t->arm->baseline;
    const bool halving = t->request->halving;
    if ((halving ? tune_halving : tune_all)(t) < 0)
        return;
    int best = best_of(t);
    reply->tune.variant = t->arm->variant = best;
    if (best < 0 || baseline->select(t->arm->state, best) != 0) {
        reply->outcome = OUTCOME_SETUP_FAILED;
        snprintf(reply->text, sizeof reply->text, "none of %d algorithms ran", t->count);
        return;
    }
    snprintf(reply->text, sizeof reply->text,
             "%s; best of %d by median of %d rounds by %s%s, %d failed",
             baseline->describe(t->arm->state, best), t->count, t->taken[best],
             words_lenses[t->lens], halving ? " (successive halving)" : "", t->failed);
}

/* Outputs of the arm's size. 0 or -1. */
static int reserve(struct runner *runner, const struct wire_tune *request, const struct arm *arm) {
    const int64_t elements = runner_output_elements(arm);
    const int calls = request->stream_calls;
    if (runner_outputs(runner, 1, elements) < 0)
        return -1;
    runner->drawn = 0;
    return words_lens_is((enum lens)request->lens, LENS_MANY)
               ? chain_reserve(runner, calls, calls, elements)
               : 0;
}

void runner_tune(struct runner *runner, const struct wire_tune *request, struct wire_reply *reply) {
    struct arm *arm = &runner->arms[request->arm];
    int count = arm->baseline->variants(arm->state);
    if (request->variant >= 0) {
        reply->tune.variant = arm->variant = request->variant;
        if (request->variant >= count || arm->baseline->select(arm->state, request->variant) != 0) {
            reply->outcome = OUTCOME_SETUP_FAILED;
            snprintf(reply->text, sizeof reply->text, "algorithm %d of %d is not to be had again",
                     request->variant, count);
        }
        return;
    }
    struct tuning t = {
        .runner = runner,
        .request = request,
        .reply = reply,
        .arm = arm,
        .lens = (enum lens)request->lens,
        .count = count,
        .most = request->halving ? 1024 : request->timed_rounds,
        .order = calloc((size_t)count, sizeof *t.order),
        .out = calloc((size_t)count, sizeof *t.out),
        .taken = calloc((size_t)count, sizeof *t.taken),
    };
    t.seconds = calloc((size_t)count * (size_t)t.most, sizeof *t.seconds);
    if (t.order && t.out && t.taken && t.seconds && reserve(runner, request, arm) == 0) {
        choose(&t);
    } else {
        reply->status = -1;
        snprintf(reply->text, sizeof reply->text, "no memory to tune %d algorithms in", count);
    }
    free(t.order);
    free(t.out);
    free(t.taken);
    free(t.seconds);
}
