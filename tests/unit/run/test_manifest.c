/* manifest.json as it is written, at the start and at the end, for a run and for one that is
 * resumed. */
#include "bench/run/manifest.h"

#include "bench/run/environment.h"
#include "reports/run/rundir.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static struct candidate kernels[1];
static struct candidate_set set = {.list = kernels, .count = 1, .folder = "/sets/mine"};
static struct plan plan;
static struct run_device device;
static struct run_manifest record;

static int begin(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    scratch_put("run/plan.json", "{\"seed\": 1}");
    plan = (struct plan){.device_kind = "host", .set = set};
    device = (struct run_device){
        .keeper = PROCESS_NONE,
        .label = "host",
        .about = {.kind = "host", .info = {.name = "EPYC", .rates.l2_size = 3}}};
    record = (struct run_manifest){.plan = &plan,
                                   .device = &device,
                                   .adds = true,
                                   .start = "2026-01-01T00:00:00Z",
                                   .sandbox = "seccomp"};
    return 0;
}

static json_t *written(bool ended) {
    static char run[512];
    snprintf(run, sizeof run, "%s", scratch_path("run"));
    record.run = run;
    assert_int_equal(run_manifest_write(&record, ended, NULL), 0);
    json_t *manifest = run_manifest_read(run);
    assert_non_null(manifest);
    return manifest;
}

static const char *text(const json_t *json, const char *name) {
    return json_string_value(json_object_get(json, name));
}

static size_t measured_by(const json_t *manifest) {
    return json_array_size(json_object_get(manifest, "measured_by"));
}

/* One, but for a build without git. */
static size_t commits(const json_t *manifest) {
    return text(json_object_get(manifest, "gemmgate"), "git_commit") != NULL;
}

TEST_WITH(a_run_is_told_from_its_start, begin, scratch_remove) {
    assert_null(run_manifest_read(scratch_path("run")));
    json_t *manifest = written(false);
    assert_string_equal(text(manifest, "start"), "2026-01-01T00:00:00Z");
    assert_true(json_is_null(json_object_get(manifest, "end")));
    assert_true(json_is_false(json_object_get(manifest, "complete")));
    assert_true(json_is_null(json_object_get(manifest, "shard")));
    assert_string_equal(text(manifest, "folder"), "/sets/mine");
    assert_string_equal(text(manifest, "sandbox"), "seccomp");
    const json_t *rates = json_object_get(json_object_get(manifest, "limits"), "rates");
    assert_true(json_real_value(json_object_get(rates, "l2_size")) == 3);
    assert_int_equal(json_array_size(json_object_get(manifest, "devices")), 1);
    assert_int_equal(measured_by(manifest), commits(manifest));
    assert_non_null(json_object_get(manifest, "cpu"));
    json_decref(manifest);
}

TEST_WITH(a_run_is_told_at_its_end, begin, scratch_remove) {
    record.shard = 2;
    record.shards = 3;
    *record.sandbox = 0;
    json_t *manifest = written(true);
    assert_string_equal(text(manifest, "shard"), "2/3");
    assert_true(json_is_null(json_object_get(manifest, "sandbox")));
    assert_int_equal(strlen(text(manifest, "end")), strlen("2026-01-01T00:00:00Z"));
    json_decref(manifest);
}

TEST_WITH(a_resumed_run_keeps_what_it_has_said, begin, scratch_remove) {
    json_t *before = written(true);
    record.before = before;
    record.start = "2027-07-07T00:00:00Z";
    json_t *manifest = written(false);
    assert_string_equal(text(manifest, "start"), "2026-01-01T00:00:00Z");
    assert_int_equal(measured_by(manifest), commits(manifest)); /* the same */
    json_decref(manifest);
    /* Another program has measured before: who adds nothing is not added. */
    json_object_set_new(before, "measured_by", json_pack("[s]", "0123"));
    record.adds = false;
    manifest = written(false);
    assert_int_equal(measured_by(manifest), 1);
    json_decref(manifest);
    record.adds = true;
    manifest = written(false);
    assert_int_equal(measured_by(manifest), 1 + commits(manifest));
    json_decref(manifest);
    json_decref(before);
}

TEST_WITH(another_machine_does_not_go_on, begin, scratch_remove) {
    json_t *before = written(true);
    json_t *settings = rundir_read_json(scratch_path("run"), "plan.json");
    assert_int_equal(run_manifest_refuse_other_machine("RUN", settings, before, &device.about), 0);
    json_object_set_new(before, "variables", json_string("CUDA_LAUNCH_BLOCKING=1"));
    assert_says(run_manifest_refuse_other_machine("RUN", settings, before, &device.about), -1,
                "RUN was begun on another machine, or with other settings of it: ");
    json_decref(settings);
    json_decref(before);
}
