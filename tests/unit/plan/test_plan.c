
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plan/plan.h"
#include "bench/runner/operands.h"
#include "tests/support/doubles.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

/* A kernel for one shape, or, with m 0, for every one. */
static struct candidate kernel(const char *label, int64_t m, int64_t n, int64_t k) {
    struct candidate candidate = {.has_shape = m > 0, .shape = {m, n, k}};
    snprintf(candidate.label, sizeof candidate.label, "%s", label);
    if (m)
        snprintf(candidate.file, sizeof candidate.file, "%dx%dx%d.cu", (int)m, (int)n, (int)k);
    else
        snprintf(candidate.file, sizeof candidate.file, "%s.cu", label);
    snprintf(candidate.source_hash, sizeof candidate.source_hash, "hash of %.20s", candidate.file);
    return candidate;
}

#define MOST 8

/* A plan over shapes 64, 128 and 256 (cubes) with the kernels that a test adds. */
struct fixture {
    struct plan plan;
    struct shape shapes[3];
    struct candidate now[MOST], before[MOST];
};

static void start(struct fixture *fixture) {
    memset(fixture, 0, sizeof *fixture);
    for (int i = 0; i < 3; i++)
        fixture->shapes[i] = (struct shape){64 << i, 64 << i, 64 << i};
    struct plan *plan = &fixture->plan;
    strcpy(plan->device_kind, "cuda");
    strcpy(plan->suite.name, "three");
    plan->suite.shapes = fixture->shapes;
    plan->suite.count = 3;
    strcpy(plan->set.name, "set");
    strcpy(plan->set.folder, "the/set");
    plan->set.list = fixture->now;
    strcpy(plan->previous.name, "old");
    plan->previous.list = fixture->before;
    plan->accumulate = GEMM_F32;
}

static void add(struct candidate_set *set, const char *label, int64_t m, int64_t n, int64_t k) {
    assert_true(set->count < MOST);
    set->list[set->count++] = kernel(label, m, n, k);
}

/* Joined by blanks. */
static const char *ids(const struct plan *plan) {
    static char text[1024];
    struct unit *units;
    const long count = plan_units(plan, &units);
    text[0] = 0;
    assert_true(count > 0);
    for (long i = 0; i < count; i++) {
        char id[UNIT_ID];
        strcat(strcat(text, i ? " " : ""), unit_id(&units[i], id));
        assert_string_equal(unit_label(&units[i]),
                            units[i].candidate ? units[i].candidate->label : "");
    }
    free(units);
    return text;
}

TEST(every_shape_meets_the_kernels_that_serve_it) {
    struct fixture fixture;
    start(&fixture);
    assert_string_equal(ids(&fixture.plan), "64x64x64 128x128x128 256x256x256");
    add(&fixture.plan.set, "set", 128, 128, 128);
    add(&fixture.plan.set, "any", 0, 0, 0);
    assert_string_equal(ids(&fixture.plan),
                        "64x64x64.any 128x128x128.set 128x128x128.any 256x256x256.any");
}

TEST(only_units_that_are_wanted_are_there_in_their_order) {
    struct fixture fixture;
    char *only[] = {"256x256x256.any", "64x64x64.any", "64x64x64"};
    start(&fixture);
    add(&fixture.plan.set, "any", 0, 0, 0);
    fixture.plan.only = only;
    fixture.plan.only_count = 3;
    assert_string_equal(ids(&fixture.plan), "256x256x256.any 64x64x64.any");
}

TEST(a_plan_without_work_is_refused) {
    struct fixture fixture;
    struct unit *units;
    start(&fixture);
    add(&fixture.plan.set, "set", 32, 32, 32);
    stderr_catch();
    const long count = plan_units(&fixture.plan, &units);
    stderr_says("the/set has no kernel for any of the 3 shapes asked for");
    assert_int_equal(count, -1);
    assert_null(units);
}

