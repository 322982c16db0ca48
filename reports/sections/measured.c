/* What was measured, how to read the page, and where the rest is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/pairs/pairs.h"
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
    document_fact(page, "suite", about->suite);
    document_fact(page, "shapes", shapes);
    document_fact(page, "modes", about->modes);
    query_say(page, sections_ask(report, query_run_lenses));
    document_fact(page, "protocol", about->protocol);
    query_say(page, sections_ask(report, query_products));
    document_fact(page, "when", when);
    document_fact(page, "complete", about->how_complete);
    document_fact(page, "plan", about->hash);
    if (about->on_host)
        document_note(page, DOCUMENT_PLAIN, "%s", about_host_clock);
}

void section_reading(struct document *page, const struct report *report) {
    document_section_folded(page, 2, "reading", "How to read this");
    document_item(
        page, "*Ratio*: time of the library over time of the candidate. 0.80: the candidate has "
              "0.8 times its speed. A line has the geometric mean over shapes. Its 95 %% interval "
              "is over visits: another run of the same shapes would lie in it. The interval *over "
              "shapes* takes them as drawn from others like them.");
    document_item(page,
                  "*Faster*, *slower*, *same*: shapes whose interval lies above 1, below 1, within "
                  "2 %% of 1. *Undecided*: none of these is shown. *Environment*: too often "
                  "disturbed.");
    document_item(
        page, "*Paper's mean*: the arithmetic mean of the speedups. A few large ones raise it, so "
              "that it may lie above 0 where the ratio lies below 1. *Better of both*: that mean "
              "where a user keeps the library wherever the candidate is slower (Table 2).");
    document_item(
        page, "*Lens*: what is timed. `call`: one call on an idle device, launch included; the "
              "paper's protocol. `device`: the same, launch hidden. `stream`: one of many calls "
              "back to back. `wait`: as `call`, by the host's clock. `-max`: the faster of the "
              "layouts `-nn` and `-tn`.");
    sections_claims_reading(page, report);
}
