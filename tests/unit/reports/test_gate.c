/* Gates over run directories that are made up: every status, every verdict, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "reports/gate/gate.h"
#include "reports/run/derive.h"
#include "reports/store/store.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

enum { KERNELS = 3, BLOCKS = 8, COLUMNS = 8, ROUNDS_MOST = 24 };

/* What is special about one kernel; zero is honest, as fast as the one before it and 20 % faster
 * than the library. */
struct kernel {
    double slower;       /* than the one before */
    double spread;       /* of its rounds, in ln; 0: 0.1 % */
    const char *outcome; /* NULL: ok */
    const char *before;  /* outcome of the one before; NULL: ok */
    bool absent;         /* not in the run at all */
    bool alone;          /* there was none before */
    bool disturbed;
};

/* What is special about one run. */
struct made {
    struct kernel kernels[KERNELS];
    int rounds; /* 0: 4 */
    const char *set, *hash, *gpu, *protocol;
    const char *label;   /* of the kernels; NULL: mine */
    const char *removed; /* in the plan */
    bool two_lenses;     /* call beside device */
    bool no_before;      /* the run was made without an earlier set */
    bool libraries_only;
    bool unfinished, controls_failed;
    double library; /* times the library takes of what it usually does; 0: 1 */
};

static const struct shape shapes[KERNELS] = {{64, 64, 64}, {128, 64, 32}, {256, 256, 64}};
static const char limits[] = "{\"rates\": {\"f16_flops\": 1e15, \"l2_bytes\": "
                             "5e12, \"dram_bytes\": 3e12, \"l2_size\": 5e7}}";

/* One a round, with mean 0, and above 0 as often as below. */
static const double spread[] = {1,    -1,    0.5,  -0.5,  1.5, -1.5, 0.75, -0.75,
                                1.25, -1.25, 0.25, -0.25, 0.1, -0.1, 0.6,  -0.6};

static const char *text_or(const char *text, const char *usual) {
    return text ? text : usual;
}

static const char *label_of(const struct made *made) {
    return text_or(made->label, "mine");
}

static struct samples some_samples(const struct made *made, const struct kernel *kernel,
                                   const char *lens) {
    static float values[ROUNDS_MOST * BLOCKS * COLUMNS];
    struct samples samples = {.mode = "offline",
                              .columns = {"cublas-nn", "cublas-tn", "", "aa:cublas-nn",
                                          SAMPLES_ROUND, SAMPLES_DISTURBED, RUNDIR_PREVIOUS},
                              .column_count = 7,
                              .blocks = (size_t)(made->rounds ? made->rounds : 4) * BLOCKS,
                              .values = values,
                              .every = 1,
                              .calls = 1};
    const bool before = !made->no_before && !kernel->alone && !kernel->before;
    const double usual = kernel->spread > 0 ? kernel->spread : 0.001;
    const double library = made->library > 0 ? made->library : 1;
    snprintf(samples.lens, sizeof samples.lens, "%s", lens);
    strcpy(samples.columns[2], label_of(made));
    samples.column_count -= !before;
    samples.seen = samples.blocks;
    for (size_t b = 0; b < samples.blocks; b++) {
        const size_t round = b / BLOCKS;
        const double wave = 1 + 1e-3 * sin(1.7 * (double)b), new = 8e-6 * (1 + kernel->slower);
        const double row[] = {10e-6 * wave * library,
                              11e-6 * wave * library,
                              new *wave *exp(usual * spread[round % 16]),
                              10e-6 * wave *library,
                              (double)round,
                              kernel->disturbed &&b % 4 == 0,
                              8e-6 * wave};
        for (size_t c = 0; c < samples.column_count; c++)
            values[b * samples.column_count + c] = (float)row[c];
    }
    return samples;
}

static void add_check(struct rows *rows, struct shape shape, const char *candidate,
                      const char *kernel, const char *outcome) {
    struct check_row row = {.shape = shape, .deviation = 0, .share_compared = 1};
    strcpy(row.candidate, candidate);
    strcpy(row.kernel, kernel);
    strcpy(row.outcome, outcome ? outcome : "ok");
    strcpy(row.detail, outcome ? "C[0][1] is 4" : "");
    strcpy(row.source, strcmp(kernel, candidate) == 0 ? "mine.cu" : "");
    assert_int_equal(rows_add_check(rows, &row), 0);
}

static void make_unit(const char *run, const char *id, struct shape shape, const struct made *made,
                      const struct kernel *kernel) {
    struct rows rows = {0};
    struct light_rates rates;
    const char *label = label_of(made);
    json_t *json = json_pack("{s:o}", "limits", json_loads(limits, 0, NULL));
    assert_int_equal(derive_rates(json, "", &rates), 0);
    json_decref(json);
    const struct derive_about about = {.shape = shape,
                                       .candidate = label,
                                       .cache = "warm",
                                       .light_seconds =
                                           light_seconds(shape.m, shape.n, shape.k, &rates),
                                       .alpha = 1};
    add_check(&rows, shape, made->libraries_only ? "" : label, "cublas-nn", NULL);
    if (!made->no_before && !kernel->alone && !made->libraries_only)
        add_check(&rows, shape, label, RUNDIR_PREVIOUS, kernel->before);
    if (!made->libraries_only)
        add_check(&rows, shape, label, label, kernel->outcome);
    if (kernel->outcome || made->libraries_only) {
        assert_int_equal(rundir_write_unit(run, id, &rows, NULL, 0), 0);
    } else {
        struct samples samples[2] = {some_samples(made, kernel, "device")};
        assert_int_equal(derive_rows(&samples[0], &about, &rows), 0);
        /* The same values under another name. */
        samples[1] = samples[0];
        strcpy(samples[1].lens, "call");
        if (made->two_lenses)
            assert_int_equal(derive_rows(&samples[1], &about, &rows), 0);
        assert_int_equal(rundir_write_unit(run, id, &rows, samples, made->two_lenses ? 2 : 1), 0);
    }
    rows_free(&rows);
}

