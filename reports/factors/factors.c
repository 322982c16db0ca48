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

/* A library's name, also with a release in it: cublas@12.4.5-max, torch-matmul@12.4.5. Which
 * releases there are the run says. */
static bool take_library(struct inifile *file, const char *value, void *step) {
    char *library = ((struct factors_step *)step)->library, plain[RUNDIR_NAME];
    const char *at = strchr(value, '@'), *layout = at ? strrchr(at, '-') : NULL;
    if (!at || strlen(value) >= RUNDIR_NAME)
        return inifile_spelling(file, value, tables_baselines, library);
    snprintf(plain, sizeof plain, "%.*s%s", (int)(at - value), value, layout ? layout : "");
    if (!inifile_spelling(file, plain, tables_baselines, library))
        return false;
    strcpy(library, value);
    return true;
}

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
    {"library", .take = take_library},
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

/* What a shape adds to ln level, as a pair whose mean over shapes that is; and how far it is from
 * the mean of all. */
struct part {
    struct pair y;
    double apart;
    bool fixed; /* nothing of it is measured: it counts 1, or not at all */
};

struct work {
    const struct factors_chain *chain;
    const struct rows *rows; /* of each step, as the pairs */
    struct pairs *pairs;
    struct shape *shapes; /* those that all steps have */
    bool *refused;        /* of these, by any of the runs */
    size_t count;
    struct part *before, *now; /* of the kept shapes in two steps */
};

/* Keeps the pairs of the step, which are of one kernel. */
static int keep_pairs(const struct factors_step *step, struct pairs *pairs) {
    const char *kernel = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        struct pair *pair = &pairs->list[kept], *each = &pairs->list[i];
        if (strcmp(each->reference, step->library) != 0 || strcmp(each->mode, step->mode) != 0 ||
            strcmp(each->lens, step->lens) != 0)
            continue;
        *pair = *each;
        kernel = kept++ == 0 ? pair->candidate : kernel;
        if (strcmp(kernel, pair->candidate) != 0)
            return error("[%s]: %s has kernels of several names, %s and %s; a step wants one on "
                         "each shape",
                         step->name, step->run, kernel, pair->candidate);
    }
    pairs->count = kept;
    return kept > 0 ? 0
                    : error("[%s]: %s has no ratio to %s by %s, %s", step->name, step->run,
                            step->library, step->lens, step->mode);
}

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

/* Its outcome as a kernel under test; other rows of checks are the libraries'. */
static bool is_kernel(const struct check_row *row) {
    return *row->candidate && strcmp(row->kernel, row->candidate) == 0;
}

/* The step's ratio on the shape, or NULL. */
static const struct pair *pair_of(const struct work *work, size_t step, struct shape shape) {
    struct pair like = *work->pairs[step].list;
    like.shape = shape;
    return pairs_find(&work->pairs[step], &like, like.reference);
}

static bool is_refused(const struct rows *rows, struct shape shape) {
    for (size_t i = 0; i < rows->check_count; i++)
        if (is_kernel(&rows->checks[i]) && shape_compare(rows->checks[i].shape, shape) == 0 &&
            rows_refused(&rows->checks[i]))
            return true;
    return false;
}

/* All shapes of all steps, each once. */
static void list_shapes(struct work *work) {
    size_t room = 0, count = 0;
    for (size_t s = 0; s < work->chain->count; s++)
        room += work->pairs[s].count + work->rows[s].check_count;
    work->shapes = need(room, sizeof *work->shapes);
    for (size_t s = 0; s < work->chain->count; s++) {
        for (size_t i = 0; i < work->pairs[s].count; i++)
            work->shapes[count++] = work->pairs[s].list[i].shape;
        for (size_t i = 0; i < work->rows[s].check_count; i++)
            if (is_kernel(&work->rows[s].checks[i]))
                work->shapes[count++] = work->rows[s].checks[i].shape;
    }
    qsort(work->shapes, count, sizeof *work->shapes, compare_shapes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || shape_compare(work->shapes[i], work->shapes[work->count - 1]) != 0)
            work->shapes[work->count++] = work->shapes[i];
}

/* A run that has refused a kernel has no time of it to be counted. */
static int refuse_untimed(const struct work *work) {
    for (size_t s = 0; s < work->chain->count; s++) {
        const struct factors_step *step = &work->chain->steps[s];
        size_t untimed = 0;
        for (size_t i = 0; i < work->count && step->refused == FACTORS_COUNT; i++)
            untimed +=
                !pair_of(work, s, work->shapes[i]) && is_refused(&work->rows[s], work->shapes[i]);
        if (untimed > 0)
            return error("[%s]: %s has refused %zu kernel%s and not timed %s: refused = count has "
                         "nothing to count; say one or omit",
                         step->name, step->run, untimed, untimed == 1 ? "" : "s",
                         untimed == 1 ? "it" : "them");
    }
    return 0;
}

