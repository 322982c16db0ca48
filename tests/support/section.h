/* For tests: a part of the report of a run that has those rows, and nothing else. */
#ifndef TESTS_SUPPORT_SECTION_H
#define TESTS_SUPPORT_SECTION_H

#include <stdlib.h>

#include "assets.h"
#include "reports/sections/sections.h"
#include "tests/support/asserts.h"

/* The database of the run. The caller closes it. */
static sqlite3 *section_load(const struct rows *rows) {
    struct rundir run = {.folder = "run", .rows = *rows};
    sqlite3 *db = query_open();
    query_load(db, "run", rows);
    assert_int_equal(pairs_take("run", rows, &run.speeds), 0);
    sections_load(db, "run", &run, &(struct runs_asked){0}, &(struct claims){0});
    pairs_free(&run.speeds);
    return db;
}

/* The caller frees. */
static struct document *section_of(const struct rows *rows, const char *template) {
    sqlite3 *db = section_load(rows);
    struct document *page = document_new("");
    query_fill(page, db, "run", template);
    sqlite3_close(db);
    return page;
}

#endif