static json_t *make_plan(const struct made *made) {
    json_t *plan = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:[], s:[], s:[], s:[{s:s, s:s}], s:[s], s:[s]}",
        "device", "cuda:0", "set", text_or(made->set, "kernels"), "protocol",
        text_or(made->protocol, "fast"), "cache", "warm", "arrival", "closed", "alpha", 1.0, "beta",
        0.0, "shapes", "units", "removed", "candidates", "label", label_of(made), "hash",
        text_or(made->hash, "abc"), "modes", "offline", "lenses", "device");
    assert_non_null(plan);
    if (made->two_lenses)
        json_array_append_new(json_object_get(plan, "lenses"), json_string("call"));
    if (made->removed)
        json_array_append_new(json_object_get(plan, "removed"), json_string(made->removed));
    json_object_set_new(plan, "rounds", json_integer(made->rounds ? made->rounds : 4));
    json_object_set_new(plan, "previous",
                        made->no_before ? json_null() : json_pack("{s:s}", "set", "before"));
    return plan;
}

static void make(const char *name, const struct made *made) {
    char run[512], id[64], shape[SHAPE_TEXT];
    json_t *plan = make_plan(made);
    json_t *manifest = json_pack("{s:{s:s}, s:s, s:{s:s, s:s}, s:s, s:s, s:{s:s}, s:b}", "gpu",
                                 "name", text_or(made->gpu, "H200"), "driver", "580", "controls",
                                 "verdict", made->controls_failed ? "failed" : "passed", "why",
                                 made->controls_failed ? "deaf" : "", "start",
                                 "2026-01-01T00:00:00Z", "end", "2026-01-01T01:00:00Z", "gemmgate",
                                 "git_commit", "0123456789", "complete", !made->unfinished);
    assert_non_null(manifest);
    json_object_set_new(manifest, "limits", json_loads(limits, 0, NULL));
    snprintf(run, sizeof run, "%s", scratch_path(name));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < KERNELS; i++) {
            shape_format(shapes[i], shape);
            snprintf(id, sizeof id, "%s.%s", shape, label_of(made));
            if (made->kernels[i].absent)
                continue;
            if (pass == 0) {
                json_array_append_new(json_object_get(plan, "shapes"), json_string(shape));
                json_array_append_new(json_object_get(plan, "units"), json_string(id));
            } else {
                make_unit(run, id, shapes[i], made, &made->kernels[i]);
            }
        }
        if (pass == 0)
            assert_int_equal(rundir_create(run, plan, 0), 0);
    }
    assert_int_equal(rundir_collect(run), 0);
    assert_int_equal(rundir_write_json(run, "manifest.json", manifest), 0);
    json_decref(plan);
    json_decref(manifest);
}

static struct gate_policy policy;
static struct gate gate;
static char run_path[512], against_path[512];

static int set_up(void **state) {
    gate_policy_default(&policy);
    return scratch_make(state);
}

static int tear_down(void **state) {
    gate_policy_free(&policy);
    gate_free(&gate);
    return scratch_remove(state);
}

static struct gate_call a_call(const char *against) {
    snprintf(run_path, sizeof run_path, "%s", scratch_path("run"));
    if (against)
        snprintf(against_path, sizeof against_path, "%s", scratch_path(against));
    return (struct gate_call){.run = run_path,
                              .against = against ? against_path : NULL,
                              .policy = &policy,
                              .today = "2026-02-01"};
}

static const char *judge(const char *against, bool release) {
    struct gate_call call = a_call(against);
    call.for_release = release;
    gate_free(&gate);
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_true(gate.verdict == GATE_ERROR || gate.units > 0);
    return gate_verdict_word(gate.verdict);
}

/* An error that is also on stderr. */
static void assert_refused(const char *words) {
    stderr_catch();
    const char *verdict = judge(NULL, false);
    stderr_says("gemmgate: ");
    assert_string_equal(verdict, "error");
    if (!strstr(gate.reason, words))
        fail_msg("the reason lacks \"%s\": %s", words, gate.reason);
    assert_int_equal(gate.count, 0);
    assert_string_equal(gate.run, run_path);
}

static void assert_reason(const char *words) {
    if (!strstr(gate.reason, words))
        fail_msg("the reason lacks \"%s\": %s", words, gate.reason);
}

static void assert_warning(const char *words) {
    for (size_t i = 0; i < gate.warning_count; i++)
        if (strstr(gate.warnings[i], words))
            return;
    fail_msg("no warning has \"%s\"; the first of %zu is: %s", words, gate.warning_count,
             gate.warnings[0]);
}

/* The first row of the kernel. */
static const struct gate_row *row_of(int kernel) {
    for (size_t i = 0; i < gate.count; i++)
        if (shape_compare(gate.rows[i].shape, shapes[kernel]) == 0)
            return &gate.rows[i];
    fail_msg("no row of kernel %d", kernel);
    return NULL;
}

static const char *status_of(int kernel) {
    return gate_status_word(row_of(kernel)->status);
}

