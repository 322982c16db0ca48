#include "reports/factors/factors.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/factors/factors_cells.h"
#include "reports/pairs/estimate.h"
#include "timing/rounds.h"
#include "timing/stats.h"
#include "timing/suite_mean.h"

/* Contributions of each shape that is kept to ln level, or to a change of it. */
struct parts {
    double *y;                   /* [shape * rounds + round], NaN where missing */
    bool *fixed;                 /* shapes that say nothing of chance: 1, or omitted */
    struct moderation *variance; /* of one round */
    size_t rounds;
};

struct work {
    const struct factors_chain *chain;
    struct factors_cells cells;
    size_t *kept; /* indices of shapes that all steps have */
    bool *refused;
    size_t count;
    struct parts *levels; /* one a step */
    struct parts change;
    struct rounds *scratch; /* one a shape */
};

static const struct factors_cell *cell_of(const struct work *work, size_t step, size_t shape) {
    return &work->cells.cells[step * work->cells.count + shape];
}

static bool is_refused(const struct work *work, size_t shape) {
    for (size_t s = 0; s < work->chain->count; s++)
        if (cell_of(work, s, shape)->refused)
            return true;
    return false;
}

/* Whether the step can say something of the shape. */
static bool has(const struct work *work, size_t step, size_t shape, bool refused) {
    const bool needed = !refused || work->chain->steps[step].refused == FACTORS_COUNT;
    const struct factors_cell *cell = cell_of(work, step, shape);
    return needed ? cell->valued : cell->valued || cell->refused;
}

/* A run that has refused a kernel has no time of it to be counted. */
static int refuse_untimed(const struct work *work) {
    for (size_t s = 0; s < work->chain->count; s++) {
        const struct factors_step *step = &work->chain->steps[s];
        size_t untimed = 0;
        for (size_t i = 0; i < work->cells.count; i++)
            untimed += cell_of(work, s, i)->refused && !cell_of(work, s, i)->valued;
        if (step->refused == FACTORS_COUNT && untimed > 0)
            return error("[%s]: %s has refused %zu kernel%s and not timed %s: refused = count has "
                         "nothing to count; say one or omit",
                         step->name, step->run, untimed, untimed == 1 ? "" : "s",
                         untimed == 1 ? "it" : "them");
    }
    return 0;
}

/* Finds the shapes that all steps have, and what the lines say of the others. */
static int keep_shapes(struct work *work, struct factors *factors) {
    for (size_t i = 0; i < work->cells.count; i++) {
        const bool refused = is_refused(work, i);
        size_t lacking = 0, last = 0;
        for (size_t s = 0; s < factors->count; s++) {
            const struct factors_cell *cell = cell_of(work, s, i);
            factors->lines[s].held += cell->valued || cell->refused;
            if (has(work, s, i, refused))
                continue;
            lacking++;
            last = s;
        }
        if (lacking == 1)
            factors->lines[last].alone++;
        if (lacking > 0)
            continue;
        work->refused[work->count] = refused;
        work->kept[work->count++] = i;
        factors->refused += refused;
    }
    factors->shapes = work->count;
    return work->count > 0 ? 0 : error("no shape is in all %zu steps", factors->count);
}

/* Whether the shape is in the mean of the step. */
static bool is_in(const struct work *work, size_t step, size_t k) {
    return !work->refused[k] || work->chain->steps[step].refused != FACTORS_OMIT;
}

static bool is_one(const struct work *work, size_t step, size_t k) {
    return work->refused[k] && work->chain->steps[step].refused == FACTORS_ONE;
}

/* Of the shape in a round; rounds of which nothing is known are NaN. */
static double value_at(const struct work *work, size_t step, size_t k, size_t round) {
    if (is_one(work, step, k))
        return work->chain->steps[step].mean == FACTORS_PAPER ? 1 : 0;
    return cell_of(work, step, work->kept[k])->x[round];
}

static double shape_value(const struct work *work, size_t step, size_t k) {
    return is_one(work, step, k) ? value_at(work, step, k, 0)
                                 : cell_of(work, step, work->kept[k])->value;
}

