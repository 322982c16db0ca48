/* What a gate compares with: nothing, another run, a stored one; and what it refuses. */

#include <math.h>

#include "reports/gate/gate.h"
#include "reports/store/store.h"
#include "tests/support/doubles.h"
#include "tests/support/made_runs.h"
#include "tests/support/read_run.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* Nothing to compare with is no pass, unless the checks alone are asked for. */
TEST_WITH(test_absolute, set_up, tear_down) {
    make("run", &(struct made){.no_before = true});
    assert_string_equal(judge(NULL, false), "error");
    assert_reason("there is nothing to compare with: all 3 rows are new; name the earlier kernels");
    struct gate_call call = a_call(NULL);
    call.absolute = true;
    assert_string_equal(judge_as(&call), "pass");
    assert_reason("3 added of 3 rows; no kernel is refused, and no earlier kernel is "
                  "compared with");
    assert_non_null(strstr(fact("again"), "/run --absolute"));
    call.store_entry = "nightly";
    judge_as(&call);
    assert_non_null(strstr(fact("again"), "/run --entry nightly --absolute"));
    call.store_entry = NULL;
    make("run/again", &(struct made){.kernels = {{.outcome = "inexact"}}, .no_before = true});
    snprintf(run_path, sizeof run_path, "%s", scratch_path("run/again"));
    assert_string_equal(judge_as(&call), "wrong");
}

static void promote(const char *run) {
    char store[512];
    struct store_entry entry;
    snprintf(store, sizeof store, "%s", scratch_path("store"));
    assert_int_equal(
        store_promote(store, scratch_path(run), "old", NULL, "2026-01-02T00:00:00Z", &entry), 0);
    store_entry_close(&entry);
}

/* Against a run of a set by another name, and against a store that it was promoted to. */
TEST_WITH(test_stored, set_up, tear_down) {
    struct made old = {.no_before = true, .set = "old-name"};
    struct made new = {.kernels = {{0}, {.slower = 0.05}, {.slower = -0.1}}, .no_before = true};
    struct made confirm = confirming(0.05);
    confirm.no_before = true;
    confirm.visits = 16;
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
        assert_double_near(row_of(1)->ratio, 1 / 1.05, 5e-4);
        assert_double_near(row_of(1)->reference_seconds, 8e-6, 5e-8);
        assert_string_equal(row_of(1)->reference, "stored, by cublas-max");
        assert_true(of_line(0, "shapes") > 0);
        assert_true(strstr(fact("previous"), against[i]));
    }
}

/* A kernel that was refused there after it was timed is nothing to compare with. */
TEST_WITH(test_stored_refused_kernel, set_up, tear_down) {
    static const char *const against[] = {"old", "store"};
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && sed -i '/^128,64,32,mine,mine/s/,ok,/,inexact,/' checks.csv "
             "units/*/checks.csv && grep -q inexact checks.csv",
             scratch_path("old"));
    make("old", &(struct made){.no_before = true});
    make("run", &(struct made){.no_before = true});
    assert_int_equal(system(command), 0);
    json_t *plan = rundir_read_json(scratch_path("old"), "plan.json");
    json_t *manifest = rundir_read_json(scratch_path("old"), "manifest.json");
    assert_int_equal(digests_write_manifest(scratch_path("old"), plan, manifest), 0);
    json_decref(plan);
    json_decref(manifest);
    promote("old");
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "pass");
        assert_string_equal(status_of(0), "same");
        assert_string_equal(status_of(1), "added");
    }
}

