/* What the queries of a report ask of, beside the rows of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/rows/derive.h"
#include "reports/rows/unserved.h"
#include "reports/sections/sections.h"

/* A number as the text that a query takes. */
static const char *text_of(double number, char text[32]) {
    snprintf(text, 32, "%.17g", number);
    return text;
}

/* The devices that times are of and whose peak was given, or the manifest tells. */
static void add_peaks(sqlite3 *db, const char *run, const json_t *plan, const json_t *manifest) {
    const double given = 1e12 * json_number_value(json_object_get(plan, "peak_tflops"));
    struct light_rates rates;
    char flops[32];
    if (!json_object_get(manifest, "limits") && !json_object_get(manifest, "devices"))
        return;
    sqlite3_stmt *device =
        query_ask(db, "SELECT DISTINCT device FROM times WHERE run = ?1", run, NULL);
    while (query_next(device))
        if (derive_rates(manifest, query_text(device, "device"), &rates) == 0 &&
            (given > 0 || rates.f16_flops > 0))
            query_next(query_ask(db, "INSERT INTO peaks VALUES (?1, ?2, CAST(?3 AS REAL))", run,
                                 query_text(device, "device"),
                                 text_of(given > 0 ? given : rates.f16_flops, flops), NULL));
}

static void add_unserved(sqlite3 *db, const char *run, const struct rows *rows,
                         const json_t *plan) {
    struct unserved unserved;
    unserved_find(rows, plan, &unserved);
    for (size_t i = 0; i < unserved.count; i++) {
        char m[32], n[32], k[32];
        const struct shape shape = unserved.list[i];
        query_next(query_ask(db, "INSERT INTO unserved VALUES (?1, ?2, ?3, ?4)", run,
                             text_of((double)shape.m, m), text_of((double)shape.n, n),
                             text_of((double)shape.k, k), NULL));
    }
    unserved_free(&unserved);
}

int sections_load(sqlite3 *db, const char *run, const struct rows *rows, const json_t *plan,
                  const json_t *manifest) {
    add_unserved(db, run, rows, plan);
    add_peaks(db, run, plan, manifest);
    if (lines_make(db, run, rows) < 0)
        return -1;
    query_next(query_ask(db, query_add_against, run, NULL));
    return 0;
}
