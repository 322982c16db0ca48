/* For tests of what a gate shows: gates that are made up. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_MADE_GATES_H
#define TESTS_SUPPORT_MADE_GATES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/gate/output.h"
#include "reports/query/query.h"
#include "tests/support/asserts.h"

#define NASTY                                                                                      \
    "a|b `c` <script>alert(1)</script> ]]> & \"q\" 'r' [x](http://y) *z* _u_ \\ %0A "              \
    "100%\r\n::error "                                                                             \
    "title=evil::x\n| --- | \x01\x1b[31m \xff\xc3 \xed\xa0\x80 \xef\xbf\xbe @all #1"

static struct gate_row *add_row(struct gate *gate, enum gate_status status, int64_t m,
                                double ratio) {
    gate->rows = realloc(gate->rows, (gate->count + 1) * sizeof *gate->rows);
    assert_non_null(gate->rows);
    struct gate_row *row = &gate->rows[gate->count++];
    *row = (struct gate_row){.shape = {m, 64, 128},
                             .size_class = "small",
                             .status = status,
                             .ratio = ratio,
                             .ci_low = ratio - 0.005,
                             .ci_high = ratio + 0.005,
                             .reference_seconds = 1e-5 * ratio,
                             .seconds = 1e-5,
                             .margin = 0.02,
                             .p = status == GATE_SLOWER || status == GATE_FASTER ? 0.00025 : NAN,
                             .visits = status == GATE_SLOWER ? 12 : 4,
                             .device_ratio = ratio,
                             .call_ratio = ratio + 0.01,
                             .wall_seconds = 2.5,
                             .confirmed = status == GATE_SLOWER};
    snprintf(row->source, sizeof row->source, "%lld_64_128.cu", (long long)m);
    strcpy(row->candidate, "tiled");
    strcpy(row->mode, "offline");
    strcpy(row->lens, "device");
    strcpy(row->reference, "previous");
    gate->statuses[status]++;
    return row;
}

/* A row about a kernel that was not timed. */
static struct gate_row *add_untimed(struct gate *gate, enum gate_status status, int64_t m,
                                    const char *text) {
    struct gate_row *row = add_row(gate, status, m, NAN);
    row->seconds = row->p = row->visits = NAN;
    row->device_ratio = row->call_ratio = row->wall_seconds = NAN;
    strcpy(row->mode, "");
    strcpy(row->lens, "");
    strcpy(row->reference, "");
    strcpy(row->text, text);
    return row;
}

static void add_line(struct gate *gate, const char *mode, const char *size_class) {
    if (!gate->lines)
        gate->lines = query_open();
    query_next(
        query_ask(gate->lines,
                  "INSERT INTO lines (run, candidate, baseline, mode, lens, class, shapes, wins, "
                  "geomean, low, high, faster, same, slower, undecided, environment, maybe, known, "
                  "behind, judged, refused, unrecorded, left_out, leads) VALUES "
                  "('gate', '', '', ?1, 'device', ?2, 10, 2, 0.99, iif(?2 = 'all', 0.985, NULL), "
                  "iif(?2 = 'all', 0.995, NULL), 1, 8, 1, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0)",
                  mode, size_class, NULL));
}

/* Keeps the path: it is the gate's as long as the test runs. */
static void set_run(struct gate *gate, const char *run) {
    static char kept[16][PATH_MAX];
    static size_t count;
    gate->call.run = strcpy(kept[count++ % 16], run);
}

static void set_folder(struct gate *gate, const char *folder) {
    json_t *clean = json_stringn_nocheck(folder, strlen(folder));
    json_object_set_new_nocheck(gate->run.manifest, "folder", clean);
}

static struct gate begin(const char *run, enum gate_verdict verdict, const char *reason) {
    static const struct gate_policy policy;
    struct gate gate = {.verdict = verdict,
                        .coverage = 1,
                        .units = 10,
                        .suspects = 3,
                        .call = {.policy = &policy, .policy_file = "merge.ini"}};
    struct about *about = &gate.run.about;
    set_run(&gate, run);
    snprintf(gate.reason, sizeof gate.reason, "%s", reason);
    gate.judged[gate.judged_count++] = (struct gate_judged){"offline", "device"};
    gate.run.manifest = json_pack("{s:{s:s}}", "gemmgate", "git_commit", "abcdef");
    set_folder(&gate, "./sets/kernels");
    strcpy(about->set, "kernels");
    strcpy(gate.base.name, "origin/main");
    strcpy(about->device, "Some GPU");
    strcpy(about->hash, "0123456789abcdef0123456789abcdef");
    strcpy(about->start, "2026-11-21T10:00:00Z");
    strcpy(about->end, "2026-11-21T10:04:00Z");
    add_line(&gate, "offline", "all");
    add_line(&gate, "offline", "small");
    return gate;
}

__attribute__((unused)) static struct gate make_pass(const char *run) {
    struct gate gate = begin(run, GATE_PASS, "10 rows, none slower");
    for (int i = 0; i < 10; i++)
        add_row(&gate, i == 9 ? GATE_FASTER : GATE_SAME, 64 + i, i == 9 ? 1.2 : 1);
    gate_sort(&gate);
    return gate;
}

