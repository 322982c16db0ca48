/* Which devices a run is measured on, and what they do at best: with runners that are faked. */
#include "bench/run/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/process/machine.h"
#include "bench/process/warm_runners.h"
#include "bench/run/sessions.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_runner.h"
#include "tests/support/says.h"

static struct plan plan;
static struct devices devices;

static void add_device(int at, const char *kind, int ordinal, const char *name) {
    struct wire_device_reply *device = &fake.devices[at];
    *device =
        (struct wire_device_reply){.ordinal = ordinal, .info.memory_bytes = (int64_t)80 << 30};
    snprintf(device->kind, sizeof device->kind, "%s", kind);
    snprintf(device->info.name, sizeof device->info.name, "%s", name);
    snprintf(device->info.uuid, sizeof device->info.uuid, "GPU-%d", ordinal);
    snprintf(device->info.pci, sizeof device->info.pci, "0000:0%d:00.0", ordinal);
}

static int three_gpus(void **state) {
    (void)state;
    static struct shape shapes[] = {{64, 64, 64}, {2048, 2048, 2048}};
    fake_reset();
    for (int i = 0; i < 3; i++)
        add_device(i, "cuda", i, "H1");
    add_device(3, "host", 0, "EPYC");
    plan = (struct plan){.device_kind = "cuda",
                         .accumulate = GEMM_F32,
                         .lenses = 1 << LENS_CALL | 1 << LENS_STREAM,
                         .rounds = 3,
                         .suite = {.shapes = shapes, .count = 2}};
    devices = (struct devices){.keeper = PROCESS_NONE};
    return 0;
}

static int end(void **state) {
    (void)state;
    devices_free(&devices);
    return 0;
}

static void ask_for(int count, int first, int second) {
    plan.device_count = count;
    plan.ordinals[0] = first;
    plan.ordinals[1] = second;
}

static void those_that_are_asked_for_are_found(void **state) {
    (void)state;
    ask_for(2, 2, 0);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_int_equal(devices.count, 2);
    assert_int_equal(devices.visible, 3);
    assert_string_equal(devices.labels[0], "cuda:0");
    assert_string_equal(devices.labels[1], "cuda:2");
    assert_int_equal(devices.list[1].ordinal, 2);
    assert_string_equal(devices.list[1].info.uuid, "GPU-2");
    assert_true(devices.keeper.pid > 0); /* keeps the driver */
    struct gpu_alone alone;
    assert_int_equal(devices_alone(&devices, 1, &alone), 0);
    assert_string_equal(alone.uuid, "GPU-2");
    assert_string_equal(alone.pci, "0000:02:00.0");
    devices.visible = 1;
    assert_int_equal(devices_alone(&devices, 1, &alone), 2);
    assert_string_equal(alone.uuid, "");
    devices.visible = 3;
    *devices.list[1].info.uuid = 0;
    assert_int_equal(devices_alone(&devices, 1, &alone), 2);
}

static void all_are_found(void **state) {
    (void)state;
    plan.all_devices = true;
    assert_int_equal(devices_find(&plan, 2, 8, &devices), EXIT_PASS);
    assert_int_equal(devices.count, 3);
    char host[64], label[RUNDIR_NAME];
    gethostname(host, sizeof host);
    snprintf(label, sizeof label, "2/8 %.40s cuda:1", host);
    assert_string_equal(devices.labels[1], label);
    devices_free(&devices);
    assert_int_equal(fake.ended, fake.started);
    add_device(1, "cuda", 1, "H2");
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_TROUBLE,
                "cuda:0 is H1 and cuda:1 is H2: a run is measured on devices of one kind");
}

static void what_is_not_there_is_said(void **state) {
    (void)state;
    ask_for(2, 1, 5);
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_NO_DEVICE, "no device cuda:1,5");
    devices_free(&devices);
    memset(fake.devices, 0, sizeof fake.devices);
    add_device(0, "cuda", -1, "");
    add_device(1, "host", 0, "EPYC");
    fake.no_device = "no driver";
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_NO_DEVICE, "no cuda device: no driver");
    devices_free(&devices);
    memset(fake.devices, 0, sizeof fake.devices);
    plan.all_devices = true;
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_NO_DEVICE, "no device cuda:all");
    devices_free(&devices);
    fake_fail(WIRE_DEVICE, "", PROCESS_CRASHED)->code = 9;
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_TROUBLE, "the runner died (9)");
    fake_fail(WIRE_DEVICE, "", PROCESS_ANSWERED)->status = -1;
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_TROUBLE, "cannot describe this machine");
}

static void the_host_has_parts(void **state) {
    (void)state;
    strcpy(plan.device_kind, "host");
    ask_for(1, 0, 0);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_int_equal(devices.count, 1);
    assert_string_equal(devices.labels[0], "host");
    assert_int_equal(devices.keeper.pid, 0);
    struct gpu_alone alone;
    assert_int_equal(devices_alone(&devices, 0, &alone), 0);
    assert_string_equal(alone.uuid, "");
    devices_free(&devices);
    fake.cores = 2;
    plan.device_count = 3;
    assert_says(devices_find(&plan, 0, 0, &devices), EXIT_TROUBLE,
                "3 parts of the host: it has 2 cores");
    devices_free(&devices);
    ask_for(2, 0, 1);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_string_equal(devices.labels[1], "host:1");
}

