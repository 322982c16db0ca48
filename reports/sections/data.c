/* Tables 1 and 2 with all candidates and lenses in one: table1.csv, table2.csv and, of the first,
 * what the terminal shows. */
#include "reports/sections/sections.h"

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
    sections_put_lines(page, "table1", TABLE_CANDIDATE, report->table1);
    document_only(page, DOCUMENT_DATA);
    sections_put_lines(page, "table2", TABLE_BEST, report->table2);
}
