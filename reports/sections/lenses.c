/* The candidates against each library by each lens: the summary lines, as pages, terminal and
 * table1.csv show them. */
#include "reports/sections/sections.h"

/* Lines of single layouts ("single"), or the others ("whole"). */
static sqlite3_stmt *ask(const struct report *report, const char *which) {
    return query_ask(report->db, query_by_library, report->run, which, NULL);
}

/* At what launch the ratios are stated that are so stated, and what was measured in the mean. */
static void add_launch(struct document *page, const struct report *report) {
    double seconds;
    const size_t count = rows_stated_launch(report->rows, &seconds);
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
    if (report->rows->ratio_count == 0)
        return;
    document_section(page, 2, "tables", "By lens and library");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    query_table(page, "by-library", "Table 1, by lens and library", ask(report, "whole"));
    add_launch(page, report);
    sqlite3_stmt *single = ask(report, "single");
    if (query_next(single)) {
        sqlite3_reset(single);
        document_section_folded(page, 3, "layouts", "Single layouts, -nn and -tn");
        query_table(page, "by-library", NULL, single);
    }
    document_only(page, SECTIONS_FILES);
    if (report->figure_count > 1)
        document_section_folded(page, 3, "figures", "Further figures");
    for (size_t i = 0; i < report->figure_count; i++)
        if (&report->figures[i] != sections_figure(report))
            sections_put_figure(page, report, &report->figures[i]);
}

void section_data(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_TERMINAL);
    if (report->controls != CONTROLS_NONE)
        document_paragraph(page, "controls %s%s%s", controls_word(report->controls),
                           *report->why ? ": " : "", report->why);
    document_only(page, DOCUMENT_DATA | DOCUMENT_TERMINAL);
    query_table(page, "table1", NULL, sections_ask(report, query_table1));
}
