/* The candidates against each library by each lens: the summary lines, as pages, terminal and
 * table1.csv show them. */
#include "bench/base/text.h"
#include "reports/rows/series.h"
#include "reports/sections/sections.h"

/* Lines of single layouts ("single"), or the others ("whole"). */
static sqlite3_stmt *ask(const struct report *report, const char *which) {
    return query_ask(report->db, query_by_library, report->run, which, NULL);
}

/* At what launch, or empty call, the ratios are stated that are so stated, and what was measured in
 * the mean. */
static void add_stated(struct document *page, const struct report *report) {
    const double launch = json_number_value(json_object_get(report->plan, "launch_us"));
    char list[RUNDIR_TEXT] = "";
    for (int lens = 0; lens < LENS_COUNT; lens++) {
        const bool held = words_lens_is((enum lens)lens, LENS_HELD);
        double seconds;
        if (rows_stated(report->rows, words_lenses[lens], &seconds) > 0)
            text_append(list, sizeof list, "%sby %s at %s of %.4g µs (here it took %.3g µs)",
                        *list ? ", " : "", words_lenses[lens], held ? "an empty call" : "a launch",
                        held ? 1e6 * series_empty_seconds((enum lens)lens) : launch, 1e6 * seconds);
    }
    if (*list)
        document_paragraph(page,
                           "Ratios of small products are stated %s, so that processes and hosts "
                           "can be compared. The paper's mean and all times are as measured.",
                           list);
}

void section_lenses(struct document *page, const struct report *report) {
    if (report->rows->ratio_count == 0)
        return;
    document_section(page, 2, "tables", "By lens and library");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    query_table(page, "by-library", "Table 1, by lens and library", ask(report, "whole"));
    add_stated(page, report);
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
