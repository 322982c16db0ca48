
#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/device/nvml.h"
#include "bench/jobs/gpu_monitor.h"
#include "tests/support/fake_nvml.h"
#define OWN_MAIN
#include "tests/support/test.h"

static const char *fake_path = FAKE_NVML;
static struct fake_gpu *gpu; /* of the library that the watch finds */
static int (*fake_opened)(void);

/* Loading the stand-in first makes it the libnvidia-ml.so.1 that nvml.c finds. */
static int load_fake(void **state) {
    (void)state;
    void *fake = dlopen(fake_path, RTLD_NOW | RTLD_LOCAL);
    if (!fake)
        return -1;
    gpu = dlsym(fake, "fake_gpu");
    fake_opened = (int (*)(void))dlsym(fake, "fake_nvml_opened");
    *gpu = (struct fake_gpu){.sm_mhz = 1980,
                             .memory_mhz = 3201,
                             .milliwatts = 512500,
                             .celsius = 55,
                             .reasons = 0,
                             .processes = 1};
    return 0;
}

static struct gpu_monitor_reading look(void) {
    struct nvml *watch = nvml_open("GPU-fake", "");
    struct gpu_monitor_reading reading;
    assert_non_null(watch);
    gpu_monitor_read(watch, &reading);
    nvml_close(watch);
    assert_int_equal(fake_opened(), 0);
    return reading;
}

static bool tells_nothing(const struct gpu_monitor_reading *reading) {
    return isnan(reading->sm_mhz) && isnan(reading->memory_mhz) && isnan(reading->power_w) &&
           isnan(reading->temperature_c) && reading->throttle == -1 && reading->processes == -1;
}

