/* What was measured, how to read the page, and where the rest is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/assets.h"
#include "reports/sections/sections.h"

void section_measured(struct document *page, const struct report *report) {
    const struct about *about = report->about;
    char shapes[32] = "", when[96] = "";
    if (about->shapes)
        snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    if (*about->start)
        snprintf(when, sizeof when, "%s%s%s", about->start, *about->end ? " to " : "", about->end);
    document_section(page, 2, "measured", "How it was measured, and how to do it again");
    document_facts(page, "what was run");
    document_fact(page, "source", about->imported);
    document_fact(page, "device", about->device);
    document_fact(page, "software", about->software);
    document_fact(page, "candidates", about->set);
    document_fact(page, "elements of A, B and C", about->element);
    document_fact(page, "accumulate", about->accumulate);
    document_fact(page, "inputs while timed", about->inputs);
    document_fact(page, "suite", about->suite);
    document_fact(page, "shapes", shapes);
    document_fact(page, "modes", about->modes);
    query_say(page, sections_ask(report, query_run_lenses));
    document_fact(page, "protocol", about->protocol);
    query_say(page, sections_ask(report, query_products));
    query_say(page, sections_ask(report, query_same_work));
    document_fact(page, "when", when);
    document_fact(page, "complete", about->how_complete);
    document_fact(page, "plan", about->hash);
    if (about->on_host)
        document_note(page, DOCUMENT_PLAIN, "%s", about_host_clock);
}

void section_reading(struct document *page, const struct report *report) {
    document_section_folded(page, 2, "reading", "How to read this");
    document_prose(page, assets_reading_md);
    if (report->claims_file)
        document_prose(page, *report->about->imported ? assets_imported_md : assets_claims_md);
}
