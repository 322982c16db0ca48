#include "reports/factors/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/pairs/estimate.h"
#include "reports/tables/entries_file.h"
#include "reports/tables/tables.h"
#include "timing/stats.h"
#include "timing/tails.h"

enum { STEPS_MOST = 26 };

/* A path that does not begin with / is taken from the file's folder. */
static bool take_run(struct inifile *file, const char *value, void *step) {
    char *run = ((struct factors_step *)step)->run;
    const struct entries_file *entries = file->target;
    const char *slash = *value == '/' ? NULL : strrchr(entries->path, '/');
    const int folder = slash ? (int)(slash - entries->path) + 1 : 0;
    return snprintf(run, PATH_MAX, "%.*s%s", folder, entries->path, value) < PATH_MAX ||
           inifile_refuse(file, "the path is too long");
}

static bool take_title(struct inifile *file, const char *value, void *step) {
    const struct entries_file *entries = file->target;
    struct factors_chain *chain = entries->context;
    return step == entries->defaults
               ? inifile_text(file, value, chain->title, sizeof chain->title)
               : inifile_refuse(file, "the title is the chain's: say it in [defaults]");
}

static const char *const means[] = {"paper", "geometric", NULL};
static const char *const refusals[] = {"omit", "one", "count", NULL};

#define OF(field) INIFILE_FIELD(struct factors_step, field)
static const struct inifile_row rows_of_file[] = {
    {"says", INIFILE_TEXT, OF(says)},
    {"run", .take = take_run},
    {"mode", INIFILE_SPELLING, OF(mode), .words = words_modes},
    {"lens", INIFILE_SPELLING, OF(lens), .words = words_lenses},
    {"library", INIFILE_SPELLING, OF(library), .words = reference_baselines},
    {"mean", INIFILE_WORD, OF(mean), .words = means},
    {"refused", INIFILE_WORD, OF(refused), .words = refusals},
    {"title", .take = take_title},
    {NULL}};
#undef OF
enum { NEEDED = 7 };

int factors_file_read(const char *path, struct factors_chain *chain) {
    struct factors_step defaults = {0};
    struct entries_file entries = {.what = "a chain of steps",
                                   .one = "step",
                                   .bytes = sizeof(struct factors_step),
                                   .most = STEPS_MOST,
                                   .rows = rows_of_file,
                                   .needed = NEEDED,
                                   .defaults = &defaults,
                                   .context = chain};
    *chain = (struct factors_chain){0};
    int status = entries_file_read(&entries, path);
    chain->steps = entries.list;
    chain->count = entries.count;
    if (status == 0 && chain->count < 2)
        status = error("%s: has %zu step%s; a step is a [section], and two or more are wanted",
                       path, chain->count, chain->count == 1 ? "" : "s");
    if (status < 0)
        factors_chain_free(chain);
    return status;
}

void factors_chain_free(struct factors_chain *chain) {
    free(chain->steps);
    *chain = (struct factors_chain){0};
}

struct work {
    struct factors_chain *chain;
    const struct rows *rows; /* of each step, as the pairs */
    struct pairs *pairs;
    struct shape *shapes; /* at first of any step, then those that all have */
    bool *refused;        /* of these, by any of the runs */
    size_t count;
};

/* Takes the pairs of the step, which are of one kernel. */
static int take_pairs(struct work *work, size_t s) {
    const struct factors_step *step = &work->chain->steps[s];
    struct pairs *pairs = &work->pairs[s];
    size_t kept = 0;
    if (pairs_take(step->run, &work->rows[s], PAIRS_QUOTED, pairs) < 0)
        return -1;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->list[i];
        if (strcmp(pair->reference, step->library) != 0 || strcmp(pair->mode, step->mode) != 0 ||
            strcmp(pair->lens, step->lens) != 0)
            continue;
        if (kept > 0 && strcmp(pairs->list->candidate, pair->candidate) != 0)
            return error("[%s]: %s has kernels of several names, %s and %s; a step wants one on "
                         "each shape",
                         step->name, step->run, pairs->list->candidate, pair->candidate);
        pairs->list[kept++] = *pair;
    }
    pairs->count = kept;
    return kept > 0 ? 0
                    : error("[%s]: %s has no ratio to %s by %s, %s", step->name, step->run,
                            step->library, step->lens, step->mode);
}

/* The step's ratio on the shape, or NULL. */
static const struct pair *pair_of(const struct work *work, size_t step, struct shape shape) {
    struct pair like = *work->pairs[step].list;
    like.shape = shape;
    return pairs_find(&work->pairs[step], &like, like.reference);
}

