/* The candidates against each library by each lens: the summary lines, as pages, terminal and
 * table1.csv show them. */
#include "reports/rows/launch.h"
#include "reports/sections/sections.h"

/* Lines of single layouts ("single"), the others ("whole") or all (""). */
static void put_lines(struct document *page, const struct report *report, const char *which,
                      const char *caption) {
    static const struct document_column common = {.name = "shapes of all lenses",
                                                  .type = DOCUMENT_NUMBER,
                                                  .digits = 3,
                                                  .key = "common_ratio",
                                                  .formats = DOCUMENT_MARKDOWN | DOCUMENT_HTML,
                                                  .omit = DOCUMENT_OMIT_EMPTY};
    struct document_column columns[TABLES_COLUMNS + 1];
    size_t count = 0;
    if (*which) { /* a page begins with the two that a phone has room for */
        columns[count++] = tables_columns[TABLES_BASELINE];
        columns[count++] = tables_columns[TABLES_RATIO];
    }
    for (int i = 0; i < TABLES_COLUMNS; i++)
        if (!*which || (i != TABLES_BASELINE && i != TABLES_RATIO))
            columns[count++] = tables_columns[i];
    columns[count] = common;
    QUERY_TABLE(page, *which ? "by-library" : "table1", caption, columns,
                query_ask(report->db, query_lines, report->run, which, NULL));
}

/* At what launch the ratios are stated that are so stated, and what was measured in the mean. */
static void add_launch(struct document *page, const struct report *report) {
    double seconds;
    const size_t count = launch_stated(report->rows, &seconds);
    if (count > 0)
        document_paragraph(page,
                           "Of %zu of %zu rows, those of small products, the ratio is stated at a "
                           "launch of %.4g µs, so that hosts can be compared. Here a launch took "
                           "%.3g µs in the mean. The paper's mean and all times are as measured.",
                           count, report->rows->ratio_count,
                           json_number_value(json_object_get(report->plan, "launch_us")),
                           1e6 * seconds);
}

void section_lenses(struct document *page, const struct report *report) {
    if (report->table1.count == 0)
        return;
    document_section(page, 2, "tables", "By lens and library");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    put_lines(page, report, "whole", "Table 1, by lens and library");
    add_launch(page, report);
    sqlite3_stmt *single = query_ask(report->db, query_lines, report->run, "single", NULL);
    if (query_next(single)) {
        sqlite3_finalize(single);
        document_section_folded(page, 3, "layouts", "Single layouts, -nn and -tn");
        put_lines(page, report, "single", NULL);
    }
    document_only(page, SECTIONS_FILES);
    if (report->figure_count > 1)
        document_section_folded(page, 3, "figures", "Further figures");
    for (size_t i = 0; i < report->figure_count; i++)
        if (&report->figures[i] != sections_figure(report))
            sections_put_figure(page, report, &report->figures[i]);
}

void section_data(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA);
    if (!report->about->complete && !*report->about->imported) {
        document_paragraph(page, "complete: %s", report->about->how_complete);
        document_paragraph(page, "to do: %s", about_remedy(report->about));
    }
    document_only(page, DOCUMENT_DATA | DOCUMENT_TERMINAL);
    if (report->controls != CONTROLS_NONE)
        document_paragraph(page, "controls %s%s%s", controls_word(report->controls),
                           *report->why ? ": " : "", report->why);
    put_lines(page, report, "", NULL);
}
