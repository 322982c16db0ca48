#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/compare/comparison.h"
#include "timing/stats.h"

enum { ARMS = 256 }; /* kernels of a set on a shape, at most; more are not looked at */

/* A kernel of one of the sets: ln(t / t of the baseline) of each round. */
struct arm {
    const struct round_speed *speed;
    double x[ROUND_SPEEDS_ROUNDS], seconds;
};
struct arms {
    struct arm list[ARMS];
    size_t count, rounds; /* rounds: that all have */
};

static void add(struct arms *arms, const struct round_speed *speed,
                const struct round_speed *less) {
    if (arms->count == ARMS)
        return;
    const size_t rounds = less && less->rounds < speed->rounds ? less->rounds : speed->rounds;
    struct arm *arm = &arms->list[arms->count++];
    *arm = (struct arm){.speed = speed, .seconds = less ? less->reference_seconds : speed->seconds};
    for (size_t r = 0; r < rounds; r++)
        arm->x[r] = speed->x[r] - (less ? less->x[r] : 0);
    arms->rounds = arms->count == 1 || rounds < arms->rounds ? rounds : arms->rounds;
}

static bool is_like(const struct round_speed *a, const struct round_speed *b) {
    return shape_compare(a->shape, b->shape) == 0 && strcmp(a->mode, b->mode) == 0 &&
           strcmp(a->lens, b->lens) == 0 && strcmp(a->cache, b->cache) == 0;
}

/* The kernels of the shape that were timed as `like` was, against its baseline. before: those of
 * the earlier set that stood beside them, where the two were arms of one run. */
static void collect(const struct round_speeds *speeds, const struct round_speed *like, bool before,
                    struct arms *arms) {
    arms->count = arms->rounds = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct round_speed *speed = &speeds->list[i];
        if (strcmp(speed->reference, like->reference) != 0 || !is_like(speed, like))
            continue;
        const struct round_speed *beside =
            before ? round_speeds_find(speeds, speed, RUNDIR_PREVIOUS) : NULL;
        if (!before || beside)
            add(arms, speed, beside);
    }
}

/* The fastest by the mean of all rounds but one; left = arms->rounds: of all. */
static const struct arm *fastest(const struct arms *arms, size_t left) {
    const struct arm *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < arms->count; i++) {
        double sum = 0;
        for (size_t r = 0; r < arms->rounds; r++)
            sum += r == left && arms->rounds > 1 ? 0 : arms->list[i].x[r];
        if (sum < least) {
            least = sum;
            best = &arms->list[i];
        }
    }
    return best;
}

/* In each round the kernel that the other rounds would choose: what is chosen by a round is not
 * measured by it, too. */
static void chosen(const struct arms *arms, double x[ROUND_SPEEDS_ROUNDS]) {
    for (size_t r = 0; r < arms->rounds; r++)
        x[r] = fastest(arms, r)->x[r];
}

static void put(const struct arms *old, const struct arms *new_, bool paired,
                const struct gate_policy *policy, struct comparison_choice *choice) {
    double now[ROUND_SPEEDS_ROUNDS], before[ROUND_SPEEDS_ROUNDS];
    const size_t rounds = new_->rounds < old->rounds ? new_->rounds : old->rounds;
    const struct arm *was = fastest(old, old->rounds), *is = fastest(new_, new_->rounds);
    snprintf(choice->old_kernel, sizeof choice->old_kernel, "%s", was->speed->candidate);
    snprintf(choice->new_kernel, sizeof choice->new_kernel, "%s", is->speed->candidate);
    choice->old_kernels = old->count;
    choice->new_kernels = new_->count;
    chosen(new_, now);
    chosen(old, before);
    if (paired) {
        for (size_t r = 0; r < rounds; r++)
            now[r] -= before[r];
        comparison_put_ratio(now, rounds, NULL, 0, &choice->ratio, &choice->ci_low,
                             &choice->ci_high);
    } else {
        comparison_put_ratio(now, new_->rounds, before, old->rounds, &choice->ratio,
                             &choice->ci_low, &choice->ci_high);
    }
    choice->new_seconds = is->seconds;
    choice->place = round_speeds_place(is->speed, was->speed);
    choice->verdict = comparison_judge(choice->ci_low, choice->ci_high,
                                       gate_policy_class(policy, choice->shape)->margin);
}

/* Whether an earlier row of the list is of the same shape, mode and lens. */
static bool is_known(const struct comparison *comparison, const struct round_speed *speed) {
    for (size_t i = comparison->choice_count; i-- > 0;) {
        const struct comparison_choice *choice = &comparison->choices[i];
        if (shape_compare(choice->shape, speed->shape) != 0)
            return false;
        if (strcmp(choice->mode, speed->mode) == 0 && strcmp(choice->lens, speed->lens) == 0)
            return true;
    }
    return false;
}

/* The library that most kernels were timed beside, of two runs the one they are compared through.
 */
static const char *baseline_of(const struct round_speeds *speeds) {
    for (const char *const *preferred = round_speeds_preferred; *preferred; preferred++)
        for (size_t i = 0; i < speeds->count; i++)
            if (strcmp(speeds->list[i].reference, *preferred) == 0)
                return *preferred;
    for (size_t i = 0; i < speeds->count; i++)
        if (strcmp(speeds->list[i].reference, RUNDIR_PREVIOUS) != 0)
            return speeds->list[i].reference;
    return "";
}

int comparison_choose(const struct round_speeds *old, const struct round_speeds *new_,
                      const struct gate_policy *policy, struct comparison *comparison) {
    static struct arms were, are;
    const char *baseline =
        old && comparison->count ? comparison->rows[0].speed.reference : baseline_of(new_);
    bool several = false;
    comparison->choices = calloc(new_->count + 1, sizeof *comparison->choices);
    if (!comparison->choices)
        return error("no memory for the choice among %zu speeds", new_->count);
    for (size_t i = 0; i < new_->count; i++) {
        const struct round_speed *speed = &new_->list[i];
        if (strcmp(speed->reference, baseline) != 0 || is_known(comparison, speed))
            continue;
        collect(new_, speed, false, &are);
        collect(old ? old : new_, speed, !old, &were);
        if (were.count == 0 || are.count == 0)
            continue;
        struct comparison_choice *choice = &comparison->choices[comparison->choice_count++];
        choice->shape = speed->shape;
        snprintf(choice->mode, sizeof choice->mode, "%s", speed->mode);
        snprintf(choice->lens, sizeof choice->lens, "%s", speed->lens);
        put(&were, &are, !old, policy, choice);
        several |= were.count > 1 || are.count > 1;
    }
    if (!several)
        comparison->choice_count = 0;
    return 0;
}
