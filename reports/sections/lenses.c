/* The candidates against each library by each lens: Table 1, and of Table 2 the mean. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/rows/launch.h"
#include "reports/sections/sections.h"

/* Whether every lens of the line's candidate, mode and library has a ratio on the shape. */
static bool all_have(const struct rows *rows, const struct table *table,
                     const struct table_line *line, struct shape shape) {
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *other = &table->lines[i];
        bool has = strcmp(other->candidate, line->candidate) != 0 ||
                   strcmp(other->mode, line->mode) != 0 ||
                   strcmp(other->baseline, line->baseline) != 0;
        const struct ratio_row *row = NULL;
        while (!has && (row = rows_next(rows, ROWS_RATIOS, shape, row)))
            has = tables_has(other, row) && row->ratio > 0;
        if (!has)
            return false;
    }
    return true;
}

/* The line's ratio over the shapes that all lenses have; NaN where it has no others. */
static double common_ratio(const struct rows *rows, const struct table *table,
                           const struct table_line *line) {
    double logs = 0;
    size_t common = 0;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (!tables_has(line, row) || !(row->ratio > 0) || !all_have(rows, table, line, row->shape))
            continue;
        logs += log(row->ratio);
        common++;
    }
    return common > 0 && common < line->shapes ? exp(logs / (double)common) : NAN;
}

/* What launch the ratios are stated at that are so stated, and what was measured in the mean. */
static void add_launch(struct document *page, const struct report *report) {
    double seconds;
    const size_t count = launch_stated(report->rows, &seconds);
    if (count > 0)
        document_paragraph(page,
                           "Of %zu of %zu rows, those of small products whose launch counts, the "
                           "ratio is stated at a launch of %.4g µs, so that runs and hosts can be "
                           "compared. Here a launch took %.3g µs in the mean. The paper's mean is "
                           "as measured, and so are all times.",
                           count, report->rows->ratio_count,
                           json_number_value(json_object_get(report->plan, "launch_us")),
                           1e6 * seconds);
}

static bool is_single_layout(const char *baseline) {
    const size_t length = strlen(baseline);
    return length > 3 &&
           (strcmp(baseline + length - 3, "-nn") == 0 || strcmp(baseline + length - 3, "-tn") == 0);
}

/* The lines of single layouts, or the others. Tables 1 and 2 are of the same rows, so that their
 * lines are the same. */
static void add_lines(struct document *page, const struct report *report, const char *caption,
                      bool single) {
#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(baseline, "library", TEXT),
        OF(geomean, "ratio (95 %)", RATIO, .key = "geomean_ratio", .omit = DOCUMENT_OMIT_EMPTY),
        OF(candidate, "candidate", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(lens, "lens", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(mode, "mode", TEXT, .omit = DOCUMENT_OMIT_SAME),
        OF(shapes, "shapes", COUNT),
        {.name = "shapes of all lenses",
         .type = DOCUMENT_NUMBER,
         .digits = 3,
         .omit = DOCUMENT_OMIT_EMPTY},
        SECTIONS_VERDICTS(.omit = DOCUMENT_OMIT_EMPTY),
        SECTIONS_VERDICT(environment, .omit = DOCUMENT_OMIT_ZERO),
        OF(unrecorded, "unrecorded", COUNT, .omit = DOCUMENT_OMIT_ZERO),
        OF(mean, "paper's mean %", SPEEDUP, .key = "mean"),
        {.name = "better of both %", .type = DOCUMENT_SPEEDUP},
    };
#undef OF
    const struct table *table = report->table1;
    DOCUMENT_TABLE(page, "by-library", caption, columns);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (is_single_layout(line->baseline) != single)
            continue;
        document_row_of(page, line);
        document_number(page, common_ratio(report->rows, table, line));
        document_number(page, report->table2->lines[i].mean);
    }
}

static size_t count_single(const struct table *table) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        count += is_single_layout(table->lines[i].baseline);
    return count;
}

void section_lenses(struct document *page, const struct report *report) {
    if (report->table1->count == 0)
        return;
    document_section(page, 2, "tables", "By lens and library");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    add_lines(page, report, "Table 1, by lens and library", false);
    add_launch(page, report);
    if (count_single(report->table1) > 0) {
        document_section_folded(page, 3, "layouts", "Single layouts, -nn and -tn");
        add_lines(page, report, NULL, true);
    }
    document_only(page, SECTIONS_FILES);
    if (report->figure_count > 1)
        document_section_folded(page, 3, "figures", "Further figures");
    for (size_t i = 0; i < report->figure_count; i++)
        if (&report->figures[i] != sections_figure(report))
            sections_put_figure(page, report, &report->figures[i]);
}
