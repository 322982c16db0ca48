/* What the queries of a report ask of, beside the rows of a run. */
#include "reports/run/controls.h"
#include "reports/sections/sections.h"
#include "reports/tables/lines.h"

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

#define SERIES(name, kind, member) QUERY_COLUMN(controls_series, name, kind, member)
static const struct rows_column series_columns[] = {
    {"lens", .form = ROWS_TEXT, .offset = offsetof(struct controls_series, lens)},
    {"mode", .form = ROWS_TEXT, .offset = offsetof(struct controls_series, mode)},
    SERIES("delays", SIZE, delays),
    SERIES("seen", SIZE, seen),
    SERIES("vague", SIZE, vague),
    SERIES("planted", NUMBER, planted_seconds),
    SERIES("found", NUMBER, found_seconds),
    SERIES("launch", NUMBER, launch_seconds),
    SERIES("paper", NUMBER, paper),
    SERIES("paper_low", NUMBER, paper_low),
    SERIES("paper_high", NUMBER, paper_high)};
static const struct rows_file series_file =
    QUERY_ROWS("control_series", controls_series, series_columns);

static void add_controls(sqlite3 *db, const char *run, const struct rows *rows) {
    static const char *const kinds[CONTROLS_KINDS] = {[CONTROLS_AA] = "A/A",
                                                      [CONTROLS_ACROSS] = "across processes",
                                                      [CONTROLS_AUTOTUNE] = "autotuned",
                                                      [CONTROLS_DELAY] = "delay"};
    struct controls_series list[CONTROLS_SERIES_MOST];
    struct kind_row told[CONTROLS_SERIES_MOST * CONTROLS_KINDS];
    const size_t count = controls_summarise(rows, list);
    size_t kind_count = 0;
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < CONTROLS_KINDS; kind++)
            if (list[i].kinds[kind].intervals + list[i].kinds[kind].ratios > 0)
                told[kind_count++] = (struct kind_row){.lens = list[i].lens,
                                                       .mode = list[i].mode,
                                                       .name = kinds[kind],
                                                       .tally = list[i].kinds[kind]};
    query_add(db, &kind_file, run, told, kind_count);
    query_add(db, &series_file, run, list, count);
}

int sections_load(sqlite3 *db, const char *name, const struct rundir *run,
                  const struct runs_asked *asked, const struct claims *claims) {
    runs_add(db, name, run, asked);
    add_controls(db, name, &run->rows);
    agree_load(db, &(struct agree){0});
    return lines_make(db, name, &run->rows) < 0 ? -1 : claims_judge(db, name, &run->rows, claims);
}
