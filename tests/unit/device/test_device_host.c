

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "candidates/gemmgate.h"
#include "correctness/accumulator/probe_element.h"
#include "tests/support/device_fills.h"
#include "tests/support/device_looks.h"
#include "tests/support/test.h"

static void *host;

static int open_host(void **state) {
    (void)state;
    return device_host.open(0, &host);
}

TEST(fills_are_the_generators_bits) {
    fills_check(&device_host, host);
}

/* The probe's inputs, stored as they are and turned, with padding. */
TEST(a_fill_for_the_probe_is_its_elements) {
    const struct shape shape = {70, 66, 96};
    static uint16_t stored[80 * 104];
    for (int turned = 0; turned < 2; turned++) {
        const int64_t ld = turned ? 80 : 104;
        const struct fill fill = {.at = stored,
                                  .rows = 70,
                                  .cols = 96,
                                  .rows_stored = turned ? 104 : 80,
                                  .ld = ld,
                                  .transposed = turned,
                                  .matrix = INPUT_A,
                                  .table = INPUT_PROBE,
                                  .seed = 12,
                                  .shape = shape};
        memset(stored, 0x55, sizeof stored);
        assert_int_equal(device_host.fill(host, &fill, 1), 0);
        int other_than_zero = 0;
        for (int64_t row = 0; row < 80; row++)
            for (int64_t column = 0; column < 104; column++) {
                const uint16_t got = stored[turned ? column * ld + row : row * ld + column];
                const uint16_t want =
                    row < 70 && column < 96
                        ? probe_element(ELEMENT_F16, 12, INPUT_A, row, column, shape)
                        : 0;
                assert_int_equal(got, want);
                other_than_zero += want != 0;
            }
        assert_true(other_than_zero > 100);
    }
}

TEST(copies_come_out_dense) {
    fills_check_copy_out(&device_host, host);
    fills_check_copy_out_large(&device_host, host);
}

TEST(a_look_counts) {
    looks_check(&device_host, host);
}

TEST(a_mask_undoes_itself) {
    fills_check_mask(&device_host, host);
}

TEST(too_much_memory_is_refused_with_numbers) {
    fills_check_no_memory(&device_host, host);
}

static double now(void) {
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC_RAW, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Readings of the same clock inside and outside the interval enclose it, whatever the load. */
TEST(an_interval_lies_between_its_neighbours) {
    double seconds = -1;
    const double outer_start = now();
    assert_int_equal(device_host.start(host), 0);
    const double inner_start = now();
    while (now() - inner_start < 1e-4)
        ;
    const double inner = now() - inner_start;
    assert_int_equal(device_host.stop(host), 0);
    const double outer = now() - outer_start;
    const char *why = NULL;
    assert_int_equal(device_host.sync(host, &why), 0);
    assert_int_equal(device_host.elapsed(host, &seconds), 0);
    const double rounding = 1e-6; /* of doubles that hold seconds since the machine's start */
    assert_true(seconds >= inner - rounding && seconds <= outer + rounding);
}

/* A planted delay is at least as long as asked for; one that nobody would plant is cut. */
TEST(a_delay_lasts) {
    static const double asked[] = {0, 1e-4, 3e-3};
    for (int i = 0; i < 3; i++) {
        const double before = now();
        assert_int_equal(device_host.delay(host, asked[i]), 0);
        assert_true(now() - before >= asked[i] - 1e-6);
    }
    const double before = now();
    assert_int_equal(device_host.delay(host, 1e6), 0);
    assert_true(now() - before >= DEVICE_DELAY_MOST - 1e-6);
}

/* Into rows of another length, with what lies beside them untouched. */
TEST(a_copy_keeps_to_its_rows) {
    const uint16_t from[] = {1, 2, 3, 9, 4, 5, 6, 9};
    const uint16_t want[] = {1, 2, 3, 7, 7, 4, 5, 6, 7, 7};
    uint16_t to[10];
    for (int i = 0; i < 10; i++)
        to[i] = 7;
    assert_int_equal(device_host.copy(host, from, 4, to, 5, 2, 3), 0);
    assert_memory_equal(to, want, sizeof want);
}

/* The cache is swept over and over by the same memory. */
TEST(a_processor_has_little_else_to_do) {
    assert_int_equal(device_host.sweep(host), 0);
    assert_int_equal(device_host.sweep(host), 0);
    assert_int_equal(device_host.reset_persistence(host), 0);
}

TEST(memory_is_aligned) {
    void *memory[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(device_host.alloc(host, 0, false, &(size_t){100}, &memory[i]), 0);
        assert_int_equal((uintptr_t)memory[i] % 256, 0);
    }
    for (int i = 0; i < 3; i++)
        device_host.free(host, memory[i]);
}

/* Whether a line of /proc/cpuinfo is the processor's name, to its end. */
static int system_knows(const char *name) {
    char command[512];
    snprintf(command, sizeof command, "grep -qxF \"$(printf 'model name\\t: %s')\" /proc/cpuinfo",
             name);
    return system(command);
}

TEST(the_host_describes_itself) {
    const char *why = NULL;
    struct device_info info;
    memset(&info, 0x55, sizeof info);
    assert_int_equal(device_host.count(&why), 1);
    assert_int_equal(device_host.describe(0, &info), 0);
    assert_true(info.name[0] && memchr(info.name, 0, sizeof info.name));
    assert_non_null(strstr(info.blas, "OpenBLAS"));
    assert_true(info.units >= 1);
    assert_true(info.memory_bytes == (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    assert_int_equal(info.units, CPU_COUNT(&allowed));
    assert_true(info.l2_bytes >= 1 << 20);
    if (system("grep -q '^model name' /proc/cpuinfo") == 0)
        assert_int_equal(system_knows(info.name), 0);
    assert_int_equal(info.sm, -1);
    assert_int_equal(info.driver, -1);
    assert_int_equal(info.runtime, -1);
    assert_int_equal(info.cublas, -1);
    assert_int_equal(info.cublaslt, -1);
    assert_string_equal(info.uuid, "");
    assert_string_equal(info.pci, "");
    assert_int_equal(device_host.device, GEMM_HOST);
    assert_null(device_host.stream(host));
}

TEST(the_host_is_the_last_of_the_kinds) {
    int last = 0;
    while (device_kinds[last + 1])
        last++;
    assert_ptr_equal(device_kinds[last], &device_host);
}

/* Counting never fails, whether there is a driver, a GPU or neither. What is counted is described,
 * and nothing past it is opened. */
TEST(every_kind_counts_or_says_why_not) {
    for (int i = 0; device_kinds[i]; i++) {
        const char *why = NULL;
        struct device_info info;
        const int count = device_kinds[i]->count(&why);
        assert_true(count >= 0);
        assert_true(count > 0 || (why && *why));
        assert_true(count > 0 || device_kinds[i] != &device_host);
        for (int ordinal = 0; ordinal < count; ordinal++) {
            memset(&info, 0, sizeof info);
            assert_int_equal(device_kinds[i]->describe(ordinal, &info), 0);
            assert_true(*info.name && info.memory_bytes > 1 << 20 && info.units > 0);
        }
    }
    const char *why = "";
    assert_int_equal(device_host.count(&why), 1);
}

TESTS_BETWEEN(open_host, NULL)
