#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "reports/run/device_label.h"

static void assert_place(const char *label, size_t round, const char *device) {
    char text[RUNDIR_NAME];
    device_label_of(label, round, text);
    assert_string_equal(text, device);
}

static void rounds_on_several_are_one_label(void **state) {
    char label[RUNDIR_NAME] = "";
    (void)state;
    device_label_add(label, "2/8 node:7 cuda:0");
    assert_string_equal(label, "2/8 node:7 cuda:0");
    assert_int_equal(device_label_count(label), 1);
    device_label_add(label, "2/8 node:7 cuda:12");
    device_label_add(label, "2/8 node:7 cuda:0");
    assert_string_equal(label, "2/8 node:7 cuda:0+12+0");
    assert_int_equal(device_label_count(label), 3);
    assert_place(label, 0, "2/8 node:7 cuda:0");
    assert_place(label, 1, "2/8 node:7 cuda:12");
    assert_place(label, 2, "2/8 node:7 cuda:0");
}

static void one_device_has_all_rounds(void **state) {
    static const char *const labels[] = {"host", "cuda:3", "1/2 a+b cuda:1", ""};
    (void)state;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        for (size_t round = 0; round < 3; round++) {
            assert_int_equal(device_label_count(labels[i]), 1);
            assert_place(labels[i], round, labels[i]);
        }
}

/* As many rounds as fit are all there. */
static void what_fits_is_whole(void **state) {
    char label[RUNDIR_NAME] = "";
    size_t rounds = 0;
    (void)state;
    while (device_label_fit("12/40 a-node cuda:10", rounds + 1))
        rounds++;
    for (size_t i = 0; i < rounds; i++)
        device_label_add(label, i % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99");
    assert_in_range(rounds, 20, 30);
    assert_int_equal(device_label_count(label), rounds);
    for (size_t i = 0; i < rounds; i++)
        assert_place(label, i, i % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_on_several_are_one_label),
        cmocka_unit_test(one_device_has_all_rounds),
        cmocka_unit_test(what_fits_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
