/* Tables 1 and 2 with all candidates and lenses in one: table1.csv, table2.csv and, of the first,
 * what the terminal shows. */
#include "reports/sections/sections.h"

#define OF(member, title, ...) DOCUMENT_OF(table_line, member, title, __VA_ARGS__)
#define MOST (DOCUMENT_DATA | DOCUMENT_TERMINAL)

static void add_table(struct document *page, const char *id, const struct table *table) {
    static const struct document_column columns[] = {
        OF(candidate, "candidate", TEXT, .formats = MOST),
        OF(mode, "mode", TEXT, .formats = MOST),
        OF(lens, "lens", TEXT, .formats = MOST),
        OF(baseline, "baseline", TEXT, .formats = MOST, .unbroken = true),
        OF(shapes, "shapes", COUNT, .formats = MOST),
        OF(geomean, "ratio (95 %)", RATIO, .key = "geomean_ratio", .formats = MOST),
        OF(shapes_low, "over_shapes", INTERVAL, .formats = DOCUMENT_DATA),
        OF(middle, "median_ratio", NUMBER, .formats = DOCUMENT_DATA),
        SECTIONS_VERDICTS(.formats = MOST),
        SECTIONS_VERDICT(environment, .formats = DOCUMENT_DATA),
        OF(mean, "paper's mean %", SPEEDUP, .key = "mean", .formats = MOST),
        OF(median, "median", SPEEDUP, .formats = DOCUMENT_DATA),
        OF(sd, "sd", SHARE, .formats = DOCUMENT_DATA),
        OF(wins, "wins", COUNT, .formats = DOCUMENT_DATA),
        OF(unrecorded, "unrecorded", COUNT, .formats = MOST, .omit = DOCUMENT_OMIT_ZERO),
    };
    DOCUMENT_TABLE(page, id, NULL, columns);
    document_rows(page, table->lines, table->count, sizeof *table->lines);
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
    add_table(page, "table1", report->table1);
    document_only(page, DOCUMENT_DATA);
    add_table(page, "table2", report->table2);
}
