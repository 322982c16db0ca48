/* What the queries of a report ask of, beside the rows of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/rows/unserved.h"
#include "reports/run/controls.h"
#include "reports/sections/sections.h"
#include "reports/tables/lines.h"

/* A number as the text that a query takes. */
static const char *text_of(double number, char text[32]) {
    snprintf(text, 32, "%.17g", number);
    return text;
}

/* The devices that times are of and whose peak was given, or the manifest tells. */
static void add_peaks(sqlite3 *db, const char *run, const json_t *plan, const json_t *manifest) {
    const double given = 1e12 * json_number_value(json_object_get(plan, "peak_tflops"));
    struct light_rates rates;
    char flops[32];
    if (!json_object_get(manifest, "limits") && !json_object_get(manifest, "devices"))
        return;
    sqlite3_stmt *device =
        query_ask(db, "SELECT DISTINCT device FROM times WHERE run = ?1", run, NULL);
    while (query_next(device))
        if (derive_rates(manifest, query_text(device, "device"), &rates) == 0 &&
            (given > 0 || rates.f16_flops > 0))
            query_next(query_ask(db, "INSERT INTO peaks VALUES (?1, ?2, CAST(?3 AS REAL))", run,
                                 query_text(device, "device"),
                                 text_of(given > 0 ? given : rates.f16_flops, flops), NULL));
}

static void add_unserved(sqlite3 *db, const char *run, const struct rows *rows,
                         const json_t *plan) {
    struct unserved unserved;
    unserved_find(rows, plan, &unserved);
    for (size_t i = 0; i < unserved.count; i++) {
        char m[32], n[32], k[32];
        const struct shape shape = unserved.list[i];
        query_next(query_ask(db, "INSERT INTO unserved VALUES (?1, ?2, ?3, ?4)", run,
                             text_of((double)shape.m, m), text_of((double)shape.n, n),
                             text_of((double)shape.k, k), NULL));
    }
    unserved_free(&unserved);
}

/* What the controls of one kind say, in one mode by one lens. */
struct kind_row {
    const char *lens, *mode, *name;
    struct controls_tally tally;
};
static const struct rows_column kind_columns[] = {
    QUERY_TEXT(kind_row, lens),
    QUERY_TEXT(kind_row, mode),
    QUERY_TEXT(kind_row, name),
    QUERY_COLUMN(kind_row, "intervals", SIZE, tally.intervals),
    QUERY_COLUMN(kind_row, "missing", SIZE, tally.missing),
    QUERY_COLUMN(kind_row, "expected", NUMBER, tally.expected),
    QUERY_COLUMN(kind_row, "chance", NUMBER, tally.chance),
    QUERY_COLUMN(kind_row, "mean", NUMBER, tally.mean),
    QUERY_COLUMN(kind_row, "mean_low", NUMBER, tally.mean_low),
    QUERY_COLUMN(kind_row, "mean_high", NUMBER, tally.mean_high),
    QUERY_COLUMN(kind_row, "half_width", NUMBER, tally.half_width_median),
    QUERY_COLUMN(kind_row, "widest", NUMBER, tally.half_width_most)};
static const struct rows_file kind_file = QUERY_ROWS("control_tallies", kind_row, kind_columns);

/* A series, and whether it is off as the paper counts. */
struct series_row {
    struct controls_series series;
    const char *lens, *mode;
    double paper_off;
};
#define SERIES(member, kind) QUERY_COLUMN(series_row, #member, kind, series.member)
static const struct rows_column series_columns[] = {
    QUERY_TEXT(series_row, lens),
    QUERY_TEXT(series_row, mode),
    SERIES(delays, SIZE),
    SERIES(seen, SIZE),
    SERIES(vague, SIZE),
    SERIES(planted_seconds, NUMBER),
    SERIES(found_seconds, NUMBER),
    SERIES(launch_seconds, NUMBER),
    SERIES(paper, NUMBER),
    SERIES(paper_low, NUMBER),
    SERIES(paper_high, NUMBER),
    QUERY_NUMBER(series_row, paper_off)};
static const struct rows_file series_file = QUERY_ROWS("control_series", series_row, series_columns);

static void add_controls(sqlite3 *db, const char *run, const struct rows *rows) {
    static const char *const kinds[CONTROLS_KINDS] = {[CONTROLS_AA] = "A/A",
                                                      [CONTROLS_ACROSS] = "across processes",
                                                      [CONTROLS_AUTOTUNE] = "autotuned",
                                                      [CONTROLS_DELAY] = "delay"};
    struct controls_series list[CONTROLS_SERIES_MOST];
    struct kind_row told[CONTROLS_SERIES_MOST * CONTROLS_KINDS];
    struct series_row series[CONTROLS_SERIES_MOST];
    const size_t count = controls_summarise(rows, list);
    size_t kind_count = 0;
    for (size_t i = 0; i < count; i++) {
        series[i] = (struct series_row){.series = list[i],
                                        .lens = list[i].lens,
                                        .mode = list[i].mode,
                                        .paper_off = controls_paper_off(&list[i])};
        for (int kind = 0; kind < CONTROLS_KINDS; kind++)
            if (list[i].kinds[kind].intervals + list[i].kinds[kind].ratios > 0)
                told[kind_count++] = (struct kind_row){.lens = list[i].lens,
                                                       .mode = list[i].mode,
                                                       .name = kinds[kind],
                                                       .tally = list[i].kinds[kind]};
    }
    query_add(db, &kind_file, run, told, kind_count);
    query_add(db, &series_file, run, series, count);
}

int sections_load(sqlite3 *db, const char *name, const struct rundir *run,
                  const struct runs_asked *asked, const struct claims *claims) {
    runs_add(db, name, run, asked);
    add_unserved(db, name, &run->rows, run->plan);
    add_peaks(db, name, run->plan, run->manifest);
    add_controls(db, name, &run->rows);
    agree_load(db, &(struct agree){0});
    return lines_make(db, name, &run->rows) < 0 ? -1 : claims_judge(db, name, &run->rows, claims);
}