static void test_words(void **state) {
    (void)state;
    assert_string_equal(gate_status_word(GATE_WRONG), "wrong");
    assert_string_equal(gate_status_word(GATE_FASTER), "faster");
    assert_string_equal(gate_status_text(GATE_MISSING), "no kernel serves this shape any more");
    static const int exits[] = {2, 6, 5, 4, 1, 3, 0}; /* the order of precedence */
    for (int i = 0; i < GATE_VERDICT_COUNT; i++)
        assert_int_equal(gate_verdict_exit((enum gate_verdict)i), exits[i]);
    assert_string_equal(gate_verdict_word(GATE_NOT_COMPARABLE), "not-comparable");
}

static void test_pass(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{.slower = 0.01}, {.slower = -0.1}, {.alone = true}}});
    assert_string_equal(judge(NULL, true), "pass");
    assert_reason("1 maybe-faster, 1 same, 1 added of 3 rows");
    assert_int_equal(gate.count, 3);
    assert_int_equal(gate.units, 3);
    assert_int_equal(gate.suspects, 0);
    assert_int_equal(gate.warning_count, 0);
    assert_double_near(gate.coverage, 1, 0);
    assert_string_equal(status_of(0), "same");
    assert_string_equal(status_of(1), "maybe-faster");
    assert_string_equal(status_of(2), "added");
    const struct gate_row *row = row_of(0);
    assert_double_near(row->ratio, 1 / 1.01, 1e-4);
    assert_double_near(row->ci_low, row->ratio, 0.01);
    assert_double_near(row->ci_high, row->ratio, 0.01);
    assert_true(row->ci_low < row->ratio && row->ratio < row->ci_high);
    assert_double_near(row->margin, 0.02, 0);
    assert_double_near(row->seconds, 8.08e-6, 2e-8);
    assert_double_near(row->reference_seconds, 8e-6, 2e-8);
    assert_string_equal(row->reference, "previous");
    assert_string_equal(row->mode, "offline");
    assert_string_equal(row->lens, "device");
    assert_string_equal(row->source, "mine.cu");
    assert_string_equal(row->size_class, policy.classes[0].name);
    assert_true(isnan(row->p) && row->rounds == 4 && !row->confirmed);
    assert_true(row->detectable > 0.02 && row->detectable < 0.03);
    row = row_of(2);
    assert_true(isnan(row->ratio) && isnan(row->detectable));
    assert_double_near(row->seconds, 8e-6, 2e-8);
    assert_true(gate.total_count > 0 && gate.totals[0].shapes == 2);
    assert_double_near(gate.totals[0].geomean, 1 / sqrt(1.01 * 0.9), 1e-3);
    assert_double_near(gate.totals[0].low, gate.totals[0].geomean, 0.01);
    assert_double_near(gate.totals[0].high, gate.totals[0].geomean, 0.01);
    assert_double_near(gate.totals[0].old_seconds, 16e-6, 4e-8);
    assert_double_near(gate.totals[0].new_seconds, (8.08 + 7.2) * 1e-6, 4e-8);
    assert_string_equal(gate.set, "kernels");
    assert_string_equal(gate.previous, "before");
    assert_string_equal(gate.commit, "0123456789");
    assert_int_equal(strlen(gate.plan_hash), 32);
}

static void test_screen(void **state) {
    (void)state;
    struct gate_suspects suspects;
    make("run", &(struct made){.kernels = {{0}, {.slower = 0.05}, {.spread = 0.02}}});
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2);
    assert_int_equal(suspects.rows, 2);
    assert_string_equal(suspects.ids[0], "128x64x32.mine");
    assert_string_equal(suspects.ids[1], "256x256x64.mine");
    assert_int_equal(suspects.rounds, 22);
    gate_suspects_free(&suspects);
    policy.alpha = 1e-6; /* one of 50 rounds may be below the margin */
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.rounds, 50);
    gate_suspects_free(&suspects);
    call.run = "/nowhere";
    assert_says(gate_screen(&call, &suspects), -1, "/nowhere");
}

static const struct made one_slow = {.kernels = {{0}, {.slower = 0.05}, {0}}};

static struct made confirming(double slower) {
    return (struct made){.kernels = {{.absent = true}, {.slower = slower}, {.absent = true}},
                         .rounds = 22};
}

static void test_unconfirmed(void **state) {
    (void)state;
    make("run", &one_slow);
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason(
        "1 of 3 rows are undecided, where the policy lets 25 % pass; the worst: 128x64x32");
    policy.undecided = 0.34;
    assert_string_equal(judge(NULL, false), "pass");
    assert_warning("1 of 3 rows are undecided");
    assert_string_equal(status_of(1), "undecided");
    assert_true(strstr(row_of(1)->text, "second stage"));
    assert_double_near(row_of(1)->p, 1, 0);
    assert_int_equal(gate.suspects, 1);
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_reason("1 of 3 rows are undecided; the worst: 128x64x32 mine (offline, device) takes "
                  "+5.00 % time against previous: the second stage");
    policy.on_merge = GATE_UNDECIDED_PASS;
    assert_string_equal(judge(NULL, false), "pass");
    assert_int_equal(gate.warning_count, 0);
}

