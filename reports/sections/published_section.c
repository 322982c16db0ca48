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
    static const struct document_column columns[] = {
        {.name = "candidate"},
        {.name = "lens"},
        {.name = "mode"},
        {.name = "baseline"},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "lens there"},
        {.name = "mean % there", .type = DOCUMENT_SPEEDUP},
        {.name = "mean % here", .type = DOCUMENT_SPEEDUP},
        {.name = "order", .type = DOCUMENT_NUMBER, .digits = 2},
        {.name = "quotient", .type = DOCUMENT_NUMBER, .digits = 3},
        {.name = "near", .type = DOCUMENT_COUNT},
        {.name = "faster in both", .type = DOCUMENT_COUNT},
        {.name = "only there", .type = DOCUMENT_COUNT},
        {.name = "only here", .type = DOCUMENT_COUNT},
        {.name = "in neither", .type = DOCUMENT_COUNT},
        {.name = "others", .type = DOCUMENT_COUNT},
        {.name = "their mean %", .type = DOCUMENT_SPEEDUP},
    };
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
    QUERY_TABLE(page, "published", NULL, columns, ask(report));
}
