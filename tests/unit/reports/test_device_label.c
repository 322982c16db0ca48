
#include <string.h>

#include "reports/rows/device_label.h"
#include "tests/support/test.h"

static void assert_place(const char *label, size_t visit, const char *device) {
    char text[RUNDIR_NAME];
    device_label_of(label, visit, text);
    assert_string_equal(text, device);
}

TEST(visits_on_several_are_one_label) {
    char label[RUNDIR_NAME] = "";
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

TEST(one_device_has_all_visits) {
    static const char *const labels[] = {"host", "cuda:3", "1/2 a+b cuda:1", ""};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        for (size_t visit = 0; visit < 3; visit++) {
            assert_int_equal(device_label_count(labels[i]), 1);
            assert_place(labels[i], visit, labels[i]);
        }
}

/* As many visits as fit are all there. */
TEST(what_fits_is_whole) {
    char label[RUNDIR_NAME] = "";
    size_t visits = 0;
    while (device_label_add(label, visits,
                            visits % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99") == 0)
        visits++;
    assert_in_range(visits, 20, 30);
    assert_int_equal(device_label_count(label), visits);
    for (size_t i = 0; i < visits; i++)
        assert_place(label, i, i % 2 ? "12/40 a-node cuda:10" : "12/40 a-node cuda:99");
}

/* One device is one label, and becomes that of each of its visits when another one goes on. */
TEST(a_device_goes_on_where_another_was) {
    char label[RUNDIR_NAME] = "of a unit that has begun again";
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(device_label_add(label, i, "cuda:0"), 0);
    assert_string_equal(label, "cuda:0");
    assert_int_equal(device_label_add(label, 3, "cuda:1"), 0);
    assert_string_equal(label, "cuda:0+0+0+1");
    assert_int_equal(device_label_add(label, 4, "cuda:1"), 0);
    assert_string_equal(label, "cuda:0+0+0+1+1");
}

TEST(labels_that_are_none_together_stay) {
    static const char *const others[] = {"host", "cudas:1", "2/8 node7 cuda:1", "code:1"};
    char label[RUNDIR_NAME] = "cuda:0";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(device_label_add(label, 2, others[i]), -1);
    assert_int_equal(device_label_add(label, 60, "cuda:1"), -1);
    assert_string_equal(label, "cuda:0");
}
