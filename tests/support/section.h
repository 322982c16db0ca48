/* For tests: a section of the report of a run that has those rows, and nothing else; and of one that
 * stands beside published rows (NULL: none). */
#ifndef TESTS_SUPPORT_SECTION_H
#define TESTS_SUPPORT_SECTION_H

#include <stdlib.h>

#include "reports/sections/sections.h"
#include "tests/support/asserts.h"

/* The caller frees. */
static struct document *section_beside(const struct rows *rows, const struct rows *published,
                                       void (*section)(struct document *, const struct report *)) {
    static const struct about about;
    struct document *page = document_new("");
    struct line *leads;
    sqlite3 *db = query_open();
    query_load(db, "run", rows);
    assert_int_equal(sections_load(db, "run", rows, NULL, NULL), 0);
    const size_t lead_count = lines_leading(db, "run", &leads);
    if (published)
        query_load(db, SECTIONS_PUBLISHED, published);
    section(page, &(struct report){.run = "run",
                                   .about = &about,
                                   .rows = rows,
                                   .db = db,
                                   .leads = leads,
                                   .lead_count = lead_count,
                                   .published_run = published ? "theirs" : NULL,
                                   .published_where = "a paper"});
    sqlite3_close(db);
    free(leads);
    return page;
}

__attribute__((unused)) static struct document *
section_of(const struct rows *rows, void (*section)(struct document *, const struct report *)) {
    return section_beside(rows, NULL, section);
}

#endif
