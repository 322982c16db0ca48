#include "reports/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/page/shape_columns.h"
#include "reports/page/writers.h"
#include "reports/run/opened.h"
#include "reports/sections/sections.h"
#include "reports/tables/tables.h"

/* The ways to choose an algorithm, from the cheapest to the dearest. */
enum way { FIRST, CHOSEN, FOUND, WAYS };
static const char *const stems[WAYS] = {"cublaslt-heuristic", "cublaslt-autotune",
                                        "cublaslt-exhaustive"};

struct tuned {
    struct rundir run;
    struct table table;
    const char *lens; /* by which algorithms were chosen */
    const char *mode; /* the first that was timed */
};

static bool is_arm(const char *name, const char *stem, const char *layout) {
    const size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 && name[length] == '-' &&
           strcmp(name + length + 1, layout) == 0;
}

/* The faster layout by its median. NULL where the way has no times on the shape. */
static const struct time_row *faster(const struct tuned *tuned, struct shape shape, enum way way) {
    const struct time_row *found = NULL;
    for (size_t i = 0; i < tuned->run.rows.time_count; i++) {
        const struct time_row *row = &tuned->run.rows.times[i];
        if (shape_compare(row->shape, shape) == 0 && strcmp(row->lens, tuned->lens) == 0 &&
            strcmp(row->mode, tuned->mode) == 0 &&
            (is_arm(row->kernel, stems[way], "nn") || is_arm(row->kernel, stems[way], "tn")) &&
            (!found || row->median < found->median))
            found = row;
    }
    return found;
}

static const struct check_row *check_of(const struct tuned *tuned, struct shape shape,
                                        const char *kernel) {
    for (size_t i = 0; i < tuned->run.rows.check_count; i++)
        if (shape_compare(tuned->run.rows.checks[i].shape, shape) == 0 &&
            strcmp(tuned->run.rows.checks[i].kernel, kernel) == 0)
            return &tuned->run.rows.checks[i];
    return NULL;
}

static const struct ratio_row *gain_of(const struct tuned *tuned, struct shape shape,
                                       enum way over) {
    for (size_t i = 0; i < tuned->run.rows.ratio_count; i++) {
        const struct ratio_row *row = &tuned->run.rows.ratios[i];
        if (shape_compare(row->shape, shape) == 0 && strcmp(row->lens, tuned->lens) == 0 &&
            strcmp(row->mode, tuned->mode) == 0 && is_arm(row->candidate, stems[FOUND], "max") &&
            is_arm(row->baseline, stems[over], "max"))
            return row;
    }
    return NULL;
}

/* Of what a tuned library says of its choice: the algorithm, and how it was chosen. */
static void put_choice(struct document *page, const char *variant) {
    const size_t length = strcspn(variant, ";");
    char algorithm[RUNDIR_TEXT];
    snprintf(algorithm, sizeof algorithm, "%.*s", (int)length, variant);
    document_cell(page, algorithm);
    document_cell(page, variant[length] ? variant + length + 2 : "");
}

static void put_time(struct document *page, const struct tuned *tuned, struct shape shape,
                     enum way way) {
    const struct time_row *time = faster(tuned, shape, way);
    const struct check_row *check = time ? check_of(tuned, shape, time->kernel) : NULL;
    document_number(page, time ? time->median : NAN);
    document_cell(page, time ? strrchr(time->kernel, '-') + 1 : "");
    if (way != FIRST)
        put_choice(page, check ? check->variant : "");
}

static void put_gain(struct document *page, const struct tuned *tuned, struct shape shape,
                     enum way over) {
    const struct ratio_row *gain = gain_of(tuned, shape, over);
    if (gain)
        document_ratio(page, gain->ratio, gain->ci_low, gain->ci_high);
    else
        document_ratio(page, NAN, NAN, NAN);
    document_verdict(page, gain ? gain->verdict : "",
                     gain ? document_faster(gain->verdict) : DOCUMENT_PLAIN);
}

