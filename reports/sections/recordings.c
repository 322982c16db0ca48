/* What the recordings show: which kernels could not be recorded, and facts of those that were. */
#include "reports/sections/sections.h"

void section_recordings(struct document *page, const struct report *report) {
    if (!sections_have(report, query_recorded))
        return;
    document_section_folded(page, 3, "recordings", "What the recordings show");
    query_say(page, sections_ask(report, query_unrecorded_words));
    query_table(page, "unrecorded", NULL, sections_ask(report, query_unrecorded));
    sections_most(page);
    document_where(page, "all are in `checks.csv` of the run");
    if (report->rows->audit_count > 0)
        document_paragraph(
            page, "The table counts the kernels on shapes that have each fact. A *fact* "
                  "accuses nobody. A kernel with a *refused* one is unrecorded. All are in "
                  "`audit.csv` of the run.");
    query_table(page, "facts", NULL, sections_ask(report, query_audit_facts));
}
