#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "reports/rows/device_label.h"

static void assert_place(const char *label, size_t round, const char *device) {
    char text[RUNDIR_NAME];
    device_label_of(label, round, text);
    assert_string_equal(text, device);
}

static void rounds_on_several_are_one_label(void **state) {
    char label[RUNDIR_NAME] = "";
    (void)state;
    assert_int_equal(device_label_add(label, 0, "2/8 node:7 cuda:0"), 0);
    assert_string_equal(label, "2/8 node:7 cuda:0");
    assert_int_equal(device_label_count(label), 1);
    assert_int_equal(device_label_add(label, 1, "2/8 node:7 cuda:12"), 0);
    assert_int_equal(device_label_add(label, 2, "2/8 node:7 cuda:0"), 0);
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
    while (device_label_add(label, rounds,
                            rounds % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99") == 0)
        rounds++;
    assert_in_range(rounds, 20, 30);
    assert_int_equal(device_label_count(label), rounds);
    for (size_t i = 0; i < rounds; i++)
        assert_place(label, i, i % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99");
}

/* One device is one label, and becomes that of each of its rounds when another one goes on. */
static void a_device_goes_on_where_another_was(void **state) {
    char label[RUNDIR_NAME] = "of a unit that has begun again";
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(device_label_add(label, i, "cuda:0"), 0);
    assert_string_equal(label, "cuda:0");
    assert_int_equal(device_label_add(label, 3, "cuda:1"), 0);
    assert_string_equal(label, "cuda:0+0+0+1");
    assert_int_equal(device_label_add(label, 4, "cuda:1"), 0);
    assert_string_equal(label, "cuda:0+0+0+1+1");
}

static void labels_that_are_none_together_stay(void **state) {
    static const char *const others[] = {"host", "cudas:1", "2/8 node7 cuda:1", "code:1"};
    char label[RUNDIR_NAME] = "cuda:0";
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(device_label_add(label, 2, others[i]), -1);
    assert_int_equal(device_label_add(label, 60, "cuda:1"), -1);
    assert_string_equal(label, "cuda:0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_on_several_are_one_label),
        cmocka_unit_test(one_device_has_all_rounds),
        cmocka_unit_test(what_fits_is_whole),
        cmocka_unit_test(a_device_goes_on_where_another_was),
        cmocka_unit_test(labels_that_are_none_together_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
