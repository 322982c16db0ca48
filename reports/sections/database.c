/* What the queries of a report ask of, beside the rows of a run. */
#include "reports/sections/sections.h"
#include "reports/tables/lines.h"

int sections_load(sqlite3 *db, const char *name, const struct rundir *run,
                  const struct runs_asked *asked, const struct claims *claims) {
    runs_add(db, name, run, asked);
    agree_load(db, &(struct agree){0});
    if (lines_make(db, name, &run->rows) < 0)
        return -1;
    query_next(query_ask(db, query_add_against, name, NULL));
    return claims_judge(db, name, &run->rows, claims);
}
