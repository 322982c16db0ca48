/* Tables 1 and 2 with all candidates and lenses in one: table1.csv, table2.csv and, of the first,
 * what the terminal shows. */
#include "reports/sections/sections.h"

static void add_table(struct document *page, const char *id, const struct table *table) {
    const unsigned most = DOCUMENT_DATA | DOCUMENT_TERMINAL;
    const struct document_column columns[] = {
        {.name = "candidate", .type = DOCUMENT_TEXT, .formats = most},
        {.name = "mode", .type = DOCUMENT_TEXT, .formats = most},
        {.name = "lens", .type = DOCUMENT_TEXT, .formats = most},
        {.name = "baseline", .type = DOCUMENT_TEXT, .formats = most, .unbroken = true},
        {.name = "shapes", .type = DOCUMENT_COUNT, .formats = most},
        {.name = "ratio (95 %)", .type = DOCUMENT_RATIO, .key = "geomean_ratio", .formats = most},
        {.name = "over shapes",
         .type = DOCUMENT_INTERVAL,
         .key = "over_shapes",
         .formats = DOCUMENT_DATA},
        {.name = "within_one_process", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "median_ratio", .type = DOCUMENT_NUMBER, .formats = DOCUMENT_DATA},
        {.name = "faster", .type = DOCUMENT_COUNT, .formats = most},
        {.name = "slower", .type = DOCUMENT_COUNT, .formats = most},
        {.name = "same", .type = DOCUMENT_COUNT, .formats = most},
        {.name = "undecided", .type = DOCUMENT_COUNT, .formats = most},
        {.name = "environment", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "paper's mean %", .type = DOCUMENT_SPEEDUP, .key = "mean", .formats = most},
        {.name = "median", .type = DOCUMENT_SPEEDUP, .formats = DOCUMENT_DATA},
        {.name = "sd", .type = DOCUMENT_SHARE, .formats = DOCUMENT_DATA},
        {.name = "wins", .type = DOCUMENT_COUNT, .formats = DOCUMENT_DATA},
        {.name = "native", .type = DOCUMENT_COUNT, .formats = most, .omit = DOCUMENT_OMIT_ZERO},
    };
    DOCUMENT_TABLE(page, id, NULL, columns);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        document_row(page);
        document_cell(page, line->candidate);
        document_cell(page, line->mode);
        document_cell(page, line->lens);
        document_cell(page, line->baseline);
        document_count(page, line->shapes);
        document_ratio(page, line->geomean, line->low, line->high);
        document_interval(page, line->shapes_low, line->shapes_high);
        document_count(page, line->within_one_process);
        document_number(page, line->middle);
        sections_counts(page, line);
        document_number(page, line->mean);
        document_number(page, line->median);
        document_number(page, line->sd);
        document_count(page, line->wins);
        document_count(page, line->native);
    }
}

void section_data(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA | DOCUMENT_TERMINAL);
    if (!report->about->complete && !*report->about->imported) {
        document_paragraph(page, "complete: %s", report->about->how_complete);
        document_paragraph(page, "to do: %s", about_remedy(report->about));
    }
    if (report->controls != CONTROLS_NONE)
        document_paragraph(page, "controls %s%s%s", controls_word(report->controls),
                           *report->why ? ": " : "", report->why);
    add_table(page, "table1", report->table1);
    document_only(page, DOCUMENT_DATA);
    add_table(page, "table2", report->table2);
}