static void test_confirmed(void **state) {
    (void)state;
    make("run", &one_slow);
    make("run/confirm",
         &(struct made){.kernels = {{.absent = true}, {.slower = 0.04}, {.absent = true}},
                        .rounds = 22});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason("1 slower of 3 rows; the worst: 128x64x32 mine (offline, device) takes +4.00 %");
    const struct gate_row *row = &gate.rows[0];
    assert_int_equal(row->status, GATE_SLOWER);
    assert_double_near(row->ratio, 1 / 1.04, 1e-4);
    assert_double_near(row->p, pow(0.7, 22), 1e-12);
    assert_double_near(row->ci_low, row->ratio, 0.01);
    assert_double_near(row->ci_high, row->ratio, 0.01);
    assert_double_near(row->seconds, 8.32e-6, 2e-8);
    assert_double_near(row->reference_seconds, 8e-6, 2e-8);
    assert_true(row->detectable > 0.02 && row->detectable < 0.03);
    assert_true(row->confirmed && row->rounds == 22);
    assert_int_equal(gate.statuses[GATE_SLOWER], 1);
    assert_int_equal(gate.statuses[GATE_SAME], 2);
}

/* What the first stage says of a suspect is forgotten. */
static void test_acquitted(void **state) {
    (void)state;
    struct made confirm = confirming(0.005);
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "same");
    assert_double_near(row_of(1)->ratio, 1 / 1.005, 1e-4);
    assert_true(row_of(1)->confirmed);
}

/* 2.5 % with a spread of 1 %: neither shown to be slower than 2 % nor shown not to be. */
static void test_undecided_after_confirmation(void **state) {
    (void)state;
    struct made confirm = confirming(0.025);
    confirm.kernels[1].spread = 0.01;
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_string_equal(status_of(1), "undecided");
    assert_true(row_of(1)->p > 0.01 && row_of(1)->p < 1);
    assert_true(row_of(1)->detectable > 0.025);
}

static void test_wrong(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{0}, {.slower = 0.05}, {.outcome = "inexact"}},
                               .controls_failed = true});
    assert_string_equal(judge(NULL, false), "wrong");
    assert_reason("1 of 3 kernels wrong or dishonest; the first: 256x256x64 mine: inexact: C[0]");
    assert_int_equal(gate.rows[0].status, GATE_WRONG);
    assert_string_equal(gate.rows[0].text, "inexact: C[0][1] is 4");
    assert_string_equal(gate.rows[0].source, "mine.cu");
    assert_int_equal(gate.count, 3);
    assert_double_near(gate.coverage, 2.0 / 3, 1e-12);
}

static void test_wrong_when_confirmed(void **state) {
    (void)state;
    struct made confirm = confirming(0);
    confirm.kernels[1].outcome = "replayed";
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "wrong");
    assert_string_equal(gate.rows[0].text, "replayed: C[0][1] is 4");
    assert_int_equal(gate.count, 3);
}

/* A kernel that is no measure, as the second stage shows, has not become slower against it. */
static void test_earlier_wrong_when_confirmed(void **state) {
    (void)state;
    struct made confirm = confirming(0);
    confirm.kernels[1].before = "forbidden";
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "pass");
    assert_int_equal(row_of(1)->status, GATE_ADDED);
    assert_string_equal(row_of(1)->text, "the earlier kernel failed its checks: forbidden");
}

static void test_missing(void **state) {
    (void)state;
    make("run", &(struct made){.removed = "64x32x16.mine"});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason("1 missing of 4 rows; the worst: 64x32x16 mine: the earlier set had this kernel");
    assert_int_equal(gate.rows[0].status, GATE_MISSING);
    assert_int_equal(gate.rows[0].shape.k, 16);
}

/* A kernel for every shape that is gone is missing where nothing else serves the shape; elsewhere
 * it is not known what is lost. */
static void test_missing_everywhere(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{0}, {.outcome = "unsupported", .alone = true}, {0}},
                               .removed = "other"});
    policy.coverage = 0;
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason(
        "1 missing of 5 rows; the worst: 128x64x32 other: the earlier set had this kernel");
    assert_int_equal(gate.statuses[GATE_UNDECIDED], KERNELS - 1);
    assert_string_equal(gate.rows[1].candidate, "other");
    assert_string_equal(gate.rows[1].text,
                        "the earlier set had this kernel; mine serves the shape, and nothing shows "
                        "whether it is as fast");
}

/* What the policy says of what is undecided holds of a kernel that is gone, too; it was not timed,
 * and is no row that a disturbed machine could have spared. */
static void test_gone(void **state) {
    (void)state;
    struct made made = {.kernels = {{.disturbed = true}, {0}, {0}}, .removed = "other"};
    make("run", &(struct made){.removed = "other"});
    assert_string_equal(judge(NULL, false), "inconclusive"); /* else a new name would hide a loss */
    assert_reason("3 kernels are gone: nothing shows whether");
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_reason("the first: 64x64x64 other: the earlier set had this kernel; mine serves");
    make("disturbed", &made);
    struct gate_call call = a_call(NULL);
    call.run = scratch_path("disturbed");
    gate_free(&gate);
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_reason("the machine was disturbed while 1 of 3 rows were timed");
    gate_free(&gate);
    /* The worst of them is one with a number. */
    make("noisy", &(struct made){.kernels = {{0}, {.spread = 0.1}, {0}}, .removed = "other"});
    call.run = scratch_path("noisy");
    call.for_release = true;
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_reason("1 of 6 rows are undecided; the worst: 128x64x32 mine (offline, device) takes");
}

static void test_unsupported(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{.outcome = "unsupported", .alone = true}, {0}, {0}}});
    assert_string_equal(judge(NULL, false), "regression");
    assert_string_equal(gate.reason, "66.67 % of the shapes have an honest kernel where the "
                                     "policy's coverage asks for 100 %: none for 64x64x64");
    assert_int_equal(gate.count, 2);
    policy.coverage = 0.6;
    assert_string_equal(judge(NULL, false), "pass");
}