/* The library of this run is twice as slow: the kernels would be, too, were they the same. */
TEST_WITH(test_stored_by_the_library, set_up, tear_down) {
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
TEST_WITH(test_stored_uncertain, set_up, tear_down) {
    struct made old = {.kernels = {{0}, {.spread = 0.04}, {0}}, .no_before = true};
    struct made new = one_slow;
    new.no_before = true;
    make("old", &old);
    make("run", &new);
    judge("old", false);
    assert_string_equal(status_of(1), "undecided");
    assert_double_near(row_of(1)->ratio, 1 / 1.05, 1e-3);
    assert_true(row_of(1)->ci_high > 1 / 1.02 && row_of(1)->ci_low < 1 / 1.08);
}

/* 7 % slower in ln than the stored mean, and with the scatter of that not shown to be 2 % slower. */
TEST_WITH(test_stored_uncertain_confirmed, set_up, tear_down) {
    struct made old = {.kernels = {{0}, {.spread = 0.04}, {0}}, .no_before = true};
    struct made new = one_slow, confirm = confirming(expm1(0.07));
    new.kernels[1].slower = 0.07;
    confirm.kernels[1].spread = 0.03;
    new.no_before = confirm.no_before = true;
    make("old", &old);
    make("run", &new);
    make("run/confirm", &confirm);
    assert_string_equal(judge("old", true), "inconclusive");
    assert_string_equal(status_of(1), "undecided");
    assert_true(row_of(1)->confirmed && row_of(1)->p > 0.01);
}

/* By how much cards differ is not known: kernels that are all 5 % slower on another card are called
 * slower, with a warning, and their mean has no interval. */
TEST_WITH(test_another_card, set_up, tear_down) {
    struct made slower = {.kernels = {{.slower = 0.05}, {.slower = 0.05}, {.slower = 0.05}},
                          .no_before = true,
                          .card = "GPU-c"};
    make("old", &(struct made){.no_before = true, .card = "GPU-a"});
    make("same", &(struct made){.no_before = true, .card = "GPU-c"});
    make("run", &slower);
    make("run/confirm", &slower);
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "regression");
        assert_warning("was measured on another card (GPU-a, here GPU-c): by how much cards of the "
                       "model differ is not known");
        assert_true(isfinite(of_line(0, "geomean")));
        assert_true(isnan(of_line(0, "low")) && isnan(of_line(0, "high")));
    }
    assert_string_equal(judge("same", false), "regression");
    assert_true(isfinite(of_line(0, "low")));
    assert_int_equal(warnings_with("another card"), 0);
}

/* Of a suspect that is faster in its fresh visits, that is confirmed. */
TEST_WITH(test_faster_is_confirmed, set_up, tear_down) {
    struct made confirm = confirming(-0.1);
    make("run", &one_near);
    make("run/confirm", &confirm);
    assert_string_equal(judge(NULL, true), "pass");
    assert_string_equal(status_of(1), "faster");
}

/* Kernels of one shape are called by their set, which is called otherwise by now. */
TEST_WITH(test_stored_renamed, set_up, tear_down) {
    make("old", &(struct made){.no_before = true, .set = "was", .label = "was"});
    make("run", &(struct made){.no_before = true, .set = "is", .label = "is"});
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(judge(against[i], false), "pass");
        assert_int_equal(count_of("same"), KERNELS);
    }
}

/* A kernel by another name is compared with the stored one where that is said, and only then. */
TEST_WITH(test_stored_by_another_name, set_up, tear_down) {
    make("old", &(struct made){.no_before = true, .label = "tiled"});
    make("run", &(struct made){.no_before = true, .label = "blocked"});
    promote("old");
    static const char *const against[] = {"old", "store"};
    for (int i = 0; i < 2; i++) {
        struct gate_call call = a_call(against[i]);
        assert_string_equal(judge(against[i], false), "inconclusive");
        assert_reason("--renamed OLD=NEW");
        call.renamed = "other=more,tiled=blocked";
        assert_string_equal(judge_as(&call), "pass");
        assert_int_equal(count_of("same"), KERNELS);
        assert_non_null(strstr(fact("again"), " --renamed 'other=more,tiled=blocked'") ||
                                strstr(fact("again"), " --renamed other=more,tiled=blocked")
                            ? fact("again")
                            : NULL);
    }
}

