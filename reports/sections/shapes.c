/* Every shape: against the reference library as people read it, and against all the main ones as
 * shapes.csv. */
#include <stdio.h>

#include "reports/sections/sections.h"

/* The shapes of a line that leads. */
static void put_series(struct document *page, const struct report *report,
                       const struct table_line *line) {
    char text[4 * RUNDIR_NAME];
    snprintf(text, sizeof text, "%s over %s, %s", line->candidate, line->baseline, line->mode);
    query_table(page, "every-shape", text,
                query_ask(report->db, query_every_shape, report->run, line->candidate, line->mode,
                          line->baseline, line->lens,
                          *report->about->element ? report->about->element : "f16", NULL));
    document_fold(page, false, "%s", text);
    unrecorded_explain(page);
}

void section_shapes(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA);
    query_table(page, "shapes", NULL, sections_ask(report, query_shapes));
    if (!tables_first(&report->table1))
        return;
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "shapes", "Every shape");
    document_paragraph(page,
                       "*Peak* is the most that the card's tensor cores do. `gemmgate report RUN "
                       "--shape MxNxK` shows one shape with all libraries and intervals.");
    for (size_t i = 0; i < report->table1.count; i++)
        if (report->table1.lines[i].leads)
            put_series(page, report, &report->table1.lines[i]);
}
