/* The visits that a store keeps: what was read is what is written, and can be compared. */
#include "reports/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare/comparison.h"
#include "reports/page/writers.h"
#include "tests/fuzz/fuzz.h"

static void promise_level(const struct pair *speed) {
    fuzz_promise(*speed->candidate && *speed->reference && *speed->mode && *speed->lens);
    fuzz_promise(speed->visits > 0 && speed->visits <= PAIRS_VISITS);
    fuzz_promise(speed->seconds > 0 && speed->reference_seconds > 0);
    for (size_t r = 0; r < speed->visits; r++)
        fuzz_promise(isfinite(speed->x[r]));
}

static void write_again(const struct pairs *speeds) {
    const char *path = fuzz_path("again.csv");
    struct pairs again;
    FILE *out = fopen(path, "w");
    fuzz_promise(out);
    pairs_write_csv(out, speeds);
    fuzz_promise(fclose(out) == 0 && pairs_read_csv(path, &again) == 0);
    fuzz_promise(again.count == speeds->count);
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *speed = &speeds->list[i], *back = &again.list[i];
        fuzz_promise(pairs_compare(speed, back) == 0 && speed->visits == back->visits);
        fuzz_promise(pairs_find(speeds, back, back->reference) == speed);
        fuzz_promise(speed->seconds == back->seconds);
        fuzz_promise(memcmp(speed->x, back->x, speed->visits * sizeof *speed->x) == 0);
    }
    pairs_free(&again);
}

static void write_comparison(const struct comparison *comparison) {
    struct comparison_total totals[COMPARISON_TOTALS];
    const int count = comparison_totals(comparison, totals);
    FILE *out = fopen("/dev/null", "w");
    fuzz_promise(out && count <= COMPARISON_TOTALS);
    if (count >= 0) {
        struct document *page = comparison_page(comparison, totals, (size_t)count, false);
        fuzz_promise(write_csv(out, page, "shapes") == 0 && write_markdown(out, page) == 0 &&
                     write_text(out, page) == 0);
        document_free(page);
    }
    fclose(out);
}

/* With itself. */
static void compare(const struct pairs *speeds) {
    struct comparison crossed = {0}, paired = {0};
    struct gate_policy policy;
    gate_policy_default(&policy);
    if (speeds->count > 0) {
        comparison_crossed(speeds, speeds, speeds->list[0].reference, &policy, &crossed);
        fuzz_promise(crossed.only_old == crossed.only_new && crossed.count <= speeds->count);
        write_comparison(&crossed);
    }
    comparison_paired(speeds, &policy, &paired);
    write_comparison(&paired);
    comparison_free(&crossed);
    comparison_free(&paired);
}

void fuzz_pairs(const uint8_t *data, size_t size) {
    struct pairs speeds;
    if (pairs_read_csv(fuzz_put("levels.csv", data, size), &speeds) < 0)
        return;
    for (size_t i = 0; i < speeds.count; i++) {
        promise_level(&speeds.list[i]);
        fuzz_promise(i == 0 || pairs_compare(&speeds.list[i - 1], &speeds.list[i]) < 0);
    }
    fuzz_read++;
    write_again(&speeds);
    compare(&speeds);
    pairs_free(&speeds);
}
