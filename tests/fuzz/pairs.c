/* The visits that a store keeps: what was read is what is written, and can be compared. */
#include "reports/pairs/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/gate/gate_result.h"
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

/* The totals of a comparison with itself. */
static void add_up(const struct pairs *speeds) {
    struct gate gate = {0};
    struct gate_policy policy;
    gate_policy_default(&policy);
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *speed = &speeds->list[i];
        struct gate_row *row =
            gate_add_row(&gate, &policy, speed->shape, speed->candidate, GATE_SAME);
        snprintf(row->mode, sizeof row->mode, "%s", speed->mode);
        snprintf(row->lens, sizeof row->lens, "%s", speed->lens);
        row->now = row->before = speed;
    }
    gate_sort(&gate);
    gate_add_totals(&gate);
    for (size_t i = 0; i < gate.total_count; i++)
        fuzz_promise(gate.totals[i].ratio == 1 && gate.totals[i].statuses[GATE_SAME] > 0);
    gate_free(&gate);
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
    add_up(&speeds);
    pairs_free(&speeds);
}
