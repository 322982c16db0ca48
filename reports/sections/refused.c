/* The kernels that failed a check, with the evidence. */
#include "reports/sections/sections.h"

void section_refused(struct document *page, const struct report *report) {
    if (sections_have(report, query_not_passed))
        document_section(page, 2, "refused", "Refused kernels");
    else
        document_only(page, DOCUMENT_DATA);
    query_say(page, sections_ask(report, query_refused_words));
    query_say(page, sections_ask(report, query_deviations));
    document_only(page, DOCUMENT_DATA);
    query_table(page, "deviation", NULL, sections_ask(report, query_deviation));
    document_only(page, SECTIONS_FILES);
    if (sections_have(report, query_outcomes))
        query_table(page, "outcomes", "Refused, by outcome", sections_ask(report, query_outcomes));
    query_table(page, "refused",
                "Refused kernels with their deviation, bounds and finding; candidates first",
                sections_ask(report, query_refused));
    document_fold(page, false, "The kernels, candidates first");
    sections_most(page);
    document_where(page, "all are in [refused.csv](refused.csv)");
}
