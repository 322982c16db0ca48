/* For tests: a part of the report of a run that has those rows, and nothing else; and of one that stands
 * beside published rows (NULL: none). */
#ifndef TESTS_SUPPORT_SECTION_H
#define TESTS_SUPPORT_SECTION_H

#include <stdlib.h>

#include "assets.h"
#include "reports/sections/sections.h"
#include "tests/support/asserts.h"

/* The database of the run. The caller closes it. */
static sqlite3 *section_load(const struct rows *rows, const struct rows *published) {
    struct rundir run = {.folder = "run", .rows = *rows};
    sqlite3 *db = query_open();
    query_load(db, "run", rows);
    if (published) {
        query_load(db, SECTIONS_PUBLISHED, published);
        runs_add(db, SECTIONS_PUBLISHED, &(struct rundir){.folder = "theirs"}, NULL);
        query_next(query_ask(db, query_published_lines, "run", SECTIONS_PUBLISHED, NULL));
    }
    assert_int_equal(sections_load(db, "run", &run,
                                   &(struct runs_asked){.published = published ? "theirs" : NULL},
                                   &(struct claims){0}),
                     0);
    return db;
}

/* The caller frees. */
__attribute__((unused)) static struct document *
section_beside(const struct rows *rows, const struct rows *published, const char *template) {
    sqlite3 *db = section_load(rows, published);
    struct document *page = document_new("");
    query_fill(page, db, "run", template);
    sqlite3_close(db);
    return page;
}

__attribute__((unused)) static struct document *section_of(const struct rows *rows,
                                                           const char *template) {
    return section_beside(rows, NULL, template);
}

#endif