/* plan.json names neither kernels nor units that nobody measures. */
TEST(kernels_of_other_shapes_are_dropped) {
    struct fixture fixture;
    start(&fixture);
    add(&fixture.plan.set, "set", 32, 32, 32);
    add(&fixture.plan.set, "set", 64, 64, 64);
    add(&fixture.plan.set, "set", 128, 128, 129);
    add(&fixture.plan.set, "any", 0, 0, 0);
    add(&fixture.plan.previous, "old", 256, 256, 256);
    add(&fixture.plan.previous, "old", 512, 512, 512);
    assert_int_equal(plan_narrow(&fixture.plan), 0);
    assert_int_equal(fixture.plan.set.count, 2);
    assert_int_equal(fixture.plan.set.list[0].shape.m, 64);
    assert_string_equal(fixture.plan.set.list[1].label, "any");
    assert_int_equal(fixture.plan.previous.count, 1);
    assert_int_equal(fixture.plan.previous.list[0].shape.m, 256);
}

TEST(a_set_for_other_shapes_is_refused) {
    struct fixture fixture;
    start(&fixture);
    add(&fixture.plan.set, "set", 32, 32, 32);
    add(&fixture.plan.previous, "old", 64, 64, 64);
    stderr_catch();
    const int status = plan_narrow(&fixture.plan);
    stderr_says("the/set has no kernel for any of the 3 shapes asked for");
    assert_int_equal(status, -1);
}

/* By its shape where it has one, else by its name. */
TEST(a_kernel_finds_itself_in_the_earlier_release) {
    struct fixture fixture;
    struct unit *units;
    start(&fixture);
    add(&fixture.plan.set, "set", 64, 64, 64);
    add(&fixture.plan.set, "set", 256, 256, 256);
    add(&fixture.plan.set, "mine", 0, 0, 0);
    add(&fixture.plan.previous, "other", 0, 0, 0);
    add(&fixture.plan.previous, "mine", 0, 0, 0);
    add(&fixture.plan.previous, "old", 64, 64, 64);
    const long count = plan_units(&fixture.plan, &units);
    assert_int_equal(count, 5);
    const struct candidate *before = fixture.plan.previous.list;
    for (long i = 0; i < count; i++) {
        const struct unit *unit = &units[i];
        const struct candidate *want = unit->candidate_index == 0   ? &before[2]
                                       : unit->candidate_index == 2 ? &before[1]
                                                                    : NULL;
        assert_ptr_equal(unit->previous, want);
        assert_int_equal(unit->previous_index, want ? want - before : 0);
        assert_ptr_equal(unit->candidate, &fixture.plan.set.list[unit->candidate_index]);
    }
    free(units);
}

TEST(a_set_of_a_kernels_name_finds_that_kernel) {
    struct fixture fixture;
    struct unit *units;
    start(&fixture);
    add(&fixture.plan.set, "wmma", 64, 64, 64);
    add(&fixture.plan.set, "wmma", 256, 256, 256);
    add(&fixture.plan.previous, "splitk", 0, 0, 0);
    add(&fixture.plan.previous, "wmma", 0, 0, 0);
    assert_int_equal(plan_units(&fixture.plan, &units), 2);
    assert_ptr_equal(units[0].previous, &fixture.plan.previous.list[1]);
    assert_ptr_equal(units[1].previous, &fixture.plan.previous.list[1]);
    free(units);
    /* The other way round one shape's kernel would stand for all. */
    start(&fixture);
    add(&fixture.plan.set, "wmma", 0, 0, 0);
    add(&fixture.plan.previous, "wmma", 64, 64, 64);
    assert_int_equal(plan_units(&fixture.plan, &units), 3);
    assert_null(units[0].previous);
    free(units);
}

/* The plan as plan.json has it. */
static json_t *written(const struct plan *plan) {
    json_t *json = plan_json(plan);
    assert_non_null(json);
    return json;
}

