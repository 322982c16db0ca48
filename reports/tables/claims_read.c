/* The file of claims (claims_file.sql). */
#include <stdlib.h>

#include "bench/base/need.h"
#include "reports/query/form.h"
#include "reports/tables/claims.h"

static const struct form form = {.name = "claims",
                                 .shapeless = true,
                                 .sql = query_claims_file,
                                 .columns = {"quantity", "set", "gpu", "accumulate", "lens",
                                             "suite", "mode", "baseline", "text", "source",
                                             "percent", "tolerance", "shapes"},
                                 .lacking = "; the header must name it"};

int claims_read(const char *path, const struct about *about, struct claims *claims) {
    sqlite3 *db = query_open();
    struct claim claim;
    *claims = (struct claims){0};
    query_next(query_ask(db, "CREATE TABLE asked AS SELECT ?1 AS set_name, ?2 AS imported",
                         about->set, about->imported, NULL));
    const int status = form_load(db, &form, path) < 0 || form_refuse(db, path) < 0 ? -1 : 0;
    if (status == 0)
        for (sqlite3_stmt *row = query_ask(db, "SELECT * FROM claims", NULL); query_next(row);) {
            query_take(row, &claims_file, &claim);
            claims->list = need_more(claims->list, claims->count, sizeof claim);
            claims->list[claims->count++] = claim;
        }
    sqlite3_close(db);
    return status;
}

void claims_free(struct claims *claims) {
    free(claims->list);
    *claims = (struct claims){0};
}