/* Rows of checks are of kernels under test and of libraries. */
static bool is_refused(const struct rows *rows, struct shape shape) {
    for (size_t i = 0; i < rows->check_count; i++)
        if (*rows->checks[i].candidate &&
            strcmp(rows->checks[i].kernel, rows->checks[i].candidate) == 0 &&
            shape_compare(rows->checks[i].shape, shape) == 0 &&
            rows_fate(&rows->checks[i]) == ROWS_REFUSED)
            return true;
    return false;
}

static void note_shape(struct work *work, struct shape shape) {
    for (size_t i = 0; i < work->count; i++)
        if (shape_compare(work->shapes[i], shape) == 0)
            return;
    work->shapes = need_more(work->shapes, work->count, sizeof *work->shapes);
    work->shapes[work->count++] = shape;
}

/* Notes the shapes that all steps have, and tells the steps of the others. */
static int find_shapes(struct work *work) {
    struct factors_chain *chain = work->chain;
    size_t untimed[STEPS_MOST] = {0}; /* refused kernels of which the step's run has no time */
    for (size_t s = 0; s < chain->count; s++) {
        for (size_t i = 0; i < work->pairs[s].count; i++)
            note_shape(work, work->pairs[s].list[i].shape);
        for (size_t i = 0; i < work->rows[s].check_count; i++)
            note_shape(work, work->rows[s].checks[i].shape);
    }
    work->refused = need(work->count, sizeof *work->refused);
    for (size_t i = 0; i < work->count; i++) {
        const struct shape shape = work->shapes[i];
        bool refused = false;
        size_t lacking = 0, last = 0;
        for (size_t s = 0; s < chain->count; s++) {
            const bool here = is_refused(&work->rows[s], shape);
            refused |= here;
            if (pair_of(work, s, shape))
                continue;
            untimed[s] += here;
            lacking += !here;
            last = here ? last : s;
        }
        if (lacking == 1)
            chain->steps[last].alone++;
        if (lacking > 0)
            continue;
        work->refused[chain->shapes] = refused;
        work->shapes[chain->shapes++] = shape;
        chain->refused += refused;
    }
    for (size_t s = 0; s < chain->count; s++)
        if (untimed[s] > 0 && chain->steps[s].refused == FACTORS_COUNT)
            return error("[%s]: %s has refused %zu kernel%s and not timed %s: refused = count has "
                         "nothing to count; say one or omit",
                         chain->steps[s].name, chain->steps[s].run, untimed[s],
                         untimed[s] == 1 ? "" : "s", untimed[s] == 1 ? "it" : "them");
    work->count = chain->shapes;
    return work->count > 0 ? 0 : error("no shape is in all %zu steps", chain->count);
}

/* Nothing of it is measured: it counts 1, or not at all. */
static bool is_fixed(const struct pair *pair) {
    return !*pair->reference;
}

static void move_to(struct pair *pair, double mean) {
    const double by = mean - stats_mean(pair->x, pair->visits);
    for (size_t r = 0; r < pair->visits; r++)
        pair->x[r] += by;
}

/* Of a shape that is refused. */
static struct pair fixed_pair(void) {
    struct pair pair = pairs_key((struct shape){0}, "", "", "", "");
    pair.quotient = 1;
    pair.used.freedom = INFINITY;
    pair.visits = 1;
    return pair;
}

/* The pairs of a step, one a shape. The mean of a pair's visits is what its shape adds to ln level,
 * so that the mean over pairs is that. Of t_library / t_kernel it is so by the delta method: a shape
 * counts as much as it adds to the sum. NULL after error(). */
static struct pair *step_pairs(const struct work *work, size_t s) {
    struct factors_step *step = &work->chain->steps[s];
    const bool paper = step->mean == FACTORS_PAPER;
    struct pair *pairs = need(work->count, sizeof *pairs);
    double *value = need(work->count, sizeof *value), sum = 0;
    step->visits = 1;
    for (size_t k = 0; k < work->count; k++) {
        struct pair *pair = &pairs[k];
        const bool fixed = work->refused[k] && step->refused != FACTORS_COUNT;
        *pair = fixed ? fixed_pair() : *pair_of(work, s, work->shapes[k]);
        value[k] = paper ? pair->quotient : -stats_mean(pair->x, pair->visits);
        if (fixed && step->refused == FACTORS_OMIT)
            value[k] = NAN;
        sum += isnan(value[k]) ? 0 : value[k];
        step->shapes += !isnan(value[k]);
        if (pair->visit[pair->visits - 1] >= step->visits)
            step->visits = pair->visit[pair->visits - 1] + 1;
    }
    const double level = sum / (double)step->shapes;
    const double weight = (double)work->count / (double)step->shapes;
    for (size_t k = 0; k < work->count; k++) {
        struct pair *pair = &pairs[k];
        const double here = isnan(value[k]) ? level : value[k];
        const double scale = paper ? weight * here / level : weight;
        for (size_t r = 0; r < step->visits && is_fixed(pair); r++)
            pair->visit[r] = (unsigned char)r;
        pair->visits = is_fixed(pair) ? step->visits : pair->visits;
        for (size_t r = 0; r < pair->visits; r++)
            pair->x[r] *= scale;
        pair->used.variance *= scale * scale;
        move_to(pair, paper ? -log(level) - weight * (here / level - 1)
                            : -level - weight * (here - level));
    }
    free(value);
    if (step->shapes > 0)
        return pairs;
    free(pairs);
    error("[%s]: all of its %zu shapes are refused, and it omits them", step->name, work->count);
    return NULL;
}