static void parts_free(struct parts *parts) {
    free(parts->y);
    free(parts->fixed);
    free(parts->variance);
}

static void parts_start(struct parts *parts, size_t shapes, size_t rounds) {
    *parts = (struct parts){.y = need(shapes * rounds, sizeof *parts->y),
                            .fixed = need(shapes, sizeof *parts->fixed),
                            .variance = need(shapes, sizeof *parts->variance),
                            .rounds = rounds};
}

/* Of a shape with one round that is known where others have more, these say the variance. */
static struct rounds rounds_of(const struct parts *parts, size_t k) {
    double known[PAIRS_VISITS];
    size_t n = 0;
    for (size_t r = 0; r < parts->rounds; r++)
        if (!isnan(parts->y[k * parts->rounds + r]))
            known[n++] = parts->y[k * parts->rounds + r];
    const double sd = n > 1 ? stats_sd(known, n) : NAN;
    return (struct rounds){.count = parts->rounds,
                           .own = {sd * sd, n > 1 ? (double)(n - 1) : 0},
                           .used = {NAN, 0},
                           .plain_error = NAN};
}

/* The variances of the rounds of a change, which no row of a run has, moderated among each other.
 */
static void set_variances(const struct work *work, struct parts *parts) {
    double pooled = 0;
    size_t count = 0;
    for (size_t k = 0; k < work->count; k++) {
        if (parts->fixed[k])
            continue;
        work->scratch[count] = rounds_of(parts, k);
        pooled += work->scratch[count++].own.freedom;
    }
    rounds_moderate_all(work->scratch, count, pooled, VERDICT_CONFIDENCE);
    for (size_t k = 0, at = 0; k < work->count; k++)
        parts->variance[k] =
            parts->fixed[k] ? (struct moderation){0, INFINITY} : work->scratch[at++].used;
}

/* The contributions of a step: see factors.h. */
static int fill_level(struct work *work, size_t s, struct factors_line *line) {
    struct parts *parts = &work->levels[s];
    const bool paper = line->step->mean == FACTORS_PAPER;
    double sum = 0;
    for (size_t k = 0; k < work->count; k++) {
        const size_t rounds = cell_of(work, s, work->kept[k])->rounds;
        if (!is_in(work, s, k))
            continue;
        sum += shape_value(work, s, k);
        line->shapes++;
        if (!is_one(work, s, k) && rounds > line->rounds)
            line->rounds = rounds;
    }
    if (line->shapes == 0)
        return error("[%s]: all of its %zu shapes are refused, and it omits them", line->step->name,
                     work->count);
    line->rounds = line->rounds ? line->rounds : 1;
    parts_start(parts, work->count, line->rounds);
    const double mean = sum / (double)line->shapes, level = paper ? log(mean) : mean;
    const double weight = (double)work->count / (double)line->shapes / (paper ? mean : 1);
    bool known = true;
    for (size_t k = 0; k < work->count; k++) {
        parts->fixed[k] = !is_in(work, s, k) || is_one(work, s, k);
        parts->variance[k] = cell_of(work, s, work->kept[k])->variance;
        parts->variance[k].variance *= weight * weight;
        if (parts->fixed[k])
            parts->variance[k] = (struct moderation){0, INFINITY};
        known = known && !isnan(parts->variance[k].variance);
        for (size_t r = 0; r < parts->rounds; r++)
            parts->y[k * parts->rounds + r] =
                is_in(work, s, k) ? level + weight * (value_at(work, s, k, r) - mean) : level;
    }
    if (!known)
        set_variances(work, parts);
    return 0;
}

static double known_or_nan(double end) {
    return isfinite(end) ? exp(end) : NAN;
}

static struct factors_value value_from(const struct suite_mean *suite) {
    const bool within = suite->within_one_process;
    return (struct factors_value){exp(suite->estimate), within ? NAN : known_or_nan(suite->low),
                                  within ? NAN : known_or_nan(suite->high),
                                  known_or_nan(suite->shapes_low),
                                  known_or_nan(suite->shapes_high)};
}