TEST_WITH(test_stored_shapes, set_up, tear_down) {
    make("old", &(struct made){.kernels = {{0}, {.absent = true}, {0}}, .no_before = true});
    make("run", &(struct made){.kernels = {{0}, {0}, {.outcome = "unsupported", .alone = true}},
                               .no_before = true});
    policy.coverage = 0;
    assert_string_equal(judge("old", false), "regression");
    assert_string_equal(status_of(0), "same");
    assert_string_equal(status_of(1), "added");
    assert_string_equal(status_of(2), "missing");
}

/* A kernel that was refused in the earlier run is no measure; what that machine lacked says nothing. */
TEST_WITH(test_stored_kernels_that_failed, set_up, tear_down) {
    make("old", &(struct made){.kernels = {{.outcome = "inexact"}, {.outcome = "not-built"}, {0}},
                               .no_before = true,
                               .set = "was",
                               .label = "was"});
    make("run", &(struct made){.no_before = true, .set = "is", .label = "is"});
    assert_string_equal(judge("old", false), "pass");
    assert_string_equal(status_of(0), "added");
    assert_string_equal(row_of(0)->text, "the earlier kernel was refused: inexact: C[0][1] is 4");
    assert_string_equal(status_of(1), "added");
    assert_string_equal(row_of(1)->text, "");
    assert_string_equal(status_of(2), "same");
}

/* An earlier run that shows nothing of the spread between processes is refused, best before a new
 * one is measured; and so is a store that is damaged. */
TEST_WITH(test_stored_refused, set_up, tear_down) {
    struct fingerprint here;
    make("old", &(struct made){.no_before = true, .visits = 1});
    make("run", &(struct made){.no_before = true});
    struct gate_call call = a_call("old");
    assert_int_equal(read_fingerprint(call.run, &here), 0);
    stderr_catch();
    assert_int_equal(gate_foresee(&call, &here), -1);
    stderr_says("has one visit");
    stderr_catch();
    assert_string_equal(judge("old", false), "error");
    stderr_says("has one visit");
    assert_reason("so that nothing can be decided against it; measure it with --visits 4");
    promote("run");
    scratch_put("store/foreign/x", "x");
    stderr_catch();
    assert_string_equal(judge("store", false), "error");
    stderr_says("does not belong into a store");
    assert_reason("cannot be read: the log names the file and the cause");
}

TEST_WITH(test_not_comparable, set_up, tear_down) {
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
        assert_int_equal(read_fingerprint(call.run, &here), 0);
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

TEST_WITH(test_refused, set_up, tear_down) {
    assert_refused("cannot be read");
    make("run", &(struct made){.unfinished = true});
    assert_refused("is not complete");
    replace("run/manifest.json", "\"complete\": false", "\"complete\": true");
    assert_string_equal(judge(NULL, false), "pass");
    replace("run/ratios.csv", "faster", "slower");
    assert_refused("of its rows are not what its samples give");
}

TEST_WITH(test_edited_confirmation, set_up, tear_down) {
    const struct made confirm = confirming(0.05);
    make("run", &one_slow);
    make("run/confirm", &confirm);
    replace("run/confirm/ratios.csv", "slower", "faster");
    assert_refused("run/confirm: ");
    assert_reason("of its rows are not what its samples give");
}

TEST_WITH(test_unit_is_missing, set_up, tear_down) {
    make("run", &one_slow);
    scratch_put("run/units/64x64x64.mine/offline.device.f32", "cut");
    assert_refused("cannot be read");
    char path[512];
    snprintf(path, sizeof path, "rm -r %s", scratch_path("run/units/64x64x64.mine"));
    assert_int_equal(system(path), 0);
    assert_refused("1 units of its plan are missing");
}

TEST_WITH(test_no_candidates, set_up, tear_down) {
    make("run", &(struct made){.libraries_only = true});
    assert_refused("0 of its 3 units have a candidate");
}

/* A confirmation of another set, other kernels, another protocol or another machine. */
TEST_WITH(test_mixed_plans, set_up, tear_down) {
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
