#include "reports/tables/agree.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/rows/size_class.h"
#include "reports/run/rundir.h"
#include "reports/tables/intervals.h"
#include "timing/agreement.h"

/* The same row in two runs. */
struct pair {
    const struct ratio_row *row; /* of the first */
    int size_class;
    struct agreement_row sides;
};

struct pairs {
    struct pair *list;
    size_t count, only_first, only_second, unknown, within;
};

static bool has_interval(const struct ratio_row *row) {
    return row->ratio > 0 && row->ci_low > 0 && isfinite(row->ci_high);
}

static int compare_rows(const void *left, const void *right) {
    const struct ratio_row *a = *(const struct ratio_row *const *)left;
    const struct ratio_row *b = *(const struct ratio_row *const *)right;
    int order = shape_compare(a->shape, b->shape);
    if (order == 0)
        order = strcmp(a->candidate, b->candidate);
    if (order == 0)
        order = strcmp(a->baseline, b->baseline);
    if (order == 0)
        order = strcmp(a->mode, b->mode);
    return order ? order : strcmp(a->lens, b->lens);
}

/* The run's rows, sorted; the caller frees. NULL without memory. */
static const struct ratio_row **sorted_rows(const struct rows *rows, size_t *count) {
    const struct ratio_row **list = malloc((rows->ratio_count + 1) * sizeof *list);
    *count = rows->ratio_count;
    for (size_t i = 0; list && i < rows->ratio_count; i++)
        list[i] = &rows->ratios[i];
    if (list)
        qsort(list, *count, sizeof *list, compare_rows);
    return list;
}

static struct agreement_side side_of(const struct ratio_row *row) {
    return (struct agreement_side){log(row->ratio), log(row->ci_high / row->ci_low) / 2,
                                   row->freedom};
}

static void take_pair(struct pairs *pairs, const struct ratio_row *first,
                      const struct ratio_row *second) {
    if (!has_interval(first) || !has_interval(second)) {
        pairs->unknown++;
        return;
    }
    pairs->within += intervals_within(first) || intervals_within(second);
    pairs->list[pairs->count++] =
        (struct pair){first, size_class_of(first->shape), {side_of(first), side_of(second), 0}};
}

/* Appends what two runs have in common. 0, or -1 without memory. */
static int take_runs(struct pairs *pairs, const struct rows *first, const struct rows *second) {
    size_t n, m, i = 0, j = 0;
    const struct ratio_row **a = sorted_rows(first, &n), **b = sorted_rows(second, &m);
    struct pair *moved =
        realloc(pairs->list, (pairs->count + first->ratio_count + 1) * sizeof *moved);
    pairs->list = moved ? moved : pairs->list;
    while (a && b && moved && (i < n || j < m)) {
        const int order = i == n ? 1 : j == m ? -1 : compare_rows(&a[i], &b[j]);
        pairs->only_first += order < 0;
        pairs->only_second += order > 0;
        if (order == 0)
            take_pair(pairs, a[i], b[j]);
        i += order <= 0;
        j += order >= 0;
    }
    const int status = a && b && moved ? 0 : -1;
    free(a);
    free(b);
    return status;
}

static int compare_series(const struct pair *a, const struct pair *b) {
    const int order = words_compare(words_modes, a->row->mode, b->row->mode);
    return order ? order : words_compare(words_lenses, a->row->lens, b->row->lens);
}

static int compare_pairs(const void *left, const void *right) {
    const struct pair *a = left, *b = right;
    int order = compare_series(a, b);
    order = order ? order : a->size_class - b->size_class;
    return order ? order : shape_compare(a->row->shape, b->row->shape);
}

/* The pairs' rows, and numbers for their shapes, which stand together. */
static void take_sides(const struct pair *pairs, size_t count, struct agreement_row *rows) {
    for (size_t i = 0; i < count; i++) {
        rows[i] = pairs[i].sides;
        if (i > 0)
            rows[i].shape = rows[i - 1].shape +
                            (shape_compare(pairs[i - 1].row->shape, pairs[i].row->shape) != 0);
    }
}