static void is_json(const json_t *json, const char *key, const char *want) {
    char *got = json_dumps(json_object_get(json, key), JSON_ENCODE_ANY | JSON_COMPACT);
    if (!got || strcmp(got, want) != 0)
        fail_msg("%s is %s, not %s", key, got ? got : "missing", want);
    free(got);
}

/* Every setting has a value of its own, so that none can stand for another. */
static struct plan full_plan(struct fixture *fixture) {
    start(fixture);
    struct plan *plan = &fixture->plan;
    plan->element = ELEMENT_BF16;
    plan->accumulate = GEMM_F16;
    strcpy(plan->baselines[0], "cublas-nn");
    strcpy(plan->baselines[1], "cublas-tn");
    plan->baseline_count = 2;
    plan->modes[MODE_SERVER] = true;
    plan->lenses = 1 << LENS_CALL | 1 << LENS_STREAM;
    plan->precise = 1 << LENS_STREAM | 1 << LENS_DEVICE;
    plan->protocol = PROTOCOL_PAPER;
    plan->warmup_seconds = 1.5;
    plan->duration_seconds = 2.5;
    plan->precision = 0.25;
    plan->visits = 3;
    plan->cache = CACHE_COLD;
    plan->inputs = INPUTS_UNIFORM;
    plan->qps = 4.5;
    plan->launch_us = 25.5;
    plan->seed = UINT64_MAX;
    plan->workspace_bytes = (uint64_t)5 << 32;
    plan->tune_lens = LENS_STREAM;
    plan->tune_warmup = 6;
    plan->tune_rounds = 7;
    plan->call_timeout_seconds = 8.5;
    plan->setup_timeout_seconds = 9.5;
    plan->alpha = 11.5;
    plan->beta = 12.5;
    plan->peak_tflops = 13.5;
    return *plan;
}