/* Some of the shapes are named, in the plan's order. */
static void test_unserved(void **state) {
    (void)state;
    static const struct kernel none = {.outcome = "unsupported", .alone = true};
    make("two", &(struct made){.kernels = {none, {0}, none}});
    make("three", &(struct made){.kernels = {none, none, none}});
    struct gate_call call = a_call(NULL);
    call.run = scratch_path("two");
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_reason("33.33 % of the shapes");
    assert_reason("coverage asks for 100 %: none for 64x64x64 and 256x256x64");
    gate_free(&gate);
    call.run = scratch_path("three");
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_reason("0 % of the shapes");
    assert_reason("none for 64x64x64, 128x64x32 and 256x256x64");
    json_t *plan = rundir_read_json(call.run, "plan.json");
    json_t *planned = json_object_get(plan, "shapes");
    for (int more = 1; more <= 2; more++) {
        char words[64];
        json_array_append_new(planned, json_sprintf("%dx8x8", more));
        assert_int_equal(rundir_write_json(call.run, "plan.json", plan), 0);
        gate_free(&gate);
        assert_int_equal(gate_judge(&call, &gate), 0);
        snprintf(words, sizeof words, "128x64x32, 256x256x64 and %d other%s", more,
                 more == 1 ? "" : "s");
        assert_reason(words);
        assert_true(strlen(strstr(gate.reason, words)) == strlen(words));
    }
    json_decref(plan);
}

static void test_unsupported_any_more(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{.outcome = "unsupported"}, {0}, {0}}});
    policy.coverage = 0;
    assert_string_equal(judge(NULL, false), "regression");
    assert_int_equal(row_of(0)->status, GATE_MISSING);
}

static void test_before_was_wrong(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{.before = "inexact"}, {0}, {0}}});
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(0), "added");
    assert_true(strstr(row_of(0)->text, "inexact"));
}

static void add_known(const char *pattern, double limit, const char *expires) {
    policy.known = realloc(policy.known, (policy.known_count + 1) * sizeof *policy.known);
    assert_non_null(policy.known);
    struct gate_known *known = &policy.known[policy.known_count++];
    *known = (struct gate_known){.limit = limit, .line = (int)policy.known_count};
    strcpy(known->pattern, pattern);
    strcpy(known->reason, "waits");
    strcpy(known->link, "https://x/1");
    strcpy(known->expires, expires);
    strcpy(policy.known_file, "known.ini");
}

static void test_known(void **state) {
    (void)state;
    make("run", &one_slow);
    add_known("128x64x*", 0.08, "2026-02-01");
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "known");
    assert_string_equal(row_of(1)->text, "waits, https://x/1");
    assert_double_near(row_of(1)->margin, 0.08, 0);
    assert_int_equal(gate.suspects, 0);
    assert_int_equal(gate.warning_count, 0);
}

static void test_known_is_not_enough(void **state) {
    (void)state;
    struct made slow = one_slow, confirm = confirming(0.1);
    slow.kernels[1].slower = 0.1;
    make("run", &slow);
    make("run/confirm", &confirm);
    add_known("128x64x*", 0.08, "2026-02-01");
    assert_string_equal(judge(NULL, false), "regression");
    assert_string_equal(status_of(1), "slower");
    assert_int_equal(gate.warning_count, 0);
}

static void test_known_expired(void **state) {
    (void)state;
    make("run", &one_slow);
    add_known("128x64x32", 0.08, "2026-01-31");
    add_known("1x1x1", 0.08, "2026-01-31");
    assert_string_equal(judge(NULL, true), "inconclusive");
    assert_int_equal(gate.warning_count, 1);
    assert_warning("known.ini:1: [128x64x32] expired on 2026-01-31");
}

static void test_known_needless(void **state) {
    (void)state;
    make("run", &one_slow);
    add_known("64x*x*", 0.08, "2026-02-01");
    add_known("1x1x1", 0.08, "2026-02-01");
    policy.undecided = 0.34;
    judge(NULL, false);
    assert_warning("known.ini:1: [64x*x*] covers nothing that is slower");
    assert_warning("known.ini:2: [1x1x1] covers no kernel of this run");
    assert_int_equal(gate.warning_count, 3); /* and that one is undecided */
}

static void add_must(const char *baseline) {
    strcpy(policy.must[policy.must_count++].baseline, baseline);
}