/* rows has room for all. */
static void add_line(struct document *page, const struct pair *pairs, size_t count,
                     const char *sizes, struct agreement_row *rows) {
    take_sides(pairs, count, rows);
    const struct agreement found = agreement_of(rows, count, 0.95);
    document_row(page);
    document_cell(page, pairs->row->mode);
    document_cell(page, pairs->row->lens);
    document_cell(page, sizes);
    document_count(page, found.rows);
    document_number(page, found.share);
    document_interval(page, found.share_low, found.share_high);
    document_number(page, found.expected);
    document_number(page, expm1(found.median_difference));
    document_number(page, expm1(found.ninth_difference));
    document_number(page, expm1(found.median_combined));
    document_number(page, expm1(found.median_half));
    document_number(page, found.excess_sd);
    document_count(page, found.opposite);
    document_count(page, found.changed);
}

/* All sizes of a mode and a lens, then each class of them. */
static void add_series(struct document *page, const struct pair *pairs, size_t count,
                       struct agreement_row *rows) {
    char sizes[SIZE_CLASS_TEXT];
    add_line(page, pairs, count, "all", rows);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && pairs[end].size_class == pairs[first].size_class;)
            end++;
        if (end - first < count)
            add_line(page, pairs + first, end - first,
                     size_class_format(pairs[first].size_class, sizes), rows);
    }
}

static void add_table(struct document *page, const struct pairs *pairs,
                      struct agreement_row *rows) {
    static const struct document_column columns[] = {
        {.name = "mode", .type = DOCUMENT_TEXT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "log2 MNK", .type = DOCUMENT_TEXT, .key = "sizes"},
        {.name = "pairs", .type = DOCUMENT_COUNT},
        {.name = "agree %", .type = DOCUMENT_SHARE, .key = "agree"},
        {.name = "95 % interval",
         .type = DOCUMENT_INTERVAL,
         .key = "agree",
         .low = "agree_low",
         .high = "agree_high"},
        {.name = "expected %", .type = DOCUMENT_SHARE, .key = "expected"},
        {.name = "median difference %",
         .type = DOCUMENT_SHARE,
         .digits = 2,
         .key = "median_difference"},
        {.name = "90 % below %", .type = DOCUMENT_SHARE, .digits = 2, .key = "p90_difference"},
        {.name = "combined %",
         .type = DOCUMENT_SHARE,
         .digits = 2,
         .key = "median_combined_half_width"},
        {.name = "half-width %", .type = DOCUMENT_SHARE, .digits = 2, .key = "median_half_width"},
        {.name = "excess sd %", .type = DOCUMENT_SHARE, .digits = 2, .key = "excess_sd"},
        {.name = "faster and slower", .type = DOCUMENT_COUNT, .key = "opposite"},
        {.name = "one undecided", .type = DOCUMENT_COUNT, .key = "changed"},
    };
    DOCUMENT_TABLE(page, "agreement", "How far the runs agree", columns);
    for (size_t first = 0, end; first < pairs->count; first = end) {
        for (end = first + 1;
             end < pairs->count && compare_series(pairs->list + first, pairs->list + end) == 0;)
            end++;
        add_series(page, pairs->list + first, end - first, rows);
    }
}

static void add_facts(struct document *page, const struct agree_run *runs, size_t count,
                      const struct pairs *pairs) {
    char text[128];
    document_facts(page, "what was compared");
    for (size_t i = 0; i < count; i++)
        document_fact(page, i ? "with" : "run", runs[i].name);
    snprintf(text, sizeof text, "%zu", pairs->count);
    document_fact(page, "pairs of rows", text);
    snprintf(text, sizeof text, "%zu", pairs->unknown);
    document_fact(page, "pairs without an interval in both", text);
    snprintf(text, sizeof text, "%zu in the former of two runs, %zu in the latter",
             pairs->only_first, pairs->only_second);
    document_fact(page, "rows of one run only", text);
}