static struct suite_mean mean_of(const struct work *work, const struct parts *parts) {
    return suite_mean_of(parts->y, parts->variance, work->count, parts->rounds, VERDICT_CONFIDENCE);
}

/* The mean over the known rounds of a shape. */
static double row_mean(const struct parts *parts, size_t k) {
    double sum = 0, known = 0;
    for (size_t r = 0; r < parts->rounds; r++)
        if (!isnan(parts->y[k * parts->rounds + r])) {
            sum += parts->y[k * parts->rounds + r];
            known++;
        }
    return sum / known;
}

/* The change from one step to the next, paired by shape, and by round where both have as many. */
static void fill_change(struct work *work, size_t s, const struct suite_mean *before,
                        const struct suite_mean *now, struct factors_line *line) {
    const struct parts *a = &work->levels[s - 1], *b = &work->levels[s];
    const bool paired = a->rounds == b->rounds;
    struct parts *parts = &work->change;
    parts_start(parts, work->count, paired ? a->rounds : 1);
    for (size_t k = 0; k < work->count; k++) {
        parts->fixed[k] = a->fixed[k] && b->fixed[k];
        if (paired)
            for (size_t r = 0; r < a->rounds; r++)
                parts->y[k * a->rounds + r] = b->y[k * a->rounds + r] - a->y[k * a->rounds + r];
        else
            parts->y[k] = row_mean(b, k) - row_mean(a, k);
    }
    set_variances(work, parts);
    struct suite_mean change = mean_of(work, parts);
    if (!paired && !before->within_one_process && !now->within_one_process) {
        const double half = estimate_half(moderation_sum(before->error, now->error));
        change.low = change.estimate - half;
        change.high = change.estimate + half;
        change.within_one_process = false;
    }
    line->change = value_from(&change);
    parts_free(parts);
    *parts = (struct parts){0};
}

static int fill_lines(struct work *work, struct factors *factors) {
    struct suite_mean before = {0};
    for (size_t s = 0; s < factors->count; s++) {
        struct factors_line *line = &factors->lines[s];
        if (fill_level(work, s, line) < 0)
            return -1;
        const struct suite_mean now = mean_of(work, &work->levels[s]);
        line->level = value_from(&now);
        if (s > 0)
            fill_change(work, s, &before, &now, line);
        before = now;
    }
    const double whole =
        log(factors->lines[factors->count - 1].level.ratio / factors->lines[0].level.ratio);
    for (size_t s = 1; s < factors->count; s++)
        factors->lines[s].share = whole != 0 ? log(factors->lines[s].change.ratio) / whole : NAN;
    return 0;
}

static void start(struct work *work, struct factors *factors) {
    const size_t shapes = work->cells.count;
    factors->count = work->chain->count;
    factors->lines = need(factors->count, sizeof *factors->lines);
    work->levels = need(factors->count, sizeof *work->levels);
    work->kept = need(shapes, sizeof *work->kept);
    work->refused = need(shapes, sizeof *work->refused);
    work->scratch = need(shapes, sizeof *work->scratch);
    for (size_t s = 0; s < factors->count; s++)
        factors->lines[s] = (struct factors_line){
            .step = &work->chain->steps[s], .change = {NAN, NAN, NAN, NAN, NAN}, .share = NAN};
}

int factors_make(const struct factors_chain *chain, const struct rows *rows,
                 struct factors *factors) {
    struct work work = {.chain = chain};
    *factors = (struct factors){0};
    if (factors_cells_make(chain, rows, &work.cells) < 0)
        return -1;
    start(&work, factors);
    int status = refuse_untimed(&work);
    if (status == 0)
        status = keep_shapes(&work, factors);
    if (status == 0)
        status = fill_lines(&work, factors);
    for (size_t s = 0; s < chain->count; s++)
        parts_free(&work.levels[s]);
    parts_free(&work.change);
    free(work.levels);
    free(work.kept);
    free(work.refused);
    free(work.scratch);
    factors_cells_free(&work.cells);
    if (status < 0)
        factors_free(factors);
    return status;
}

void factors_free(struct factors *factors) {
    free(factors->lines);
    *factors = (struct factors){0};
}
