/* Whether the numbers can be trusted: controls, conditions, and times that were marked. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/page/assets.h"
#include "reports/sections/sections.h"

static void add_controls(struct document *page, const struct report *report) {
    document_section_folded(page, 3, "controls", "Controls");
    document_prose(page, assets_controls_md);
    query_table(page, "controls", NULL, sections_ask(report, query_control_kinds));
    query_table(page, "delays", NULL, sections_ask(report, query_control_delays));
    query_say(page, sections_ask(report, query_control_paper));
}

/* A list of facts for each mode: the query's columns. */
static void add_conditions(struct document *page, const struct report *report) {
    sqlite3_stmt *answer = sections_ask(report, query_conditions);
    document_section_folded(page, 3, "conditions", "Conditions");
    if (report->rows->condition_count == 0)
        document_paragraph(page, "Not recorded.");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML); /* conditions.csv is the data */
    while (query_next(answer))
        query_facts(page, query_text(answer, "mode"), answer, 1);
    document_only(page, SECTIONS_FILES);
}

void section_trust(struct document *page, const struct report *report) {
    if (*report->about->imported) /* which the verdict says */
        return;
    document_section(page, 2, "trust", "Can the numbers be trusted");
    sections_controls(page, report);
    if (report->controls != CONTROLS_NONE)
        add_controls(page, report);
    add_conditions(page, report);
    if (report->rows->time_count == 0)
        return;
    document_section_folded(page, 3, "times", "Marked times");
    query_say(page, sections_ask(report, query_marked));
}