static void baselines_are_listed(void **state) {
    (void)state;
    struct machine_baseline list[4];
    assert_int_equal(machine_baselines(NULL, 0, "", list, 4), 2);
    assert_string_equal(list[1].name, "lib-1");
    assert_int_equal(list[1].device, GEMM_CUDA);
    assert_int_equal(list[1].accumulate, GEMM_F32);
    assert_true(list[1].autotuned && !list[0].autotuned);
    assert_int_equal(machine_baselines(NULL, 0, "", list, 1), 1);
    assert_int_equal(fake.ended, fake.started);
}

static void shapes_must_fit(void **state) {
    (void)state;
    plan.all_devices = true;
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_int_equal(devices_have_room(&plan, &devices), 0);
    const double need = plan_device_bytes(&plan, plan.suite.shapes[1]);
    devices.list[0].info.memory_bytes = (int64_t)need + 1;
    assert_int_equal(devices_have_room(&plan, &devices), 0);
    devices.list[0].info.memory_bytes = (int64_t)need - 1;
    assert_says(devices_have_room(&plan, &devices), -1, "2048x2048x2048 needs ");
    devices.list[0].info.memory_bytes = INT64_MAX;
    plan.suite.shapes = (struct shape[]){{1 << 20, 1 << 20, 1}, {1, 1, 1}};
    assert_says(devices_have_room(&plan, &devices), -1, "GiB of host memory; this machine has ");
}

static double number(const json_t *json, const char *first, const char *second, const char *third) {
    return json_real_value(
        json_object_get(json_object_get(json_object_get(json, first), second), third));
}

static void limits_are_measured(void **state) {
    (void)state;
    struct fake_kernel *idle = fake_add("idle", 0);
    idle->seconds[LENS_CALL] = 2e-6;
    idle->seconds[LENS_STREAM] = 5e-7;
    fake.rates = (struct light_rates){1e15, 5e12, 3e12, 5e7};
    ask_for(1, 1, 0);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_int_equal(devices_measure(&plan, NULL, &devices), 0);
    assert_int_equal(fake_last(WIRE_OPEN, "")->open.ordinal, 1);
    assert_string_equal(fake_last(WIRE_OPEN, "")->open.device_kind, "cuda");
    const struct wire_time *time = &fake_last(WIRE_TIME, "")->time;
    assert_int_equal(time->most_blocks, 200);
    assert_int_equal(time->arm_count, 2);
    assert_int_equal(time->arms[1], 1);
    assert_int_equal(time->reference, -1);
    assert_int_equal(time->suspect_count, 0);
    assert_int_equal(fake.log[fake.asked - 3].add.delayed, 1);
    assert_int_equal(fake.log[fake.asked - 4].add.delayed, 0);
    assert_double_near(devices.rates[0].l2_bytes, 5e12, 0);
    const json_t *limits = devices.limits[0], *lenses = json_object_get(limits, "lenses");
    assert_double_near(
        json_real_value(json_object_get(json_object_get(limits, "rates"), "f16_flops")), 1e15, 0);
    assert_int_equal(json_object_size(lenses), 2);
    assert_double_near(number(limits, "lenses", "call", "empty_seconds"), 2e-6, 1e-12);
    assert_double_near(number(limits, "lenses", "stream", "empty_seconds"), 5e-7, 1e-12);
    assert_double_near(number(limits, "lenses", "stream", "null_kernel_seconds"), 5e-7, 1e-12);
    assert_int_equal(fake.ended, fake.started - 1); /* but for the keeper */
    /* A run that is resumed keeps what it has measured first. */
    json_t *list = devices_json(&devices, NULL);
    json_t *manifest = json_pack("{s:o}", "devices", list);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "uuid")),
                        "GPU-1");
    json_decref(devices.limits[0]);
    devices.limits[0] = NULL;
    fake.asked = 0;
    fake.rates.l2_bytes = 1;
    assert_int_equal(devices_measure(&plan, manifest, &devices), 0);
    assert_int_equal(fake.asked, 0);
    assert_double_near(devices.rates[0].l2_bytes, 5e12, 0);
    /* What another has measured stays in the list. */
    strcpy(devices.labels[0], "cuda:7");
    json_t *both = devices_json(&devices, manifest);
    assert_int_equal(json_array_size(both), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(both, 1), "label")),
                        "cuda:1");
    json_decref(both);
    json_decref(manifest);
}

