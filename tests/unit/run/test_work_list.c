/* Which units are measured, by which shard, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "bench/run/work_list.h"
#include "tests/support/scratch.h"

/* By work: 4, 1, 3, 0, 2, 5, of which 2 and 5 are the same. */
static struct shape shapes[] = {{32, 32, 32}, {64, 64, 64},  {16, 16, 16},
                                {48, 48, 48}, {128, 64, 64}, {8, 16, 32}};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const size_t by_cost[SHAPES] = {4, 1, 3, 0, 2, 5};

static struct plan plan;
static struct work_list list;

static int open_list(void **state) {
    plan = (struct plan){.suite = {.shapes = shapes, .count = SHAPES}};
    return scratch_make(state) < 0 ? -1 : work_list_open(&list, &plan);
}

static int free_list(void **state) {
    work_list_free(&list);
    return scratch_remove(state);
}

static void add(int shard, int shards, bool cost) {
    assert_int_equal(work_list_add(&list, scratch, shard, shards, cost), 0);
}

/* As rundir_write_unit leaves it. */
static void measure(size_t which) {
    char id[UNIT_ID], path[UNIT_ID + 32];
    snprintf(path, sizeof path, "units/%s/checks.csv", unit_id(&list.units[which], id));
    scratch_put(path, "%s", "");
}

static void a_plan_is_all_its_units(void **state) {
    (void)state;
    assert_int_equal(list.unit_count, SHAPES);
    assert_int_equal(list.count, 0);
    add(0, 0, false);
    assert_int_equal(list.count, SHAPES);
    assert_int_equal(list.there, 0);
    for (size_t i = 0; i < SHAPES; i++)
        assert_int_equal(list.items[i], i);
}

static void for_several_devices_the_longest_come_first(void **state) {
    (void)state;
    add(0, 0, true);
    assert_int_equal(list.count, SHAPES);
    for (size_t i = 0; i < SHAPES; i++)
        assert_int_equal(list.items[i], by_cost[i]);
}

/* Each has its share of every size, and together they have everything once. */
static void shards_are_dealt_by_cost(void **state) {
    (void)state;
    static const size_t expected[2][3] = {{2, 3, 4}, {0, 1, 5}};
    bool dealt[SHAPES] = {false};
    for (int shard = 1; shard <= 2; shard++) {
        list.count = 0;
        add(shard, 2, false);
        assert_int_equal(list.count, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(list.items[i], expected[shard - 1][i]);
            assert_false(dealt[list.items[i]]);
            dealt[list.items[i]] = true;
        }
    }
    list.count = 0;
    add(2, 2, true);
    assert_int_equal(list.items[0], 1);
    assert_int_equal(list.items[1], 0);
    assert_int_equal(list.items[2], 5);
}

static void more_shards_than_units_have_nothing(void **state) {
    (void)state;
    add(SHAPES, SHAPES + 1, false);
    assert_int_equal(list.count, 1);
    list.count = 0;
    add(SHAPES + 1, SHAPES + 1, false);
    assert_int_equal(list.count, 0);
}

static void what_is_there_is_not_measured_again(void **state) {
    (void)state;
    measure(1);
    measure(4);
    add(0, 0, false);
    assert_int_equal(list.there, 2);
    assert_int_equal(list.count, 4);
    static const size_t left[4] = {0, 2, 3, 5};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(list.items[i], left[i]);
}

/* What another shard has is nothing to this one, and changes nothing in what it has. */
static void shards_do_not_depend_on_what_is_there(void **state) {
    (void)state;
    measure(4); /* of the first shard */
    measure(1); /* of the second */
    add(2, 2, false);
    assert_int_equal(list.there, 1);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0], 0);
    assert_int_equal(list.items[1], 5);
}

static void a_run_is_complete_with_its_last_unit(void **state) {
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        assert_false(work_list_is_complete(&list, scratch));
        measure(i);
    }
    assert_true(work_list_is_complete(&list, scratch));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_list, free_list)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_plan_is_all_its_units),
        TEST(for_several_devices_the_longest_come_first),
        TEST(shards_are_dealt_by_cost),
        TEST(more_shards_than_units_have_nothing),
        TEST(what_is_there_is_not_measured_again),
        TEST(shards_do_not_depend_on_what_is_there),
        TEST(a_run_is_complete_with_its_last_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