/* In a process of its own: a library once found stays. */
TEST(absent_library_never_tells) {
    pid_t child = fork();
    if (child == 0) {
        struct gpu_monitor_reading reading = {.throttle = 0x8, .processes = 9};
        struct nvml *watch = nvml_open("GPU-fake", "");
        if (watch)
            _exit(1);
        gpu_monitor_read(watch, &reading);
        nvml_close(watch);
        _exit(tells_nothing(&reading) && !gpu_monitor_disturbed(&reading, 0) ? 0 : 2);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    nvml_close(NULL);
}

TEST_WITH(absent_gpu_never_tells, load_fake, NULL) {
    struct nvml *watch = nvml_open("", "");
    struct gpu_monitor_reading reading;
    assert_null(watch);
    assert_int_equal(fake_opened(), 0);
    gpu_monitor_read(watch, &reading);
    assert_true(tells_nothing(&reading));
    assert_false(gpu_monitor_disturbed(&reading, 0));
    nvml_close(watch);
}

TEST_WITH(readings_are_now, load_fake, NULL) {
    struct nvml *watch = nvml_open("GPU-fake", "");
    struct gpu_monitor_reading reading;
    gpu_monitor_read(watch, &reading);
    assert_true(reading.sm_mhz == 1980);
    assert_true(reading.memory_mhz == 3201);
    assert_true(reading.power_w == 512.5);
    assert_true(reading.temperature_c == 55);
    assert_int_equal(reading.throttle, 0);
    assert_int_equal(reading.processes, 1);
    *gpu = (struct fake_gpu){.sm_mhz = 345, .reasons = NVML_IDLE};
    gpu_monitor_read(watch, &reading);
    assert_true(reading.sm_mhz == 345);
    assert_true(reading.memory_mhz == 0);
    assert_true(reading.power_w == 0);
    assert_int_equal(reading.throttle, NVML_IDLE);
    assert_int_equal(reading.processes, 0);
    nvml_close(watch);
}

TEST_WITH(more_processes_than_there_is_room_for_are_counted, load_fake, NULL) {
    gpu->processes = 64;
    assert_int_equal(look().processes, 64);
    gpu->processes = 1000;
    assert_int_equal(look().processes, 1000);
}

TEST_WITH(unknown_costs_no_other, load_fake, NULL) {
    gpu->sm_mhz = gpu->milliwatts = gpu->reasons = FAKE_REFUSED;
    struct gpu_monitor_reading reading = look();
    assert_true(isnan(reading.sm_mhz));
    assert_true(reading.memory_mhz == 3201);
    assert_true(isnan(reading.power_w));
    assert_true(reading.temperature_c == 55);
    assert_int_equal(reading.throttle, -1);
    assert_int_equal(reading.processes, 1);
    assert_false(gpu_monitor_disturbed(&reading, 1));
    assert_true(gpu_monitor_disturbed(&reading, 0));
    load_fake(NULL);
    gpu->memory_mhz = gpu->celsius = gpu->processes = FAKE_REFUSED;
    gpu->reasons = NVML_POWER_BRAKE;
    reading = look();
    assert_true(reading.sm_mhz == 1980);
    assert_true(isnan(reading.memory_mhz));
    assert_true(reading.power_w == 512.5);
    assert_true(isnan(reading.temperature_c));
    assert_int_equal(reading.throttle, NVML_POWER_BRAKE);
    assert_int_equal(reading.processes, -1);
    assert_true(gpu_monitor_disturbed(&reading, 0));
}

TEST_WITH(what_disturbs, load_fake, NULL) {
    static const struct {
        unsigned reasons, processes;
        bool disturbs;
    } cases[] = {
        {0, 1, false},
        {0, 0, false}, /* another container's processes may be hidden, and so may ours */
        {0, 2, true},
        {NVML_IDLE, 1, false},
        {NVML_APPLICATION_CLOCKS, 1, false},
        {NVML_POWER_CAP, 1, false},
        {NVML_HARDWARE_SLOWDOWN, 1, true},
        {NVML_SYNC_BOOST, 1, false},
        {NVML_SOFTWARE_THERMAL, 1, true},
        {NVML_HARDWARE_THERMAL, 1, true},
        {NVML_POWER_BRAKE, 1, true},
        {NVML_DISPLAY_CLOCKS, 1, false},
        {NVML_POWER_CAP | NVML_HARDWARE_SLOWDOWN, 1, true},
        {NVML_POWER_CAP, 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gpu->reasons = cases[i].reasons;
        gpu->processes = cases[i].processes;
        struct gpu_monitor_reading reading = look();
        if (gpu_monitor_disturbed(&reading, 1) != cases[i].disturbs)
            fail_msg("reasons %#x, processes %u", cases[i].reasons, cases[i].processes);
    }
}

TEST(summary_is_of_what_was_told) {
    static const struct gpu_monitor_reading readings[] = {
        {NAN, NAN, 300, 50, NVML_IDLE, -1},
        {1500, 2600, 500, 60, NVML_POWER_CAP, 3},
        {1400, 2602, NAN, NAN, -1, 1},
        {1900, NAN, 430, 58, NVML_IDLE, 1},
    };
    struct gpu_monitor_summary summary = {0};
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        gpu_monitor_add(&summary, &readings[i]);
    struct condition_row row = {0};
    gpu_monitor_fill(&summary, &row);
    assert_true(row.sm_mhz_min == 1400);
    assert_true(row.sm_mhz_mean == 1600);
    assert_true(row.sm_mhz_max == 1900);
    assert_true(row.memory_mhz_mean == 2601);
    assert_true(row.power_w_mean == 410);
    assert_true(row.power_w_max == 500);
    assert_true(row.temperature_c_max == 60);
    assert_string_equal(row.throttle, "idle, power cap");
    assert_true(row.processes == 3);
}

TEST(summary_of_nothing_is_missing) {
    const struct gpu_monitor_reading untold = {NAN, NAN, NAN, NAN, -1, -1};
    struct gpu_monitor_summary summary = {0};
    for (int i = 0; i < 2; i++) { /* without a reading, then with one that tells nothing */
        struct condition_row row = {.throttle = "old"};
        gpu_monitor_fill(&summary, &row);
        assert_true(isnan(row.sm_mhz_min) && isnan(row.sm_mhz_mean) && isnan(row.sm_mhz_max));
        assert_true(isnan(row.memory_mhz_mean));
        assert_true(isnan(row.power_w_mean) && isnan(row.power_w_max));
        assert_true(isnan(row.temperature_c_max));
        assert_string_equal(row.throttle, "");
        assert_true(isnan(row.processes));
        gpu_monitor_add(&summary, &untold);
    }
}

TEST_WITH(fill_leaves_the_other_columns, load_fake, NULL) {
    const size_t first = offsetof(struct condition_row, sm_mhz_min);
    const size_t after = offsetof(struct condition_row, disturbed);
    static struct condition_row row, before;
    struct gpu_monitor_summary summary = {0};
    const struct gpu_monitor_reading reading = look();
    memset(&row, 0x5a, sizeof row);
    before = row;
    gpu_monitor_add(&summary, &reading);
    gpu_monitor_fill(&summary, &row);
    assert_memory_equal(&row, &before, first);
    assert_memory_equal((char *)&row + after, (char *)&before + after, sizeof row - after);
    assert_string_equal(row.throttle, "none");
    assert_true(row.processes == 1);
}

int main(int count, char **words) {
    if (count > 1)
        fake_path = words[1];
    return tests_run();
}