/* Every status. */
__attribute__((unused)) static struct gate make_regression(const char *run) {
    struct gate gate = begin(run, GATE_REGRESSION, "2 of 12 rows are slower");
    add_untimed(&gate, GATE_WRONG, 64, "C[3,7] is 5 and should be 6");
    add_untimed(&gate, GATE_UNRECORDED, 63, "cannot be recorded: it uses managed memory");
    add_row(&gate, GATE_SLOWER, 65, 0.95);
    add_row(&gate, GATE_SLOWER, 66, 0.80);
    struct gate_row *behind = add_row(&gate, GATE_BEHIND, 66, 0.90);
    behind->margin = 0;
    strcpy(behind->reference, "cublas-max");
    add_untimed(&gate, GATE_MISSING, 67, "was served by tiled");
    add_row(&gate, GATE_ENVIRONMENT, 68, 0.97);
    add_row(&gate, GATE_UNDECIDED, 69, 0.98);
    strcpy(add_row(&gate, GATE_KNOWN, 70, 0.94)->text, "waits for the new scheduler");
    add_row(&gate, GATE_ADDED, 71, NAN)->visits = NAN;
    strcpy(add_row(&gate, GATE_SAME, 72, 1.001)->mode, "server");
    add_row(&gate, GATE_FASTER, 73, 1.1);
    gate.rows[gate.count - 1].unrecorded = true;
    gate.rows[gate.count - 1].device_ratio = NAN;
    strcpy(gate.rows[gate.count - 1].lens, "call");
    add_row(&gate, GATE_FASTER, 74, 1.3)->ci_high = INFINITY;
    strcpy(gate.warnings[gate.warning_count++], "policy.ini:3: is needless");
    gate_sort(&gate);
    return gate;
}

__attribute__((unused)) static struct gate make_nasty(const char *run) {
    struct gate gate = begin(run, GATE_VERDICT_WRONG, NASTY);
    const enum gate_status statuses[] = {GATE_WRONG, GATE_SLOWER, GATE_UNDECIDED, GATE_KNOWN};
    for (size_t i = 0; i < 4; i++) {
        struct gate_row *row = add_row(&gate, statuses[i], 64, 0.9);
        snprintf(row->candidate, sizeof row->candidate, "%.95s", NASTY);
        snprintf(row->mode, sizeof row->mode, "%.95s", NASTY);
        snprintf(row->lens, sizeof row->lens, "%.95s", NASTY);
        snprintf(row->reference, sizeof row->reference, "%.95s", NASTY);
        strcpy(row->source, NASTY);
        strcpy(row->text, NASTY);
        row->size_class = "a|b";
    }
    snprintf(gate.run.about.set, sizeof gate.run.about.set, "%.95s", NASTY);
    strcpy(gate.base.name, NASTY);
    snprintf(gate.run.about.device, sizeof gate.run.about.device, "%.95s", NASTY);
    set_folder(&gate, NASTY);
    strcpy(gate.warnings[gate.warning_count++], NASTY);
    return gate;
}

/* Texts and names as long as they can be where `long_texts`; more of everything than may be
 * shown. */
enum { MANY_LINES = 128 };
__attribute__((unused)) static struct gate make_thousand(const char *run, bool long_texts) {
    struct gate gate = begin(run, GATE_REGRESSION, "many rows are slower");
    for (int i = 0; i < 1000; i++) {
        const enum gate_status status = i < 30    ? GATE_WRONG
                                        : i < 60  ? GATE_SLOWER
                                        : i < 80  ? GATE_UNDECIDED
                                        : i < 100 ? GATE_KNOWN
                                        : i < 900 ? GATE_SAME
                                                  : GATE_FASTER;
        struct gate_row *row = add_row(&gate, status, 64 + i, status == GATE_FASTER ? 1.1 : 0.9);
        if (long_texts) {
            memset(row->text, '|', sizeof row->text - 1);
            memset(row->candidate, 0xff, sizeof row->candidate - 1);
        }
    }
    gate_sort(&gate);
    if (!long_texts)
        return gate;
    memset(gate.reason, '<', sizeof gate.reason - 1);
    char path[RUNDIR_TEXT] = "";
    memset(path, 0xff, sizeof path - 1);
    set_run(&gate, path);
    memset(gate.base.name, 0xff, sizeof gate.base.name - 1);
    for (; gate.warning_count < GATE_WARNINGS; gate.warning_count++)
        memset(gate.warnings[gate.warning_count], '*', RUNDIR_TEXT - 1);
    char mode[RUNDIR_NAME] = "";
    memset(mode, 0xff, sizeof mode - 1);
    for (size_t i = 2; i < MANY_LINES; i++)
        add_line(&gate, mode, "all");
    return gate;
}

static void end(struct gate *gate) {
    gate_free(gate);
}

/* What the writer writes; the caller frees. */
__attribute__((unused)) static char *written(int (*write)(FILE *, const struct gate *),
                                             const struct gate *gate) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(write(out, gate), 0);
    assert_int_equal(ferror(out), 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

static size_t occurrences(const char *text, const char *end_, const char *what) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)) && at < end_; at += strlen(what))
        count++;
    return count;
}

__attribute__((unused)) static size_t count_all(const char *text, const char *what) {
    return occurrences(text, text + strlen(text), what);
}

#endif