/* Keeps the shapes that all steps have, and tells the lines of the others. */
static int keep_shapes(struct work *work, struct factors *factors) {
    const size_t all = work->count;
    work->count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct shape shape = work->shapes[i];
        bool refused = false;
        size_t lacking = 0, last = 0;
        for (size_t s = 0; s < factors->count; s++)
            refused |= is_refused(&work->rows[s], shape);
        for (size_t s = 0; s < factors->count; s++) {
            const bool needed = !refused || work->chain->steps[s].refused == FACTORS_COUNT;
            if (pair_of(work, s, shape) || (!needed && is_refused(&work->rows[s], shape)))
                continue;
            lacking++;
            last = s;
        }
        if (lacking == 1)
            factors->lines[last].alone++;
        if (lacking > 0)
            continue;
        work->refused[work->count] = refused;
        work->shapes[work->count++] = shape;
        factors->refused += refused;
    }
    factors->shapes = work->count;
    return work->count > 0 ? 0 : error("no shape is in all %zu steps", factors->count);
}

/* Whether the shape is in the mean of the step, and whether it counts 1 there. */
static bool is_in(const struct work *work, const struct factors_step *step, size_t k) {
    return !work->refused[k] || step->refused != FACTORS_OMIT;
}

static bool is_one(const struct work *work, const struct factors_step *step, size_t k) {
    return work->refused[k] && step->refused == FACTORS_ONE;
}

/* What a shape of the mean counts: a quotient, or a logarithm. */
static double value_of(const struct work *work, size_t s, size_t k) {
    const struct factors_step *step = &work->chain->steps[s];
    const struct pair *pair = pair_of(work, s, work->shapes[k]);
    const double value = is_one(work, step, k)         ? 1
                         : step->mean == FACTORS_PAPER ? pair->quotient
                                                       : estimate_pair(pair).ratio;
    return step->mean == FACTORS_PAPER ? value : log(value);
}

/* Student's t over the shapes' own parts. */
static void put_over_shapes(const struct work *work, const struct part *before,
                            struct factors_value *value) {
    double *x = need(work->count, sizeof *x);
    const double n = (double)work->count;
    for (size_t k = 0; k < work->count; k++)
        x[k] = work->now[k].apart - (before ? before[k].apart : 0);
    const double half = tails_student_quantile((1 + VERDICT_CONFIDENCE) / 2, n - 1) *
                        stats_sd(x, work->count) / sqrt(n);
    value->shapes_low = isfinite(half) ? value->ratio * exp(-half) : NAN;
    value->shapes_high = isfinite(half) ? value->ratio * exp(half) : NAN;
    free(x);
}

static void put_over_rounds(double half, struct factors_value *value) {
    value->low = isfinite(half) ? value->ratio * exp(-half) : NAN;
    value->high = isfinite(half) ? value->ratio * exp(half) : NAN;
}

/* The mean over the pairs of the parts. Those that no row of a run has, or no interval, have their
 * variances moderated among each other. */
static struct suite_mean mean_of(const struct work *work, struct part *parts, bool moderated) {
    const struct pair **list = need(work->count, sizeof *list);
    struct pair **measured = need(work->count, sizeof *measured);
    size_t count = 0;
    for (size_t k = 0; k < work->count; k++) {
        list[k] = &parts[k].y;
        if (!parts[k].fixed)
            measured[count++] = &parts[k].y;
        moderated = moderated || isnan(parts[k].y.used.variance);
    }
    if (moderated)
        estimate_moderate(measured, count);
    const struct suite_mean mean = estimate_mean(list, NULL, work->count);
    free(list);
    free(measured);
    return mean;
}

static double half_of(const struct suite_mean *mean) {
    return mean->within_one_process ? NAN : (mean->high - mean->low) / 2;
}

