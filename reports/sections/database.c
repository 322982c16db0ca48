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

/* The devices that times are of and whose peak the manifest tells. */
static void add_peaks(sqlite3 *db, const char *run, const json_t *manifest) {
    struct light_rates rates;
    char flops[32];
    if (!json_object_get(manifest, "limits") && !json_object_get(manifest, "devices"))
        return;
    sqlite3_stmt *device =
        query_ask(db, "SELECT DISTINCT device FROM times WHERE run = ?1", run, NULL);
    while (query_next(device))
        if (derive_rates(manifest, query_text(device, "device"), &rates) == 0 &&
            rates.f16_flops > 0)
            query_next(query_ask(db, "INSERT INTO peaks VALUES (?1, ?2, CAST(?3 AS REAL))", run,
                                 query_text(device, "device"), text_of(rates.f16_flops, flops),
                                 NULL));
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

void sections_load(sqlite3 *db, const char *run, const struct rows *rows, const json_t *plan,
                   const json_t *manifest, const struct table *table) {
    query_load(db, run, rows);
    tables_add(db, run, table);
    add_unserved(db, run, rows, plan);
    add_peaks(db, run, manifest);
}

void sections_add_models(sqlite3 *db, const char *run, const struct table *table,
                         const struct cards *cards) {
    for (size_t i = 0; i < table->count && cards->count > 1; i++) {
        const struct table_line *line = &table->lines[i];
        const struct pair like =
            pairs_key((struct shape){0}, line->candidate, line->baseline, line->mode, line->lens);
        char count[32], mean[32], low[32], high[32];
        if (!line->leads)
            continue;
        const struct estimate model = cards_mean(cards, &like);
        if (!isnan(model.ratio))
            query_next(query_ask(db,
                                 "INSERT INTO models VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                                 run, line->candidate, line->mode, line->lens, line->baseline,
                                 text_of((double)cards->count, count), text_of(model.ratio, mean),
                                 text_of(model.low, low), text_of(model.high, high), NULL));
    }
}

void sections_add_side(sqlite3 *db, const char *name, const struct rundir *run) {
    query_next(query_ask(db, "INSERT INTO sides VALUES (?1, ?2, ?3)", name, run->about.device,
                         run->folder, NULL));
}
