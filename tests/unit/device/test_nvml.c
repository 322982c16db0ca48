/* What NVML tells of a GPU, by a library that stands in for it (support/fake_nvml.c). */
#include "bench/device/nvml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <string.h>

#include "tests/support/fake_nvml.h"

/* Loading the stand-in first makes it the libnvidia-ml.so.1 that nvml.c finds. */
static int (*fake_opened)(void);

static int load_fake(void **state) {
    (void)state;
    void *fake = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    if (fake)
        fake_opened = (int (*)(void))dlsym(fake, "fake_nvml_opened");
    return fake_opened ? 0 : -1;
}

static void every_field_is_read(void **state) {
    (void)state;
    static const int64_t told[NVML_VALUES] = {[NVML_SM_MHZ] = 1001,
                                              [NVML_MEMORY_MHZ] = 1002,
                                              [NVML_SM_MAX_MHZ] = 2001,
                                              [NVML_MEMORY_MAX_MHZ] = 2002,
                                              [NVML_POWER_MW] = 98765,
                                              [NVML_POWER_LIMIT_MW] = 700000,
                                              [NVML_TEMPERATURE_C] = 41,
                                              [NVML_THROTTLE] =
                                                  NVML_POWER_CAP | NVML_HARDWARE_THERMAL,
                                              [NVML_ECC] = 1,
                                              [NVML_MIG] = 0,
                                              [NVML_SM_APPLICATION_MHZ] = -1,
                                              [NVML_MEMORY_APPLICATION_MHZ] = -1,
                                              [NVML_PERSISTENCE] = -1};
    struct nvml *nvml = nvml_open("GPU-fake", "");
    assert_non_null(nvml);
    for (int i = 0; i < NVML_FIELDS; i++)
        assert_true(nvml_value(nvml, (enum nvml_field)i) == told[i]);
    assert_true(nvml_value(nvml, NVML_PROCESSES) >= 0);
    char version[80];
    nvml_driver(nvml, version);
    assert_string_equal(version, "580.65.06");
    assert_int_equal(fake_opened(), 1);
    nvml_close(nvml);
    nvml_close(NULL);
    assert_int_equal(fake_opened(), 0);
}

static void pci_address_serves_where_the_uuid_does_not(void **state) {
    (void)state;
    struct nvml *nvml = nvml_open("GPU-other", "00000000:01:00.0");
    assert_non_null(nvml);
    assert_int_equal(nvml_value(nvml, NVML_SM_MHZ), 1001);
    assert_int_equal(nvml_value(nvml, NVML_PERSISTENCE), -1);
    nvml_close(nvml);
    assert_null(nvml_open("", ""));
    assert_int_equal(fake_opened(), 0);
}

static void throttle_reasons_have_words(void **state) {
    (void)state;
    char text[NVML_THROTTLE_TEXT];
    assert_string_equal(nvml_throttle_text(0, text), "none");
    assert_string_equal(nvml_throttle_text(-1, text), "");
    assert_string_equal(nvml_throttle_text(1, text), "idle");
    assert_string_equal(nvml_throttle_text(0x88, text), "hardware slowdown, power brake");
    assert_string_equal(nvml_throttle_text(0x4000, text), "unknown (0x4000)");
    assert_true(strlen(nvml_throttle_text(0x1ff, text)) < sizeof text - 1);
    assert_non_null(strstr(text, "display clocks"));
}

/* Before the stand-in is loaded. */
static void without_a_library_nothing_is_known(void **state) {
    (void)state;
    void *driver = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver) {
        dlclose(driver);
        skip(); /* a machine with a driver */
    }
    assert_null(nvml_open("GPU-fake", ""));
    assert_int_equal(nvml_value(NULL, NVML_SM_MHZ), -1);
    char version[80];
    nvml_driver(NULL, version);
    assert_string_equal(version, "");
}

int main(void) {
    const struct CMUnitTest before[] = {cmocka_unit_test(without_a_library_nothing_is_known)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(pci_address_serves_where_the_uuid_does_not),
        cmocka_unit_test(throttle_reasons_have_words),
    };
    const int failed = cmocka_run_group_tests(before, NULL, NULL);
    return failed + cmocka_run_group_tests(tests, load_fake, NULL);
}