/* A line each shape, in the order of the checks. */
static void put_shapes(struct document *page, const struct tuned *tuned) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
    static const struct document_column columns[] = {
        {.name = "shape", .formats = PAGES},
        SHAPE_COLUMNS,
        {.name = "heuristic's first", .type = DOCUMENT_SECONDS, .key = "first_seconds"},
        {.name = "its layout", .key = "first_layout", .formats = DATA},
        {.name = "autotuned", .type = DOCUMENT_SECONDS, .key = "autotuned_seconds"},
        {.name = "its layout", .key = "autotuned_layout", .formats = DATA},
        {.name = "its algorithm", .key = "autotuned_algorithm", .formats = DATA},
        {.name = "chosen", .key = "autotuned_how", .formats = DATA},
        {.name = "best found",
         .type = DOCUMENT_SECONDS,
         .key = "found_seconds",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "layout", .key = "found_layout", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "algorithm found", .key = "found_algorithm", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "chosen", .key = "found_how", .formats = DATA},
        {.name = "gain over the first",
         .type = DOCUMENT_RATIO,
         .key = "over_first",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "", .type = DOCUMENT_VERDICT, .key = "over_first_verdict", .formats = DATA},
        {.name = "gain over the autotuned",
         .type = DOCUMENT_RATIO,
         .key = "over_autotuned",
         .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "verdict",
         .type = DOCUMENT_VERDICT,
         .key = "over_autotuned_verdict",
         .omit = DOCUMENT_OMIT_EMPTY},
    };
    const json_t *shapes = json_object_get(tuned->run.plan, "shapes");
    DOCUMENT_TABLE(page, "shapes", NULL, columns);
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        const char *text = json_string_value(json_array_get(shapes, i));
        struct shape shape;
        if (!text || shape_parse(text, &shape) != NULL)
            continue;
        document_row(page);
        document_cell(page, text);
        shape_cells(page, shape);
        for (enum way way = FIRST; way < WAYS; way++)
            put_time(page, tuned, shape, way);
        for (enum way over = FIRST; over < FOUND; over++)
            put_gain(page, tuned, shape, over);
    }
}

/* The search over each of the other ways, over all shapes. */
static void put_totals(struct document *page, const struct tuned *tuned) {
#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(baseline, "over", CODE),  OF(mode, "mode", CODE, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", CODE),      OF(shapes, "shapes", COUNT),
        OF(geomean, "gain", RATIO),  OF(faster, "faster", COUNT),
        OF(same, "same", COUNT),     OF(undecided, "undecided", COUNT),
        OF(slower, "slower", COUNT),
    };
#undef OF
    DOCUMENT_TABLE(page, "gains", NULL, columns);
    for (size_t i = 0; i < tuned->table.count; i++)
        if (is_arm(tuned->table.lines[i].candidate, stems[FOUND], "max"))
            document_row_of(page, &tuned->table.lines[i]);
}

static struct document *make_page(const struct tuned *tuned) {
    struct document *page = document_new("What the choice of an algorithm is worth");
    document_facts(page, NULL);
    document_fact(page, "chosen by lens", tuned->lens);
    document_fact(page, "mode", tuned->mode);
    document_only(page, DOCUMENT_PAGES);
    document_paragraph(page,
                       "A gain is the time of the earlier choice / the time of the best found: "
                       "**above 1 the search has found a faster algorithm**. In parentheses stands "
                       "the 95 %% interval. Algorithms are chosen before they are timed: no sample "
                       "serves for both. Of each way the faster layout of B counts, chosen by "
                       "the first round, which does not count.");
    document_only(page, DOCUMENT_ALL);
    document_section(page, 2, "all", "All shapes");
    put_totals(page, tuned);
    document_section(page, 2, "by-shape", "By shape");
    put_shapes(page, tuned);
    return page;
}

int tuned_make(const char *run, struct document **page) {
    static const char *const names[] = {"tune.csv", "tune.md", "tune.json"};
    struct tuned tuned = {0};
    int status = rundir_open(run, &tuned.run) < 0 ? -1 : rundir_read(&tuned.run);
    tuned.lens = json_string_value(json_object_get(tuned.run.plan, "autotune_lens"));
    tuned.mode = json_string_value(json_array_get(json_object_get(tuned.run.plan, "modes"), 0));
    if (status == 0 && (!tuned.lens || !tuned.mode))
        status = error("%s/plan.json: it has no autotune_lens or no mode", run);
    if (status == 0)
        status = tables_make(&tuned.run.rows, TABLE_CANDIDATE, &tuned.table);
    *page = status == 0 ? make_page(&tuned) : NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == 0; i++)
        status = write_file(run, names[i], *page, "shapes");
    if (status < 0) {
        document_free(*page);
        *page = NULL;
    }
    tables_free(&tuned.table);
    rundir_close(&tuned.run);
    return status;
}