TEST(plan_json_holds_every_setting) {
    struct fixture fixture;
    const struct plan plan = full_plan(&fixture);
    static const char *const want[][2] = {
        {"format", "20"},
        {"device", "\"cuda\""},
        {"suite", "\"three\""},
        {"shapes", "[\"64x64x64\",\"128x128x128\",\"256x256x256\"]"},
        {"element", "\"bf16\""},
        {"accumulate", "\"f16\""},
        {"set", "\"set\""},
        {"candidates", "[]"},
        {"baselines", "[\"cublas-nn\",\"cublas-tn\"]"},
        {"modes", "[\"server\"]"},
        {"lenses", "[\"call\",\"stream\"]"},
        {"precise_lenses", "[\"stream\"]"},
        {"precise_ratios", "\"all\""},
        {"protocol", "\"paper\""},
        {"warmup_seconds", "1.5"},
        {"duration_seconds", "2.5"},
        {"precision", "0.25"},
        {"visits", "3"},
        {"cache", "\"cold\""},
        {"inputs", "\"uniform\""},
        {"qps", "4.5"},
        {"launch_us", "25.5"},
        {"seed", "\"18446744073709551615\""},
        {"workspace_bytes", "21474836480"},
        {"autotune", "\"paper\""},
        {"autotune_lens", "\"stream\""},
        {"autotune_warmup", "6"},
        {"autotune_rounds", "7"},
        {"call_timeout_seconds", "8.5"},
        {"setup_timeout_seconds", "9.5"},
        {"alpha", "11.5"},
        {"beta", "12.5"},
        {"memcheck", "false"},
        {"energy", "false"},
        {"peak_tflops", "13.5"},
        {"sandbox", "false"},
        {"previous", "null"},
        {"removed", "[]"},
        {"units", "[\"64x64x64\",\"128x128x128\",\"256x256x256\"]"},
    };
    json_t *json = written(&plan);
    assert_int_equal(json_object_size(json), sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        is_json(json, want[i][0], want[i][1]);
    json_decref(json);
}

TEST(plan_json_holds_every_switch) {
    struct fixture fixture;
    start(&fixture);
    struct plan *plan = &fixture.plan;
    bool *const switches[] = {&plan->memcheck, &plan->sandbox, &plan->energy};
    static const char *const names[] = {"memcheck", "sandbox", "energy"};
    for (int i = 0; i < 3; i++) {
        *switches[i] = true;
        json_t *json = written(plan);
        for (int j = 0; j < 3; j++)
            is_json(json, names[j], i == j ? "true" : "false");
        json_decref(json);
        *switches[i] = false;
    }
    plan->finalists = plan->precise_previous = true;
    plan->modes[MODE_OFFLINE] = true;
    plan->lenses = 1 << LENS_DEVICE;
    plan->precise = ~0;
    json_t *json = written(plan);
    is_json(json, "autotune", "\"finalists\"");
    is_json(json, "precise_ratios", "\"previous\"");
    is_json(json, "precise_lenses", "[\"device\"]");
    is_json(json, "lenses", "[\"device\"]");
    is_json(json, "modes", "[\"offline\"]");
    is_json(json, "accumulate", "\"f32\"");
    is_json(json, "protocol", "\"fast\"");
    json_decref(json);
}

TEST(plan_json_tells_kernels_and_what_is_gone) {
    struct fixture fixture;
    start(&fixture);
    add(&fixture.plan.set, "set", 64, 64, 64);
    add(&fixture.plan.set, "any", 0, 0, 0);
    add(&fixture.plan.previous, "old", 64, 64, 64);
    add(&fixture.plan.previous, "old", 128, 128, 128);
    add(&fixture.plan.previous, "gone", 0, 0, 0);
    fixture.plan.carried = 4;
    json_t *json = written(&fixture.plan);
    assert_int_equal(json_integer_value(json_object_get(json, "carried")), 4);
    is_json(json, "candidates",
            "[{\"label\":\"set\",\"file\":\"64x64x64.cu\",\"hash\":\"hash of 64x64x64.cu\"},"
            "{\"label\":\"any\",\"file\":\"any.cu\",\"hash\":\"hash of any.cu\"}]");
    is_json(json, "removed", "[\"128x128x128.old\",\"gone\"]");
    is_json(json, "units",
            "[\"64x64x64.set\",\"64x64x64.any\",\"128x128x128.any\",\"256x256x256.any\"]");
    const json_t *previous = json_object_get(json, "previous");
    assert_string_equal(json_string_value(json_object_get(previous, "set")), "old");
    assert_int_equal(json_array_size(json_object_get(previous, "candidates")), 3);
    json_decref(json);
}

/* On a stage six visits have a process of the kernel's own, and every third at most. */
TEST(few_visits_see_kernels_anew_on_a_stage) {
    struct plan plan = {.device_kind = "cuda",
                        .lenses = 1 << LENS_CALL | 1 << LENS_DEVICE,
                        .precise = 1 << LENS_DEVICE};
    const struct plan staged = plan;
    assert_true(plan_is_staged(&plan));
    static const int visits[] = {2, 12, 18, 19, 32, 56}, every[] = {3, 3, 3, 4, 6, 10};
    for (int i = 0; i < 6; i++) {
        plan.visits = visits[i];
        assert_int_equal(plan_anew_every(&plan), every[i]);
    }
    plan.all_visits = true;
    assert_int_equal(plan_anew_every(&plan), 1);
    plan = staged;
    plan.precise = 1 << LENS_CALL;
    assert_int_equal(plan_anew_every(&plan), 1);
    for (int i = 0; i < 2; i++) {
        plan = staged;
        plan.lenses = i == 0 ? 1 << LENS_CALL : plan.lenses;
        strcpy(plan.device_kind, i == 1 ? "host" : "cuda");
        assert_false(plan_is_staged(&plan));
        assert_int_equal(plan_anew_every(&plan), 1);
    }
}

TEST(large_shapes_are_on_the_stage_in_every_other_visit) {
    const struct candidate old = kernel("old", 0, 0, 0);
    struct plan plan = {.visits = 24};
    struct unit unit = {.shape = {4096, 4096, 4096}};
    assert_int_equal(plan_staged_every(&plan, &unit), 2);
    unit.shape.k = 4095;
    assert_int_equal(plan_staged_every(&plan, &unit), 1);
    unit.shape.k = 8192;
    unit.previous = &old;
    assert_int_equal(plan_staged_every(&plan, &unit), 1);
    unit.previous = NULL;
    plan.visits = 23;
    assert_int_equal(plan_staged_every(&plan, &unit), 1);
    plan = (struct plan){.visits = 56, .all_visits = true};
    assert_int_equal(plan_staged_every(&plan, &unit), 1);
}

TEST(lenses_follow_the_mode) {
    const int all = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
    const int gaps = 1 << LENS_CALL | 1 << LENS_DEVICE;
    struct plan plan = {.lenses = all};
    assert_int_equal(plan_mode_lenses(&plan, MODE_OFFLINE), all);
    assert_int_equal(plan_mode_lenses(&plan, MODE_SERVER), gaps);
    plan.cache = CACHE_COLD;
    assert_int_equal(plan_mode_lenses(&plan, MODE_OFFLINE), gaps);
}

/* All, where the mode has none of those that are to be. */
TEST(precise_lenses_follow_the_mode) {
    const int all = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
    struct plan plan = {.lenses = all, .precise = 1 << LENS_STREAM | 1 << LENS_WAIT};
    assert_int_equal(plan_precise_lenses(&plan, MODE_OFFLINE), 1 << LENS_STREAM);
    assert_int_equal(plan_precise_lenses(&plan, MODE_SERVER), 1 << LENS_CALL | 1 << LENS_DEVICE);
    plan.protocol = PROTOCOL_PAPER;
    assert_int_equal(plan_precise_lenses(&plan, MODE_OFFLINE), all);
    plan.protocol = PROTOCOL_FAST;
    plan.lenses = 1 << LENS_CALL; /* as on a host */
    assert_int_equal(plan_precise_lenses(&plan, MODE_OFFLINE), 1 << LENS_CALL);
}

/* Three copies of A and both B, one C an arm and a workspace each; four arms beside the libraries;
 * nine buffers more than arms, each with guards on both sides. Where calls are in a row, or recorded,
 * each of eight has operands and a C. */
TEST(memory_is_enough_for_a_shape) {
    struct fixture fixture;
    start(&fixture);
    struct plan *plan = &fixture.plan;
    const struct shape shape = {100, 30, 7};
    plan->baseline_count = 2;
    plan->workspace_bytes = 1000;
    plan->lenses = 1 << LENS_CALL;
    plan->modes[MODE_OFFLINE] = true;
    const double call = 100 * 7 + 2 * 7 * 30, c = 100 * 30, guards = 2.0 * GUARD_BYTES;
    const double device = 2 * (3 * call + 6 * c) + 6 * 1000 + (6 + 9) * guards;
    assert_double_near(plan_device_bytes(plan, shape), device, 0);
    plan->lenses |= 1 << LENS_DEVICE;
    assert_double_near(plan_device_bytes(plan, shape),
                       2 * (8 * 3 * call + 14 * c) + 6 * 1000 + (14 + 8 * 9) * guards, 0);
    /* Inputs in single precision, two products, and a product's way here. */
    const double host = 4 * (100 * 7 + 7 * 30 + 2 * 100.0 * 30) + 4 * 100 * 30;
    assert_double_near(plan_host_bytes(plan, shape), host, 0);
    strcpy(plan->device_kind, "host");
    assert_double_near(plan_host_bytes(plan, shape), host + device, 0);
}
