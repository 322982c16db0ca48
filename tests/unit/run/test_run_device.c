/* Which device a run is measured on, and what it does at best: with runners that are faked. */
#include "bench/run/run_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/process/machine.h"
#include "bench/process/warm_runners.h"
#include "tests/support/doubles.h"
#include "tests/support/fake_runner.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static struct plan plan;
static struct run_device device;

static void add_device(int at, const char *kind, int ordinal, const char *name) {
    struct wire_device *told = &fake.devices[at];
    *told = (struct wire_device){.ordinal = ordinal, .info.memory_bytes = (int64_t)80 << 30};
    snprintf(told->kind, sizeof told->kind, "%s", kind);
    snprintf(told->info.name, sizeof told->info.name, "%s", name);
    snprintf(told->info.uuid, sizeof told->info.uuid, "GPU-%d", ordinal);
    snprintf(told->info.pci, sizeof told->info.pci, "0000:0%d:00.0", ordinal);
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
                         .visits = 3,
                         .suite = {.shapes = shapes, .count = 2}};
    device = (struct run_device){.keeper = PROCESS_NONE};
    return 0;
}

static int end(void **state) {
    (void)state;
    run_device_free(&device);
    return 0;
}

static int find_gpu(int ordinal, int shard, int shards) {
    plan.ordinal = ordinal;
    return run_device_find(&plan, shard, shards, &device);
}

static int open_session(struct device_session *session) {
    return run_device_session(&device, &plan, session);
}

TEST_WITH(the_one_that_is_asked_for_is_found, three_gpus, end) {
    struct device_session session;
    assert_int_equal(find_gpu(2, 0, 0), EXIT_PASS);
    assert_int_equal(device.visible, 3);
    assert_string_equal(device.label, "cuda:2");
    assert_int_equal(device.about.ordinal, 2);
    assert_string_equal(device.about.info.uuid, "GPU-2");
    assert_true(device.keeper.pid > 0); /* keeps the driver */
    assert_int_equal(open_session(&session), 0);
    assert_int_equal(session.ordinal, 0);
    assert_string_equal(session.alone.uuid, "GPU-2");
    assert_string_equal(session.alone.pci, "0000:02:00.0");
    run_device_session_end(&session);
    device.visible = 1;
    assert_int_equal(open_session(&session), 0);
    assert_int_equal(session.ordinal, 2);
    assert_string_equal(session.alone.uuid, "");
    run_device_session_end(&session);
    device.visible = 3;
    *device.about.info.uuid = 0;
    assert_int_equal(open_session(&session), 0);
    assert_int_equal(session.ordinal, 2);
    run_device_session_end(&session);
}

TEST_WITH(a_shard_has_a_label_of_its_own, three_gpus, end) {
    char host[64], label[RUNDIR_NAME];
    assert_int_equal(find_gpu(1, 2, 8), EXIT_PASS);
    gethostname(host, sizeof host);
    snprintf(label, sizeof label, "2/8 %.40s cuda:1", host);
    assert_string_equal(device.label, label);
    run_device_free(&device);
    assert_int_equal(fake.ended, fake.started);
}

TEST_WITH(what_is_not_there_is_said, three_gpus, end) {
    assert_says(find_gpu(5, 0, 0), EXIT_NO_DEVICE, "no device cuda:5");
    run_device_free(&device);
    memset(fake.devices, 0, sizeof fake.devices);
    add_device(0, "cuda", -1, "");
    add_device(1, "host", 0, "EPYC");
    strcpy(fake.devices[0].why, "no driver");
    assert_says(find_gpu(0, 0, 0), EXIT_NO_DEVICE, "no cuda device: no driver");
    run_device_free(&device);
    fake_fail(WIRE_DESCRIBE, "", PROCESS_CRASHED)->code = 9;
    assert_says(find_gpu(0, 0, 0), EXIT_TROUBLE, "the runner died (9)");
    fake_fail(WIRE_DESCRIBE, "", PROCESS_ANSWERED)->status = -1;
    assert_says(find_gpu(0, 0, 0), EXIT_TROUBLE, "cannot describe this machine");
}