/* The library takes 10 us and a kernel 8 us, here 10.4, 10 and 8. */
static void test_must(void **state) {
    (void)state;
    make("run",
         &(struct made){
             .kernels = {{.slower = 0.3, .alone = true}, {.slower = 0.25, .alone = true}, {0}}});
    assert_string_equal(judge(NULL, false), "pass");
    add_must("cublas-max");
    /* Not confirmed, nobody is behind: both are measured again. */
    struct gate_suspects suspects;
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2);
    assert_int_equal(suspects.rounds, 22);
    gate_suspects_free(&suspects);
    assert_string_equal(judge(NULL, true), "inconclusive");
    make("run/confirm", &(struct made){.kernels = {{.slower = 0.3, .alone = true},
                                                   {.slower = 0.25, .alone = true},
                                                   {.absent = true}},
                                       .rounds = 22});
    assert_string_equal(judge(NULL, false), "regression");
    assert_reason("1 behind of 3 rows; the worst: 64x64x64 mine (offline, device) takes +4.0");
    assert_string_equal(status_of(0), "behind");
    assert_string_equal(row_of(0)->reference, "cublas-max");
    assert_double_near(row_of(0)->ratio, 1 / 1.04, 1e-3);
    assert_double_near(row_of(0)->reference_seconds, 10e-6, 2e-8);
    assert_double_near(row_of(0)->seconds, 10.4e-6, 2e-8);
    assert_double_near(row_of(0)->ci_low, row_of(0)->ratio, 0.01);
    assert_double_near(row_of(0)->ci_high, row_of(0)->ratio, 0.01);
    assert_double_near(row_of(0)->margin, 0, 0);
    assert_double_near(row_of(0)->rounds, 22, 0);
    assert_nan(row_of(0)->detectable);
    assert_string_equal(status_of(1), "undecided");
    assert_string_equal(status_of(2), "same");
    add_must("torch-matmul");
    assert_string_equal(judge(NULL, false), "regression");
    assert_warning("torch-matmul must be beaten and was not measured beside every row");
}

/* By the rounds that the row rests on. */
static void test_must_confirmed(void **state) {
    (void)state;
    struct made slow = one_slow, confirm = confirming(0);
    slow.kernels[1].slower = 0.3;
    make("run", &slow);
    make("run/confirm", &confirm);
    add_must("cublas-max");
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(1), "same");
}

static void test_must_is_not_measured(void **state) {
    (void)state;
    make("run", &(struct made){0});
    add_must("torch-matmul");
    policy.on_merge = GATE_UNDECIDED_PASS;
    assert_string_equal(judge(NULL, false), "inconclusive");
    assert_reason("3 rows lack a baseline that they must beat");
}

static void test_environment(void **state) {
    (void)state;
    struct gate_suspects suspects;
    struct made disturbed = one_slow;
    disturbed.kernels[0].disturbed = true;
    make("run", &disturbed);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("disturbed while 1 of 3 rows");
    assert_string_equal(status_of(0), "environment");
    assert_true(strstr(row_of(0)->text, "25 % of its blocks"));
    policy.disturbed = policy.undecided = 0.4;
    assert_string_equal(judge(NULL, false), "pass");
    assert_warning("1 of 3 rows were disturbed, which the policy lets pass");
    assert_int_equal(gate.warning_count, 2); /* and an undecided one */
    struct gate_call call = a_call(NULL);
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 2); /* it is measured again */
    gate_suspects_free(&suspects);
}

/* A slowdown that disturbed rounds confirm does not fail the gate, and does not vanish either. */
static void test_environment_slower(void **state) {
    (void)state;
    struct made confirm = confirming(0.04);
    confirm.kernels[1].disturbed = true;
    policy.disturbed = 0.4;
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(1), "environment");
    assert_string_equal(row_of(1)->text, "25 % of its blocks were disturbed; what they show is a "
                                         "confirmed slowdown");
    assert_warning("1 of 3 rows were disturbed, which the policy lets pass");
    assert_warning(
        "1 of the disturbed rows would be confirmed slowdowns, and do not fail the gate; "
        "the worst: 128x64x32 mine (offline, device) takes +4.00 % time against "
        "previous: gate again on a quiet machine");
    assert_int_equal(gate.warning_count, 2);
}

/* Nothing follows from a disturbed row, not even that it is slower than a baseline. */
static void test_environment_alone(void **state) {
    (void)state;
    make("run", &(struct made){.kernels = {{.alone = true, .slower = 0.5, .disturbed = true},
                                           {.slower = 0.01},
                                           {0}}});
    add_must("cublas-max");
    policy.disturbed = 0.4;
    assert_string_equal(judge(NULL, false), "pass");
    assert_string_equal(status_of(0), "environment");
}

static void test_controls_of_confirm(void **state) {
    (void)state;
    struct made confirm = confirming(0);
    confirm.controls_failed = true;
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("run/confirm failed");
}

static void test_controls(void **state) {
    (void)state;
    struct made deaf = one_slow;
    deaf.controls_failed = true;
    make("run", &deaf);
    assert_string_equal(judge(NULL, false), "environment");
    assert_reason("failed, its timings cannot be trusted: deaf");
}

static void test_lenses(void **state) {
    (void)state;
    make("run", &(struct made){.two_lenses = true});
    judge(NULL, false);
    assert_int_equal(gate.count, 3);
    assert_string_equal(gate.rows[0].lens, "device");
    strcpy(policy.lens, "call");
    judge(NULL, false);
    assert_string_equal(gate.rows[0].lens, "call");
    assert_int_equal(gate.warning_count, 0);
    strcpy(policy.lens, "stream");
    assert_refused("the policy judges the lens stream, by which");
    strcpy(policy.lens, "");
    strcpy(policy.mode, "server");
    assert_refused("the policy judges the mode server, and");
    strcpy(policy.mode, "offline");
    judge(NULL, false);
    assert_int_equal(gate.count, 3);
}

/* Nothing to compare with is no pass, unless the checks alone are asked for. */
static void test_absolute(void **state) {
    (void)state;
    make("run", &(struct made){.no_before = true});
    assert_string_equal(judge(NULL, false), "error");
    assert_reason("there is nothing to compare with: all 3 rows are new; name the earlier kernels");
    struct gate_call call = a_call(NULL);
    call.absolute = true;
    gate_free(&gate);
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_string_equal(gate_verdict_word(gate.verdict), "pass");
    assert_reason("3 added of 3 rows: no kernel is wrong or dishonest, and nothing is compared");
    assert_non_null(strstr(gate.again, "/run --absolute"));
    make("run/again", &(struct made){.kernels = {{.outcome = "inexact"}}, .no_before = true});
    snprintf(run_path, sizeof run_path, "%s", scratch_path("run/again"));
    gate_free(&gate);
    assert_int_equal(gate_judge(&call, &gate), 0);
    assert_string_equal(gate_verdict_word(gate.verdict), "wrong");
}

