#include "reports/tables/tested.h"

#include <stdio.h>

#include "bench/base/error.h"

void tested_take(sqlite3 *db, const char *name, struct tested *tested) {
    sqlite3_stmt *told = query_ask(db, query_tested, name, NULL);
    query_next(told);
    const size_t kernels = query_count(told, "kernels");
    *tested =
        (struct tested){.kernels = kernels,
                        .none_serves = kernels > 0 && query_count(told, "unsupported") == kernels,
                        .status = query_count(told, "refused")   ? EXIT_REFUSED
                                  : query_count(told, "lacking") ? EXIT_ENVIRONMENT
                                                                 : EXIT_PASS};
    snprintf(tested->text, sizeof tested->text, "%s", query_text(told, "text"));
    snprintf(tested->unserved, sizeof tested->unserved, "%s", query_text(told, "unserved"));
    tested->all_passed = query_count(told, "passed") == kernels && !*tested->unserved;
    sqlite3_finalize(told);
}
