/* Tables 1 and 2 with their figures, by candidate and lens. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/launch.h"
#include "reports/sections/sections.h"

static bool is_same(const struct table_line *a, const struct table_line *b) {
    return strcmp(a->candidate, b->candidate) == 0 && strcmp(a->lens, b->lens) == 0;
}

/* Both tables are of the same rows, so that their lines are the same. */
static void add_lens(struct document *page, const struct report *report, size_t first,
                     size_t count) {
    const struct table_line *line = &report->table1->lines[first];
    const char *candidate = *line->candidate ? line->candidate : "candidate";
    char text[4 * RUNDIR_NAME], id[32];
    snprintf(text, sizeof text, "%s, lens %s", candidate, line->lens);
    snprintf(id, sizeof id, "lens-%zu", first + 1);
    document_section(page, 3, id, text);
    snprintf(text, sizeof text, "Table 1, lens %s: %s", line->lens, candidate);
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    sections_put_lines(page, "table1-lens", text, TABLE_CANDIDATE, line, count, NULL);
    snprintf(text, sizeof text, "Table 2, lens %s: the better of baseline and %s", line->lens,
             candidate);
    sections_put_lines(page, "table2-lens", text, TABLE_BEST, report->table2->lines + first, count,
                       NULL);
    for (size_t i = 0; i < report->figure_count; i++) {
        const struct figure *figure = &report->figures[i];
        if (strcmp(figure->candidate, line->candidate) == 0 &&
            strcmp(figure->lens, line->lens) == 0 && figure != sections_figure(report))
            sections_put_figure(page, report, figure);
    }
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

void section_lenses(struct document *page, const struct report *report) {
    const struct table *table = report->table1;
    if (table->count == 0)
        return;
    document_section(page, 2, "tables", "Tables 1 and 2, by lens");
    add_launch(page, report);
    for (size_t first = 0, end; first < table->count; first = end) {
        const struct table_line *line = &table->lines[first];
        for (end = first + 1; end < table->count && is_same(line, &table->lines[end]);)
            end++;
        add_lens(page, report, first, end - first);
    }
}