/* The parts of a step, and what they say of its level. */
static int fill_level(struct work *work, size_t s, struct factors_line *line,
                      struct suite_mean *mean) {
    const struct factors_step *step = &line->step;
    const bool paper = step->mean == FACTORS_PAPER;
    double sum = 0;
    line->rounds = 1;
    for (size_t k = 0; k < work->count; k++) {
        const struct pair *pair = pair_of(work, s, work->shapes[k]);
        if (!is_in(work, step, k))
            continue;
        sum += value_of(work, s, k);
        line->shapes++;
        if (!is_one(work, step, k) && pair->visit[pair->rounds - 1] >= line->rounds)
            line->rounds = pair->visit[pair->rounds - 1] + 1;
    }
    if (line->shapes == 0)
        return error("[%s]: all of its %zu shapes are refused, and it omits them", step->name,
                     work->count);
    const double level = sum / (double)line->shapes;
    const double weight = (double)work->count / (double)line->shapes;
    for (size_t k = 0; k < work->count; k++) {
        struct part *part = &work->now[k];
        const bool in = is_in(work, step, k);
        const double value = in ? value_of(work, s, k) : level;
        const double scale = paper ? weight * value / level : weight;
        part->apart = weight * (value - level) / (paper ? level : 1);
        part->fixed = !in || is_one(work, step, k);
        part->y = part->fixed ? (struct pair){.used = {0, INFINITY}, .rounds = line->rounds}
                              : *pair_of(work, s, work->shapes[k]);
        for (size_t r = 0; r < part->y.rounds; r++) {
            part->y.x[r] *= scale;
            part->y.visit[r] = part->fixed ? (unsigned char)r : part->y.visit[r];
        }
        part->y.used.variance *= scale * scale;
    }
    *mean = mean_of(work, work->now, false);
    line->level.ratio = paper ? level : exp(level);
    put_over_rounds(half_of(mean), &line->level);
    put_over_shapes(work, NULL, &line->level);
    return 0;
}

/* The later less the earlier visits that both have. */
static void subtract(const struct pair *before, struct pair *now) {
    size_t kept = 0;
    for (size_t i = 0, j = 0; i < now->rounds; i++) {
        while (j < before->rounds && before->visit[j] < now->visit[i])
            j++;
        if (j == before->rounds || before->visit[j] != now->visit[i])
            continue;
        now->x[kept] = now->x[i] - before->x[j];
        now->visit[kept++] = now->visit[i];
    }
    now->rounds = kept;
}

/* From one step to the next, paired by shape, and by round where both have as many. */
static void fill_change(struct work *work, const struct suite_mean *before,
                        const struct suite_mean *now, struct factors_line *line) {
    line->change.ratio = line->level.ratio / line[-1].level.ratio;
    put_over_shapes(work, work->before, &line->change);
    double half = before->within_one_process || now->within_one_process
                      ? NAN
                      : estimate_half(moderation_sum(before->error, now->error));
    if (line[-1].rounds == line->rounds) {
        struct part *change = need(work->count, sizeof *change);
        for (size_t k = 0; k < work->count; k++) {
            change[k] = work->now[k];
            change[k].fixed = work->now[k].fixed && work->before[k].fixed;
            subtract(&work->before[k].y, &change[k].y);
        }
        const struct suite_mean mean = mean_of(work, change, true);
        half = half_of(&mean);
        free(change);
    }
    put_over_rounds(half, &line->change);
}

static int fill_lines(struct work *work, struct factors *factors) {
    struct suite_mean before = {0}, now;
    for (size_t s = 0; s < factors->count; s++) {
        struct factors_line *line = &factors->lines[s];
        if (fill_level(work, s, line, &now) < 0)
            return -1;
        if (s > 0)
            fill_change(work, &before, &now, line);
        before = now;
        struct part *parts = work->before;
        work->before = work->now;
        work->now = parts;
    }
    const double whole =
        log(factors->lines[factors->count - 1].level.ratio / factors->lines[0].level.ratio);
    for (size_t s = 1; s < factors->count; s++)
        factors->lines[s].share = whole != 0 ? log(factors->lines[s].change.ratio) / whole : NAN;
    return 0;
}

int factors_make(const struct factors_chain *chain, const struct rows *rows,
                 struct factors *factors) {
    struct work work = {
        .chain = chain, .rows = rows, .pairs = need(chain->count, sizeof *work.pairs)};
    int status = 0;
    *factors = (struct factors){.lines = need(chain->count, sizeof *factors->lines),
                                .count = chain->count};
    for (size_t s = 0; s < chain->count && status == 0; s++) {
        const struct factors_step *step = &chain->steps[s];
        factors->lines[s] = (struct factors_line){

            .step = *step, .change = {NAN, NAN, NAN, NAN, NAN}, .share = NAN};
        status = pairs_take(step->run, &rows[s], PAIRS_QUOTED, &work.pairs[s]);
        if (status == 0)
            status = keep_pairs(step, &work.pairs[s]);
    }
    if (status == 0) {
        list_shapes(&work);
        work.refused = need(work.count, sizeof *work.refused);
        work.before = need(work.count, sizeof *work.before);
        work.now = need(work.count, sizeof *work.now);
        status = refuse_untimed(&work) < 0 || keep_shapes(&work, factors) < 0 ||
                         fill_lines(&work, factors) < 0
                     ? -1
                     : 0;
    }
    for (size_t s = 0; s < chain->count; s++)
        pairs_free(&work.pairs[s]);
    free(work.pairs);
    free(work.shapes);
    free(work.refused);
    free(work.before);
    free(work.now);
    if (status < 0)
        factors_free(factors);
    return status;
}

void factors_free(struct factors *factors) {
    free(factors->lines);
    *factors = (struct factors){0};
}
