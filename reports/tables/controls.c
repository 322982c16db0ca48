#include "reports/tables/controls.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/jsonfile.h"
#include "bench/base/words.h"

static const char *const words[] = {"none", "passed", "failed", NULL};

const char *controls_word(enum controls_verdict verdict) {
    return words[verdict];
}

enum controls_verdict controls_ask(sqlite3 *db, const char *run, const json_t *plan, char *why,
                                   size_t size) {
    const json_t *precise = json_object_get(plan, "precise_lenses");
    char *lenses = json_is_array(precise) ? json_dumps(precise, 0) : NULL;
    query_next(query_ask(db, query_control_series, run, NULL));
    query_next(query_ask(db, query_control_tallies, run, NULL));
    sqlite3_stmt *said = query_ask(db, query_controls_verdict, run, lenses ? lenses : "[]", NULL);
    query_next(said);
    const int verdict = words_find(words, query_text(said, "verdict"));
    snprintf(why, size, "%s", query_text(said, "why"));
    sqlite3_finalize(said);
    free(lenses);
    return (enum controls_verdict)verdict;
}

enum controls_verdict controls_judge(const struct rows *rows, const json_t *plan, char *why,
                                     size_t size) {
    sqlite3 *db = query_open();
    query_add(db, &rows_files[ROWS_CONTROLS], "", rows->controls, rows->control_count);
    const enum controls_verdict verdict = controls_ask(db, "", plan, why, size);
    sqlite3_close(db);
    return verdict;
}

enum controls_verdict controls_record(const struct rows *rows, const json_t *plan, json_t *manifest,
                                      char *why, size_t size) {
    const enum controls_verdict verdict = controls_judge(rows, plan, why, size);
    json_object_set_new(manifest, "controls",
                        json_pack("{s:s, s:s}", "verdict", controls_word(verdict), "why", why));
    return verdict;
}