/* The later less the earlier visits that both have: of each shape, and then over all. */
static struct pair difference(const struct pair *before, const struct pair *now) {
    struct pair pair = *now;
    pair.visits = 0;
    if (is_fixed(now))
        pair.reference = before->reference;
    for (size_t i = 0, j = 0; i < now->visits; i++) {
        while (j < before->visits && before->visit[j] < now->visit[i])
            j++;
        if (j == before->visits || before->visit[j] != now->visit[i])
            continue;
        pair.x[pair.visits] = now->x[i] - before->x[j];
        pair.visit[pair.visits++] = now->visit[i];
    }
    if (!is_fixed(&pair))
        pair.used = spread_of(pair.x, pair.visits);
    pair.visits += pair.visits == 0; /* none in common: the means alone */
    move_to(&pair, stats_mean(now->x, now->visits) - stats_mean(before->x, before->visits));
    return pair;
}

/* The mean over the pairs. */
static struct suite_mean mean_over_pairs(const struct pair *pairs, size_t count) {
    const struct pair **list = need(count, sizeof *list);
    for (size_t k = 0; k < count; k++)
        list[k] = &pairs[k];
    const struct suite_mean mean = estimate_mean(list, NULL, count);
    free(list);
    return mean;
}

static struct factors_value value_of(const struct suite_mean *mean) {
    const bool visits = isfinite(mean->low);
    const bool shapes = isfinite(mean->shapes_low);
    return (struct factors_value){
        exp(mean->estimate), visits ? exp(mean->low) : NAN, visits ? exp(mean->high) : NAN,
        shapes ? exp(mean->shapes_low) : NAN, shapes ? exp(mean->shapes_high) : NAN};
}

/* From one step to the next, paired by shape, and by visit where both have as many: else both
 * levels are independent. */
static struct factors_value change_of(struct pair *const pairs[2], const struct suite_mean mean[2],
                                      size_t count, bool paired) {
    struct pair *differences = need(count, sizeof *differences);
    for (size_t k = 0; k < count; k++)
        differences[k] = difference(&pairs[0][k], &pairs[1][k]);
    struct suite_mean change = mean_over_pairs(differences, count);
    free(differences);
    if (!paired) {
        const double half = estimate_half(spread_sum(mean[0].error, mean[1].error));
        change.low = change.estimate - half;
        change.high = change.estimate + half;
    }
    return value_of(&change);
}

static int fill_steps(const struct work *work) {
    struct factors_step *steps = work->chain->steps, *last = steps + work->chain->count - 1;
    struct pair *pairs[2] = {NULL, NULL}; /* of the step before, and of this one */
    struct suite_mean mean[2];
    int status = 0;
    for (struct factors_step *step = steps; step <= last && status == 0; step++) {
        free(pairs[0]);
        pairs[0] = pairs[1];
        mean[0] = mean[1];
        if (!(pairs[1] = step_pairs(work, (size_t)(step - steps)))) {
            status = -1;
            continue;
        }
        mean[1] = mean_over_pairs(pairs[1], work->count);
        step->level = value_of(&mean[1]);
        step->change = step == steps
                           ? (struct factors_value){NAN, NAN, NAN, NAN, NAN}
                           : change_of(pairs, mean, work->count, step[-1].visits == step->visits);
    }
    free(pairs[0]);
    free(pairs[1]);
    const double whole = log(last->level.ratio / steps->level.ratio);
    for (struct factors_step *step = steps; step <= last; step++)
        step->share = whole != 0 ? log(step->change.ratio) / whole : NAN;
    return status;
}

int factors_make(struct factors_chain *chain, const struct rows *rows) {
    struct work work = {
        .chain = chain, .rows = rows, .pairs = need(chain->count, sizeof *work.pairs)};
    int status = 0;
    for (size_t s = 0; s < chain->count && status == 0; s++)
        status = take_pairs(&work, s);
    if (status == 0)
        status = find_shapes(&work) < 0 ? -1 : fill_steps(&work);
    for (size_t s = 0; s < chain->count; s++)
        pairs_free(&work.pairs[s]);
    free(work.pairs);
    free(work.shapes);
    free(work.refused);
    return status;
}