static void promote(const char *run) {
    char store[512];
    struct store_entry entry;
    snprintf(store, sizeof store, "%s", scratch_path("store"));
    assert_int_equal(
        store_promote(store, scratch_path(run), "old", NULL, "2026-01-02T00:00:00Z", &entry), 0);
}

/* Against a run of a set by another name, and against a store that it was promoted to. */
static void test_stored(void **state) {
    (void)state;
    struct made old = {.no_before = true, .set = "old-name"};
    struct made new = {.kernels = {{0}, {.slower = 0.05}, {.slower = -0.1}}, .no_before = true};
    struct made confirm = confirming(0.05);
    confirm.no_before = true;
    make("old", &old);
    make("run", &new);
    make("run/confirm", &confirm);
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "regression");
        assert_string_equal(status_of(0), "same");
        assert_string_equal(status_of(1), "slower");
        assert_string_equal(status_of(2), "maybe-faster");
        assert_double_near(row_of(0)->ratio, 1, 1e-4);
        assert_double_near(row_of(1)->ratio, 1 / 1.05, 1e-4);
        assert_double_near(row_of(1)->reference_seconds, 8e-6, 5e-8);
        assert_string_equal(row_of(1)->reference, "stored, by cublas-max");
        assert_true(gate.total_count > 0);
        assert_true(strstr(gate.previous, against[i]));
    }
}

/* The library of this run is twice as slow: the kernels would be, too, were they the same. */
static void test_stored_by_the_library(void **state) {
    (void)state;
    make("old", &(struct made){.no_before = true});
    make("run", &(struct made){.kernels = {{.slower = 1}, {.slower = 1}, {0}},
                               .library = 2,
                               .no_before = true});
    assert_string_equal(judge("old", false), "pass");
    assert_string_equal(status_of(0), "same");
    assert_string_equal(status_of(2), "maybe-faster");
    assert_double_near(row_of(2)->ratio, 2, 1e-3);
}

/* The stored run's own spread is nobody's fault: 5 % slower than its mean is not slower than what
 * it may have been. */
static void test_stored_uncertain(void **state) {
    (void)state;
    struct made old = {.kernels = {{0}, {.spread = 0.04}, {0}}, .no_before = true};
    struct made new = one_slow;
    new.no_before = true;
    make("old", &old);
    make("run", &new);
    judge("old", false);
    assert_string_equal(status_of(1), "undecided");
    assert_double_near(row_of(1)->ratio, 1 / 1.05, 1e-3);
    assert_true(row_of(1)->ci_high > 1 && row_of(1)->ci_low < 1 / 1.08);
}

/* 7 % slower in ln than the stored mean, and not shown to be 2 % slower than its bound, 5.8 %. */
static void test_stored_uncertain_confirmed(void **state) {
    (void)state;
    struct made old = {.kernels = {{0}, {.spread = 0.04}, {0}}, .no_before = true};
    struct made new = one_slow, confirm = confirming(expm1(0.07));
    new.kernels[1].slower = 0.2;
    confirm.kernels[1].spread = 0.03;
    new.no_before = confirm.no_before = true;
    make("old", &old);
    make("run", &new);
    make("run/confirm", &confirm);
    assert_string_equal(judge("old", true), "inconclusive");
    assert_string_equal(status_of(1), "undecided");
    assert_true(row_of(1)->confirmed && row_of(1)->p > 0.1);
}

/* Of a suspect that is faster in its fresh rounds, that is confirmed. */
static void test_faster_is_confirmed(void **state) {
    (void)state;
    struct made confirm = confirming(-0.1);
    make("run", &one_slow);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "faster");
}

/* Kernels of one shape are called by their set, which is called otherwise by now. */
static void test_stored_renamed(void **state) {
    (void)state;
    make("old", &(struct made){.no_before = true, .set = "was", .label = "was"});
    make("run", &(struct made){.no_before = true, .set = "is", .label = "is"});
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "pass");
        assert_int_equal(gate.statuses[GATE_SAME], KERNELS);
    }
}

static void test_stored_shapes(void **state) {
    (void)state;
    make("old", &(struct made){.kernels = {{0}, {.absent = true}, {0}}, .no_before = true});
    make("run", &(struct made){.kernels = {{0}, {0}, {.outcome = "unsupported", .alone = true}},
                               .no_before = true});
    policy.coverage = 0;
    assert_string_equal(judge("old", false), "regression");
    assert_string_equal(status_of(0), "same");
    assert_string_equal(status_of(1), "added");
    assert_string_equal(status_of(2), "missing");
}

/* An earlier run that shows nothing of the spread between processes is refused, best before a new
 * one is measured; and so is a store that is damaged. */
