/* What the recordings show: which kernels could not be recorded, and facts of those that were. */
#include <string.h>

#include "reports/sections/sections.h"

enum { SHOWN_MARKDOWN = 50, SHOWN_HTML = 1000 };

static enum document_mood mood_of(const char *level) {
    return strcmp(level, "refused") == 0 ? DOCUMENT_BAD : DOCUMENT_PLAIN;
}

static void add_unrecorded(struct document *page, const struct report *report, size_t count) {
    static const struct document_column columns[] = {
        {.name = "shape", .type = DOCUMENT_TEXT},
        {.name = "candidate", .type = DOCUMENT_TEXT, .formats = DOCUMENT_DATA},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "why", .type = DOCUMENT_TEXT, .key = "detail"},
    };
    if (count > 0)
        document_paragraph(page,
                           "Unrecorded: %zu kernel%s on shapes. They passed the checks, and have "
                           "numbers by `call` and `wait` alone. They are not accused.",
                           count, count == 1 ? "" : "s");
    QUERY_TABLE(page, "unrecorded", NULL, columns,
                query_ask(report->db, query_unrecorded, report->run, NULL));
    document_most(page, DOCUMENT_MARKDOWN, SHOWN_MARKDOWN);
    document_most(page, DOCUMENT_HTML, SHOWN_HTML);
    document_where(page, "all are in `checks.csv` of the run");
}

static void add_facts(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "fact", .type = DOCUMENT_CODE, .key = "finding"},
        {.name = "level", .type = DOCUMENT_VERDICT, .mood = mood_of},
        {.name = "in", .type = DOCUMENT_TEXT, .key = "part"},
        {.name = "kernels", .type = DOCUMENT_COUNT},
        {.name = "for example", .type = DOCUMENT_TEXT, .key = "example"},
    };
    if (report->rows->audit_count > 0)
        document_paragraph(
            page, "The table counts the kernels on shapes that have each fact. A *fact* "
                  "accuses nobody. A kernel with a *refused* one is unrecorded. All are in "
                  "`audit.csv` of the run.");
    QUERY_TABLE(page, "facts", NULL, columns,
                query_ask(report->db, query_audit_facts, report->run, NULL));
}

void section_recordings(struct document *page, const struct report *report) {
    sqlite3_stmt *checked = query_ask(report->db, query_checked, report->run, NULL);
    query_next(checked);
    const size_t unrecorded = query_count(checked, "unrecorded");
    sqlite3_finalize(checked);
    if (report->rows->audit_count + unrecorded == 0)
        return;
    document_section_folded(page, 3, "recordings", "What the recordings show");
    add_unrecorded(page, report, unrecorded);
    add_facts(page, report);
}