static void add_reading(struct document *page, const struct pairs *pairs) {
    if (pairs->within > 0)
        document_note(page, DOCUMENT_BAD,
                      "**Within one process**: in %zu pairs an interval is of one round. It does "
                      "not claim to hold for another run; measure with `--visits 4`.",
                      pairs->within);
    document_paragraph(page,
                       "Two runs *agree* on a row where their ratios differ by no more than both "
                       "95 %% half-widths combined (root of the sum of squares). *Expected* is the "
                       "share of rows that should, by the degrees of freedom of both intervals: "
                       "few make it more than 95 %%. The 95 %% interval takes rows of one shape as "
                       "one. *Combined* is the median of that combination, *half-width* that of "
                       "one run's own. *Excess sd* is what runs differ by beyond their intervals. "
                       "The last two columns count verdicts that changed: from faster to slower or "
                       "back, and to or from undecided. Sizes are classes of log2(M·N·K).");
}

/* All pairs of all runs; list is the caller's to free. 0, or -1 without memory. */
static int take_all(struct pairs *pairs, const struct agree_run *runs, size_t count) {
    int status = 0;
    *pairs = (struct pairs){0};
    for (size_t i = 0; i < count && status == 0; i++)
        for (size_t j = i + 1; j < count && status == 0; j++)
            status = take_runs(pairs, runs[i].rows, runs[j].rows);
    return status;
}

size_t agree_common(const struct agree_run *runs, size_t count) {
    struct pairs pairs;
    take_all(&pairs, runs, count);
    free(pairs.list);
    return pairs.count;
}

double agree_share(const struct agree_run *runs, const char *mode, const char *lens,
                   size_t *count) {
    struct pairs pairs;
    double share = NAN;
    *count = 0;
    const int status = take_all(&pairs, runs, 2);
    struct agreement_row *rows = malloc((pairs.count + 1) * sizeof *rows);
    for (size_t i = 0; rows && status == 0 && i < pairs.count; i++)
        if (strcmp(pairs.list[i].row->mode, mode) == 0 &&
            strcmp(pairs.list[i].row->lens, lens) == 0)
            rows[(*count)++] = pairs.list[i].sides;
    if (*count > 0)
        share = agreement_of(rows, *count, 0.95).share;
    free(rows);
    free(pairs.list);
    return share;
}

void agree_fill(struct document *page, const struct agree_run *runs, size_t count) {
    struct pairs pairs;
    const int status = take_all(&pairs, runs, count);
    struct agreement_row *rows = malloc((pairs.count + 1) * sizeof *rows);
    if (status == 0 && rows) {
        if (pairs.count > 0)
            qsort(pairs.list, pairs.count, sizeof *pairs.list, compare_pairs);
        add_facts(page, runs, count, &pairs);
        add_table(page, &pairs, rows);
        add_reading(page, &pairs);
    } else
        document_fail(page);
    free(rows);
    free(pairs.list);
}

struct document *agree_page(const struct agree_run *runs, size_t count) {
    struct document *page = document_new("How far runs agree");
    agree_fill(page, runs, count);
    return page;
}

/* A setting that two plans have differently. Of lists it is the first entry that differs. */
struct difference {
    char where[128]; /* "cache", or "shapes[3]" */
    const json_t *here, *there;
    size_t entries, of; /* how many of a list's differ, and how many the longer one has; else 0 */
};

static struct difference difference_of(const char *key, const json_t *here, const json_t *there) {
    struct difference d = {.here = here, .there = there};
    snprintf(d.where, sizeof d.where, "%.100s", key);
    if (!json_is_array(here) || !json_is_array(there))
        return d;
    const size_t a = json_array_size(here), b = json_array_size(there);
    d.of = a > b ? a : b;
    for (size_t i = 0; i < d.of; i++) {
        const json_t *one = json_array_get(here, i), *other = json_array_get(there, i);
        if (json_equal(one, other) || d.entries++ > 0)
            continue;
        snprintf(d.where, sizeof d.where, "%.100s[%zu]", key, i);
        d.here = one;
        d.there = other;
    }
    return d;
}