static void test_stored_refused(void **state) {
    (void)state;
    struct fingerprint here;
    make("old", &(struct made){.no_before = true, .rounds = 1});
    make("run", &(struct made){.no_before = true});
    struct gate_call call = a_call("old");
    assert_int_equal(fingerprint_read(call.run, &here), 0);
    stderr_catch();
    assert_int_equal(gate_foresee(&call, &here), -1);
    stderr_says("has one round");
    stderr_catch();
    assert_string_equal(judge("old", false), "error");
    stderr_says("has one round");
    assert_reason("so that nothing can be decided against it; measure it with --rounds 4");
    promote("run");
    scratch_put("store/foreign", "x");
    stderr_catch();
    assert_string_equal(judge("store", false), "error");
    stderr_says("does not belong into a store");
    assert_reason("cannot be read: the log names the file and the cause");
}

static void test_not_comparable(void **state) {
    (void)state;
    struct gate_suspects suspects;
    make("old", &(struct made){.no_before = true, .gpu = "A100"});
    make("run", &(struct made){.kernels = {{0}, {0}, {.outcome = "unsupported"}}});
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "not-comparable");
        assert_reason("gpu.name");
        assert_reason("A100");
        assert_string_equal(status_of(0), "undecided");
        /* Which could have been foreseen. */
        struct gate_call call = a_call(against[i]);
        struct fingerprint here;
        assert_int_equal(fingerprint_read(call.run, &here), 0);
        stderr_catch();
        assert_int_equal(gate_foresee(&call, &here), 0);
        stderr_says("warning: nothing can be compared with ");
    }
    struct gate_call call = a_call("store");
    assert_int_equal(gate_screen(&call, &suspects), 0);
    assert_int_equal(suspects.count, 0);
    gate_suspects_free(&suspects);
}

static void replace(const char *name, const char *from, const char *to) {
    char text[65536];
    FILE *file = fopen(scratch_path(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *at = strstr(text, from);
    assert_non_null(at);
    *at = 0;
    scratch_put(name, "%s%s%s", text, to, at + strlen(from));
}

static void test_refused(void **state) {
    (void)state;
    assert_refused("cannot be read");
    make("run", &(struct made){.unfinished = true});
    assert_refused("is not complete");
    replace("run/manifest.json", "\"complete\": false", "\"complete\": true");
    assert_string_equal(judge(NULL, false), "pass");
    replace("run/ratios.csv", "faster", "slower");
    assert_refused("of its rows are not what its samples give");
}

static void test_unit_is_missing(void **state) {
    (void)state;
    make("run", &one_slow);
    scratch_put("run/units/64x64x64.mine/offline.device.f32", "cut");
    assert_refused("cannot be read");
    char path[512];
    snprintf(path, sizeof path, "rm -r %s", scratch_path("run/units/64x64x64.mine"));
    assert_int_equal(system(path), 0);
    assert_refused("1 units of its plan are missing");
}

static void test_no_candidates(void **state) {
    (void)state;
    make("run", &(struct made){.libraries_only = true});
    assert_refused("0 of its 3 units have a candidate");
}

/* A second stage of another set, other kernels, another protocol or another machine. */
static void test_mixed_plans(void **state) {
    (void)state;
    static const struct {
        struct made made;
        const char *words;
    } others[] = {
        {{.set = "others"}, "mixed plans: set of"},
        {{.hash = "def"}, "mixed plans: candidates of"},
        {{.protocol = "paper"}, "mixed plans: protocol of"},
        {{.no_before = true}, "mixed plans: previous of"},
        {{.two_lenses = true}, "mixed plans: lenses of"},
        {{.gpu = "A100"}, "mixed plans: "},
        {{.unfinished = true}, "is not complete"},
    };
    struct made run = one_slow;
    run.kernels[2].absent = true;
    make("run", &run);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct made confirm = others[i].made;
        confirm.kernels[0].absent = confirm.kernels[2].absent = true;
        make("run/confirm", &confirm);
        assert_refused(others[i].words);
        char command[512];
        snprintf(command, sizeof command, "rm -r %s", scratch_path("run/confirm"));
        assert_int_equal(system(command), 0);
    }
    struct made confirm = {.kernels = {{.absent = true}, {.absent = true}, {0}}};
    make("run/confirm", &confirm);
    assert_refused("mixed plans: shapes of");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_words),
        TEST(test_pass),
        TEST(test_screen),
        TEST(test_unconfirmed),
        TEST(test_confirmed),
        TEST(test_acquitted),
        TEST(test_undecided_after_confirmation),
        TEST(test_wrong),
        TEST(test_wrong_when_confirmed),
        TEST(test_earlier_wrong_when_confirmed),
        TEST(test_missing),
        TEST(test_missing_everywhere),
        TEST(test_gone),
        TEST(test_unsupported),
        TEST(test_unserved),
        TEST(test_unsupported_any_more),
        TEST(test_before_was_wrong),
        TEST(test_known),
        TEST(test_known_is_not_enough),
        TEST(test_known_expired),
        TEST(test_known_needless),
        TEST(test_must),
        TEST(test_must_confirmed),
        TEST(test_must_is_not_measured),
        TEST(test_environment),
        TEST(test_environment_slower),
        TEST(test_environment_alone),
        TEST(test_controls),
        TEST(test_controls_of_confirm),
        TEST(test_lenses),
        TEST(test_absolute),
        TEST(test_faster_is_confirmed),
        TEST(test_stored),
        TEST(test_stored_by_the_library),
        TEST(test_stored_uncertain),
        TEST(test_stored_uncertain_confirmed),
        TEST(test_stored_shapes),
        TEST(test_stored_renamed),
        TEST(test_stored_refused),
        TEST(test_not_comparable),
        TEST(test_refused),
        TEST(test_unit_is_missing),
        TEST(test_no_candidates),
        TEST(test_mixed_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