TEST_WITH(the_host_is_one_device, three_gpus, end) {
    struct device_session session;
    strcpy(plan.device_kind, "host");
    assert_int_equal(find_gpu(0, 0, 0), EXIT_PASS);
    assert_string_equal(device.label, "host");
    assert_int_equal(device.keeper.pid, 0);
    assert_int_equal(open_session(&session), 0);
    assert_int_equal(session.ordinal, 0);
    assert_string_equal(session.alone.uuid, "");
    run_device_session_end(&session);
}

TEST_WITH(baselines_are_listed, three_gpus, end) {
    struct wire_baseline list[4];
    assert_int_equal(machine_baselines(list, 4), 2);
    assert_string_equal(list[1].name, "lib-1");
    assert_int_equal(list[1].device, GEMM_CUDA);
    assert_int_equal(list[1].accumulate, GEMM_F32);
    assert_true(list[1].autotuned && !list[0].autotuned);
    assert_int_equal(machine_baselines(list, 1), 1);
    assert_int_equal(fake.ended, fake.started);
}

TEST_WITH(shapes_must_fit, three_gpus, end) {
    assert_int_equal(find_gpu(0, 0, 0), EXIT_PASS);
    assert_int_equal(run_device_has_room(&plan, &device), 0);
    const double need = plan_device_bytes(&plan, plan.suite.shapes[1]);
    device.about.info.memory_bytes = (int64_t)need + 1;
    assert_int_equal(run_device_has_room(&plan, &device), 0);
    device.about.info.memory_bytes = (int64_t)need - 1;
    assert_says(run_device_has_room(&plan, &device), -1, "2048x2048x2048 needs ");
    device.about.info.memory_bytes = INT64_MAX;
    plan.suite.shapes = (struct shape[]){{1 << 20, 1 << 20, 1}, {1, 1, 1}};
    assert_says(run_device_has_room(&plan, &device), -1, "GiB of host memory; this machine has ");
}

static double rate(const json_t *limits, const char *name) {
    return json_real_value(json_object_get(json_object_get(limits, "rates"), name));
}

TEST_WITH(rates_are_those_that_the_device_tells, three_gpus, end) {
    assert_int_equal(find_gpu(1, 0, 0), EXIT_PASS);
    device.about.info.rates = (struct light_rates){1e15, 5e12, 3e12, 5e7};
    json_t *list = run_device_list(&device, NULL);
    json_t *manifest = json_pack("{s:o}", "devices", list);
    const json_t *entry = json_array_get(list, 0), *limits = json_object_get(entry, "limits");
    assert_string_equal(json_string_value(json_object_get(entry, "uuid")), "GPU-1");
    assert_double_near(rate(limits, "f16_flops"), 1e15, 0);
    assert_double_near(rate(limits, "l2_size"), 5e7, 0);
    /* The entry of another device stays in the list. */
    strcpy(device.label, "cuda:7");
    json_t *both = run_device_list(&device, manifest);
    assert_int_equal(json_array_size(both), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(both, 1), "label")),
                        "cuda:1");
    json_decref(both);
    json_decref(manifest);
}

TEST_WITH(warm_runners_have_what_shapes_leave, three_gpus, end) {
    struct device_session session;
    assert_int_equal(find_gpu(1, 0, 0), EXIT_PASS);
    device.about.info.rates.l2_size = 77;
    const int64_t largest = (int64_t)plan_device_bytes(&plan, plan.suite.shapes[1]);
    const struct {
        int64_t bytes;
        size_t most;
    } cards[] = {{device.about.info.memory_bytes, WARM_RUNNERS_MOST},
                 {largest + ((int64_t)5 << 29), 2},
                 {1, 0}};
    for (size_t i = 0; i < 3; i++) {
        device.about.info.memory_bytes = cards[i].bytes;
        assert_int_equal(open_session(&session), 0);
        assert_int_equal(session.warm.most, cards[i].most);
        assert_double_near(session.rates.l2_size, 77, 0);
        assert_string_equal(session.label, "cuda:1");
        run_device_session_end(&session);
    }
}
