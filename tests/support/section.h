/* For tests: a section of the report of a run that has those rows, and nothing else. */
#ifndef TESTS_SUPPORT_SECTION_H
#define TESTS_SUPPORT_SECTION_H

#include "reports/sections/sections.h"
#include "tests/support/asserts.h"

/* The caller frees. */
static struct document *section_of(const struct rows *rows,
                                   void (*section)(struct document *, const struct report *)) {
    static const struct about about;
    struct document *page = document_new("");
    struct table table;
    sqlite3 *db = query_open();
    assert_int_equal(tables_make(rows, &table), 0);
    sections_load(db, "run", rows, NULL, NULL, &table);
    section(page, &(struct report){
                      .run = "run", .about = &about, .rows = rows, .db = db, .table1 = &table});
    sqlite3_close(db);
    tables_free(&table);
    return page;
}

#endif
