/* Files of claims, and what two measured shapes say to each. */
#include "reports/tables/claims.h"

#include <math.h>
#include <string.h>

#include "reports/tables/runs.h"
#include "tests/fuzz/fuzz.h"

static void promise_claim(const struct claim *claim) {
    static const struct about about = {
        .device = "NVIDIA A100", .set = "mine", .accumulate = "f16", .shapes = 2, .complete = true};
    struct ratio_row ratios[2] = {
        {.shape = {64, 64, 64}, .candidate = "mine", .speedup = 0.25},
        {.shape = {128, 64, 64}, .candidate = "mine", .speedup = -0.125},
    };
    struct rows rows = {0};
    sqlite3 *db = query_open();
    fuzz_promise(*claim->text && *claim->source && *claim->set && *claim->gpu);
    fuzz_promise(*claim->accumulate && *claim->baseline && *claim->mode && *claim->lens);
    fuzz_promise(isfinite(claim->value) && claim->tolerance >= 0 && claim->shapes > 0);
    for (int i = 0; i < 2; i++) {
        ratios[i].baseline = claim->baseline;
        ratios[i].mode = claim->mode;
        ratios[i].lens = claim->lens;
        rows_add_ratio(&rows, &ratios[i]);
    }
    json_t *plan = json_pack("{s:[s, s]}", "shapes", "64x64x64", "128x64x64");
    query_load(db, "run", &rows);
    query_load(db, "(published)", &rows);
    runs_add(db, "run", &(struct rundir){.about = about, .plan = plan}, NULL);
    query_next(query_ask(db, "INSERT INTO lines (run, candidate) VALUES ('run', 'mine')", NULL));
    claims_judge(db, "run", &(struct pairs){0}, &(struct claims){(struct claim *)claim, 1});
    sqlite3_stmt *row = query_ask(db, "SELECT * FROM findings", NULL);
    fuzz_promise(query_next(row) && query_count(row, "measured") == 2);
    const double mean = query_number(row, "mean");
    fuzz_promise(isfinite(mean) && *query_text(row, "verdict"));
    fuzz_promise(!(query_number(row, "mean_low") > mean || mean > query_number(row, "mean_high")));
    fuzz_promise(!query_next(row));
    sqlite3_close(db);
    json_decref(plan);
    rows_free(&rows);
}

void fuzz_claims(const uint8_t *data, size_t size) {
    static const struct about any;
    struct claims claims;
    if (claims_read(fuzz_put("claims.csv", data, size), &any, &claims) < 0)
        return;
    fuzz_read++;
    fuzz_promise(claims.count > 0);
    for (size_t i = 0; i < claims.count; i++)
        promise_claim(&claims.list[i]);
    claims_free(&claims);
}
