/* Files of claims, and what two measured shapes say to each. */
#include "reports/tables/claims.h"

#include <math.h>
#include <string.h>

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
    const struct claims claims = {(struct claim *)claim, 1};
    struct claim_findings findings;
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
    query_next(query_ask(db, "INSERT INTO lines (candidate) VALUES ('mine')", NULL));
    const int status =
        claims_judge(&claims, &(struct claims_subject){&about, plan, &rows, &rows}, db, &findings);
    sqlite3_close(db);
    json_decref(plan);
    rows_free(&rows);
    if (status < 0)
        return;
    const struct claim_finding *finding = findings.list;
    fuzz_promise(findings.count == 1 && finding->shapes == 2 &&
                 isfinite(finding->values[CLAIM_MEASURED].mean));
    fuzz_promise(!(finding->values[CLAIM_MEASURED].low > finding->values[CLAIM_MEASURED].mean) &&
                 !(finding->values[CLAIM_MEASURED].mean > finding->values[CLAIM_MEASURED].high));
    fuzz_promise(*claims_word(finding->verdict));
    claims_findings_free(&findings);
}

void fuzz_claims(const uint8_t *data, size_t size) {
    struct claims claims;
    if (claims_read(fuzz_put("claims.csv", data, size), &claims) < 0)
        return;
    fuzz_read++;
    fuzz_promise(claims.count > 0);
    for (size_t i = 0; i < claims.count; i++)
        promise_claim(&claims.list[i]);
    claims_free(&claims);
}