/* What controls.h holds `stream` against `device` by. */
static void a_delay_is_read_by_both_lenses_that_are_held(void **state) {
    (void)state;
    struct fake_kernel *idle = fake_add("idle", 0);
    idle->seconds[LENS_DEVICE] = 1e-6;
    idle->seconds[LENS_STREAM] = 2e-6;
    plan.lenses = 1 << LENS_CALL | 1 << LENS_DEVICE | 1 << LENS_STREAM;
    ask_for(1, 1, 0);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    assert_int_equal(devices_measure(&plan, NULL, &devices), 0);
    assert_int_equal(fake_count(WIRE_TIME, ""), 2);
    const struct wire_time *time = &fake_last(WIRE_TIME, "")->time;
    assert_int_equal(time->lenses, 1 << LENS_DEVICE | 1 << LENS_STREAM);
    assert_int_equal(time->interval.stream_calls, 10);
    const json_t *limits = devices.limits[0];
    assert_double_near(number(limits, "lenses", "device", "delayed_seconds"), 21.48e-6, 1e-11);
    assert_double_near(number(limits, "lenses", "stream", "delayed_seconds"), 22.48e-6, 1e-11);
    assert_double_near(number(limits, "lenses", "device", "null_kernel_seconds"), 1e-6, 1e-11);
    assert_double_near(number(limits, "lenses", "call", "delayed_seconds"), 0, 0); /* none */
}

static void limits_that_cannot_be_measured_are_an_error(void **state) {
    (void)state;
    fake_add("idle", 1e-6);
    ask_for(1, 0, 0);
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    struct fake_fault *fault = fake_fail(WIRE_TIME, "", PROCESS_EXITED);
    fault->code = 4;
    assert_says(devices_measure(&plan, NULL, &devices), -1, "the runner died (4) while measuring");
    fault = fake_fail(WIRE_PEAK, "", PROCESS_ANSWERED);
    fault->status = -1;
    fault->text = "no clock";
    assert_says(devices_measure(&plan, NULL, &devices), -1, "cannot be measured: no clock");
    fake_fail(WIRE_ADD, "idle", PROCESS_ANSWERED)->outcome = 5;
    assert_says(devices_measure(&plan, NULL, &devices), -1, "cannot be measured");
    assert_null(devices.limits[0]);
}

static void each_worker_has_its_device(void **state) {
    (void)state;
    struct sessions sessions;
    plan.all_devices = true;
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    devices.rates[1].l2_size = 77;
    sessions_start(&sessions, &plan, &devices, false);
    assert_int_equal(sessions_open(&sessions, 1, &plan, NULL, &devices, NULL, NULL), 0);
    assert_null(sessions.list[0].plan);
    assert_null(sessions.list[2].plan);
    assert_string_equal(sessions.list[1].label, "cuda:1");
    assert_string_equal(sessions.list[1].alone.uuid, "GPU-1");
    assert_non_null(sessions.list[1].monitor);
    assert_double_near(sessions.list[1].rates.l2_size, 77, 0);
    assert_int_equal(sessions.list[1].warm.most, WARM_RUNNERS_MOST); /* of 80 GiB */
    assert_string_equal(sessions_sandbox(&sessions), "");
    strcpy(sessions.list[1].sandbox, "seccomp");
    assert_string_equal(sessions_sandbox(&sessions), "seccomp");
    sessions_end(&sessions);
    devices.list[1].info.memory_bytes =
        (int64_t)plan_device_bytes(&plan, plan.suite.shapes[1]) + ((int64_t)5 << 29);
    assert_int_equal(sessions_open(&sessions, 1, &plan, NULL, &devices, NULL, NULL), 0);
    assert_int_equal(sessions.list[1].warm.most, 2);
    sessions_end(&sessions);
    devices.list[1].info.memory_bytes = 1;
    assert_int_equal(sessions_open(&sessions, 1, &plan, NULL, &devices, NULL, NULL), 0);
    assert_int_equal(sessions.list[1].warm.most, 0);
    sessions_end(&sessions);
}

static void rounds_move_where_there_are_several_of_both(void **state) {
    (void)state;
    struct sessions sessions;
    plan.all_devices = true;
    assert_int_equal(devices_find(&plan, 0, 0, &devices), EXIT_PASS);
    plan.rounds = 3;
    sessions_start(&sessions, &plan, &devices, false);
    assert_true(sessions.moves);
    plan.rounds = 1;
    sessions_start(&sessions, &plan, &devices, false);
    assert_false(sessions.moves);
    plan.rounds = 100; /* more than a label can name */
    sessions_start(&sessions, &plan, &devices, false);
    assert_false(sessions.moves);
    plan.rounds = 3;
    devices.count = 1;
    sessions_start(&sessions, &plan, &devices, false);
    assert_false(sessions.moves);
    devices.count = 3;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, three_gpus, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(those_that_are_asked_for_are_found),
        TEST(all_are_found),
        TEST(what_is_not_there_is_said),
        TEST(the_host_has_parts),
        TEST(baselines_are_listed),
        TEST(shapes_must_fit),
        TEST(limits_are_measured),
        TEST(a_delay_is_read_by_both_lenses_that_are_held),
        TEST(limits_that_cannot_be_measured_are_an_error),
        TEST(each_worker_has_its_device),
        TEST(rounds_move_where_there_are_several_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
