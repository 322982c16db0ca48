/* For tests: a section of the report of a run that has those rows, and nothing else; and of one that
 * stands beside published rows (NULL: none). */
#ifndef TESTS_SUPPORT_SECTION_H
#define TESTS_SUPPORT_SECTION_H

#include "reports/sections/sections.h"
#include "tests/support/asserts.h"

/* The caller frees. */
static struct document *section_beside(const struct rows *rows, const struct rows *published,
                                       void (*section)(struct document *, const struct report *)) {
    static const struct about about;
    struct document *page = document_new("");
    struct table table;
    sqlite3 *db = query_open();
    assert_int_equal(tables_make(rows, &table), 0);
    sections_load(db, "run", rows, NULL, NULL, &table);
    query_order(db, "baselines", reference_baselines);
    if (published)
        query_load(db, SECTIONS_PUBLISHED, published);
    section(page, &(struct report){.run = "run",
                                   .about = &about,
                                   .rows = rows,
                                   .db = db,
                                   .table1 = table,
                                   .published_run = published ? "theirs" : NULL,
                                   .published_where = "a paper"});
    sqlite3_close(db);
    tables_free(&table);
    return page;
}

__attribute__((unused)) static struct document *
section_of(const struct rows *rows, void (*section)(struct document *, const struct report *)) {
    return section_beside(rows, NULL, section);
}

#endif
