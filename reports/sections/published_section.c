/* A run beside what was published. */
#include <string.h>

#include "reports/sections/sections.h"

static sqlite3_stmt *ask(const struct report *report) {
    return query_ask(report->db, query_published, report->run, SECTIONS_PUBLISHED, NULL);
}

/* Whether a line is of two clocks. */
static bool clocks_differ(const struct report *report) {
    bool differ = false;
    for (sqlite3_stmt *line = ask(report); query_next(line);)
        differ = differ || strcmp(query_text(line, "lens"), query_text(line, "lens there")) != 0;
    return differ;
}

void section_published(struct document *page, const struct report *report) {
    if (!report->published_run)
        return;
    document_section(page, 2, "published", "Beside what was published");
    document_paragraph(
        page,
        "The same shapes there and here. *There*: %s. *Order* is Spearman's rank correlation of "
        "the speedups: 1 where both put the shapes in the same order. *Quotient* is the median of "
        "the ratio here over the ratio there, *near* the shapes where it is between 1/1.1 and 1.1. "
        "The shapes of the last two columns are there only: refused here, or not measured.",
        report->published_where);
    if (clocks_differ(report))
        document_paragraph(
            page, "**Two clocks.** Where *lens there* is not *lens*, one of the two numbers is "
                  "by CUDA events (`call`) and the other by the host's clock (`wait`). So their "
                  "difference is in part that of the clocks.");
    query_table(page, "published", NULL, ask(report));
}
