#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "candidates/gemmgate.h"
#include "tests/support/device_fills.h"
#include "tests/support/device_looks.h"

static void *host;

static int open_host(void **state) {
    (void)state;
    return device_host.open(0, &host);
}

static int close_host(void **state) {
    (void)state;
    device_host.close(host);
    return 0;
}

static void fills_are_the_generators_bits(void **state) {
    (void)state;
    fills_check(&device_host, host);
}

static void copies_come_out_dense(void **state) {
    (void)state;
    fills_check_copy_out(&device_host, host);
    fills_check_copy_out_large(&device_host, host);
}

static void a_look_counts(void **state) {
    (void)state;
    looks_check(&device_host, host);
}

static void a_mask_undoes_itself(void **state) {
    (void)state;
    fills_check_mask(&device_host, host);
}

static void too_much_memory_is_refused_with_numbers(void **state) {
    (void)state;
    fills_check_no_memory(&device_host, host);
}

static double now(void) {
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC_RAW, &t), 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Readings of the same clock inside and outside the interval enclose it, whatever the load. */
static void an_interval_lies_between_its_neighbours(void **state) {
    (void)state;
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

static void the_host_describes_itself(void **state) {
    (void)state;
    const char *why = NULL;
    struct device_info info;
    memset(&info, 0x55, sizeof info);
    assert_int_equal(device_host.count(&why), 1);
    assert_int_equal(device_host.describe(0, &info), 0);
    assert_true(info.name[0] && memchr(info.name, 0, sizeof info.name));
    assert_non_null(strstr(info.blas, "OpenBLAS"));
    assert_true(info.units >= 1);
    assert_true(info.memory_bytes >= 1 << 20);
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

static void the_host_is_the_last_of_the_kinds(void **state) {
    (void)state;
    int last = 0;
    while (device_kinds[last + 1])
        last++;
    assert_ptr_equal(device_kinds[last], &device_host);
}

/* Counting never fails, whether there is a driver, a GPU or neither. What is counted is described,
 * and nothing past it is opened. */
static void every_kind_counts_or_says_why_not(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_are_the_generators_bits),
        cmocka_unit_test(copies_come_out_dense),
        cmocka_unit_test(a_look_counts),
        cmocka_unit_test(a_mask_undoes_itself),
        cmocka_unit_test(too_much_memory_is_refused_with_numbers),
        cmocka_unit_test(an_interval_lies_between_its_neighbours),
        cmocka_unit_test(the_host_describes_itself),
        cmocka_unit_test(the_host_is_the_last_of_the_kinds),
        cmocka_unit_test(every_kind_counts_or_says_why_not),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}