/* others: settings that differ, too. */
static void refuse_plans(const char *first, const char *second, const struct difference *d,
                         size_t others) {
    char count[64] = "", more[64] = "";
    char *one = jsonfile_shown(d->here), *other = jsonfile_shown(d->there);
    if (d->of > 0)
        snprintf(count, sizeof count, " (%zu of %zu entries differ)", d->entries, d->of);
    if (others > 0)
        snprintf(more, sizeof more, ", and %zu other setting%s", others,
                 others > 1 ? "s differ, too" : " differs, too");
    error("%s and %s are of different plans: %s is %.100s and %.100s%s%s; only runs with the same "
          "options but --seed can agree",
          first, second, d->where, one ? one : "absent", other ? other : "absent", count, more);
    free(one);
    free(other);
}

/* Says where the plans differ, but for the seed. Returns an exit status. */
static int same_plan(const char *first, const char *second, const json_t *a, const json_t *b) {
    struct difference found = {.where = ""};
    json_t *all = json_object(), *value;
    size_t count = 0;
    const char *key;
    json_object_update(all, (json_t *)a);
    json_object_update(all, (json_t *)b);
    json_object_foreach(all, key, value) {
        const json_t *here = json_object_get(a, key), *there = json_object_get(b, key);
        if (strcmp(key, "seed") != 0 && !json_equal(here, there) && count++ == 0)
            found = difference_of(key, here, there);
    }
    json_decref(all);
    if (count == 0)
        return EXIT_PASS;
    refuse_plans(first, second, &found, count - 1);
    return EXIT_NOT_COMPARABLE;
}

/* What runs of different machines differ in first. A driver may be another. */
static const char *const machine[] = {"gpu.name", "cpu.model"};

static int same_machine(const char *first, const char *second, const json_t *a, const json_t *b) {
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        const char *here = json_string_value(rundir_find(a, machine[i]));
        const char *there = json_string_value(rundir_find(b, machine[i]));
        if (strcmp(here ? here : "", there ? there : "") == 0)
            continue;
        error("%s and %s are of different machines: %s is %s and %s", first, second, machine[i],
              here ? here : "not known", there ? there : "not known");
        return EXIT_NOT_COMPARABLE;
    }
    return EXIT_PASS;
}

int agree_check(const char *first, const char *second) {
    json_t *plan = rundir_read_json(first, "plan.json");
    json_t *other_plan = rundir_read_json(second, "plan.json");
    json_t *manifest = NULL, *other_manifest = NULL;
    int status = plan && other_plan ? same_plan(first, second, plan, other_plan) : EXIT_TROUBLE;
    if (status == EXIT_PASS) {
        manifest = rundir_read_json(first, "manifest.json");
        other_manifest = rundir_read_json(second, "manifest.json");
        status = manifest && other_manifest ? same_machine(first, second, manifest, other_manifest)
                                            : EXIT_TROUBLE;
    }
    json_decref(plan);
    json_decref(other_plan);
    json_decref(manifest);
    json_decref(other_manifest);
    return status;
}

int agree_nothing(const char *first, const char *second) {
    error("%s and %s have no row with an interval in both: there is nothing to compare", first,
          second);
    return EXIT_TROUBLE;
}

static int make(const char *const *folders, struct agree_run *runs, struct rows *rows, size_t count,
                struct document **page) {
    int status = EXIT_PASS;
    for (size_t i = 1; i < count && status == EXIT_PASS; i++)
        status = agree_check(folders[0], folders[i]);
    for (size_t i = 0; i < count && status == EXIT_PASS; i++) {
        runs[i] = (struct agree_run){folders[i], &rows[i]};
        status = rundir_read(folders[i], &rows[i]) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    }
    if (status == EXIT_PASS && agree_common(runs, count) == 0)
        status = agree_nothing(folders[0], folders[count - 1]);
    if (status == EXIT_PASS)
        *page = agree_page(runs, count);
    return status;
}

int agree_make(const char *const *folders, size_t count, struct document **page) {
    struct rows *rows = calloc(count + 1, sizeof *rows);
    struct agree_run *runs = calloc(count + 1, sizeof *runs);
    int status = EXIT_TROUBLE;
    *page = NULL;
    if (rows && runs)
        status = make(folders, runs, rows, count, page);
    else
        error("no memory for %zu runs", count);
    for (size_t i = 0; rows && i < count; i++)
        rows_free(&rows[i]);
    free(rows);
    free(runs);
    return status;
}
