/* What a machine can measure on and beside, as a runner tells it; the runner is faked. */
#include "bench/process/machine.h"

#include <string.h>

#include "tests/support/fake_runner.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static int begin(void **state) {
    (void)state;
    fake_reset();
    fake.devices[0] = (struct wire_device){.kind = "cuda", .ordinal = -1, .why = "no driver"};
    fake.devices[1] = (struct wire_device){.kind = "host", .info = {.name = "EPYC", .units = 8}};
    return 0;
}

TEST_WITH(devices_are_listed_in_their_order, begin, NULL) {
    struct wire_device list[4];
    assert_int_equal(machine_devices(list, 4, NULL), 2);
    assert_string_equal(list[0].kind, "cuda");
    assert_int_equal(list[0].ordinal, -1);
    assert_string_equal(list[0].why, "no driver");
    assert_string_equal(list[1].kind, "host");
    assert_string_equal(list[1].info.name, "EPYC");
    assert_int_equal(list[1].info.units, 8);
    assert_string_equal(list[1].why, "");
    assert_int_equal(machine_devices(list, 1, NULL), 1);
    assert_int_equal(fake.ended, fake.started);
}

TEST_WITH(texts_of_a_device_end, begin, NULL) {
    struct wire_device list[2];
    memset(fake.devices[1].why, 'x', sizeof list->why);
    memset(fake.devices[1].info.name, 'x', sizeof list->info.name);
    assert_int_equal(machine_devices(list, 2, NULL), 2);
    assert_int_equal(strlen(list[1].why), sizeof list->why - 1);
    assert_int_equal(strlen(list[1].info.name), sizeof list->info.name - 1);
}

TEST_WITH(the_runner_can_be_kept, begin, NULL) {
    struct wire_device list[4];
    struct runner_process keeper = PROCESS_NONE;
    assert_int_equal(machine_devices(list, 4, &keeper), 2);
    assert_int_equal(fake.ended, 0);
    assert_true(keeper.pid > 0);
    process_end(&keeper);
    memset(fake.devices, 0, sizeof fake.devices); /* kept though it knows of nothing */
    assert_int_equal(machine_devices(list, 4, &keeper), 0);
    assert_true(keeper.pid > 0);
    process_end(&keeper);
    keeper = PROCESS_NONE;
    fake_fail(WIRE_DESCRIBE, "", PROCESS_EXITED)->code = 3;
    assert_says(machine_devices(list, 4, &keeper), -1, "the runner died (3)");
    assert_int_equal(keeper.pid, 0);
    assert_int_equal(fake.ended, fake.started);
}

TEST_WITH(libraries_are_listed, begin, NULL) {
    struct wire_baseline list[4];
    assert_int_equal(machine_baselines(list, 4), 2);
    assert_string_equal(list[0].name, "lib-0");
    assert_true(list[1].autotuned && !list[0].autotuned);
    assert_int_equal(list[1].accumulate, GEMM_F32);
    fake_fail(WIRE_DESCRIBE, "", PROCESS_ANSWERED)->status = -1;
    assert_says(machine_baselines(list, 4), -1, "cannot describe this machine");
    assert_int_equal(fake.ended, fake.started);
}

TEST_WITH(without_a_runner_nothing_is_known, begin, NULL) {
    struct wire_device devices[4];
    struct wire_baseline libraries[4];
    fake.no_start = true;
    assert_int_equal(machine_devices(devices, 4, NULL), -1);
    assert_int_equal(machine_baselines(libraries, 4), -1);
    assert_int_equal(fake.asked, 0);
}
