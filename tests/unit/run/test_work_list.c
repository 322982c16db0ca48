/* Which units are measured, by which shard, and in which order. */

#include <stdlib.h>
#include <string.h>

#include "bench/run/work_list.h"
#include "reports/run/rundir.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* By work: 4, 1, 3, 0, 2, 5, of which 2 and 5 are the same. */
static struct shape shapes[] = {{32, 32, 32}, {64, 64, 64},  {16, 16, 16},
                                {48, 48, 48}, {128, 64, 64}, {8, 16, 32}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct plan plan;
static struct work_list list;

static int open_list(void **state) {
    plan = (struct plan){.suite = {.shapes = shapes, .count = SHAPES}, .visits = 1};
    return scratch_make(state) < 0 ? -1 : work_list_open(&list, &plan);
}

static int free_list(void **state) {
    work_list_free(&list);
    return scratch_remove(state);
}

/* As if nothing had been added. */
static void again(void) {
    free(list.items);
    list.items = NULL;
    list.count = list.checks = list.mine = list.there = list.visits = 0;
}

static void add(int shard, int shards) {
    assert_int_equal(work_list_add(&list, &plan, scratch, shard, shards), 0);
}

/* As rundir_write_unit leaves it. */
static void measure(size_t which) {
    char id[UNIT_ID], path[UNIT_ID + 32];
    snprintf(path, sizeof path, "units/%s/checks.csv", unit_id(&list.units[which], id));
    scratch_put(path, "%s", "");
}

TEST_WITH(a_plan_is_all_its_units, open_list, free_list) {
    assert_int_equal(list.unit_count, SHAPES);
    assert_int_equal(list.count, 0);
    add(0, 0);
    assert_int_equal(list.checks, SHAPES);
    assert_int_equal(list.there, 0);
    for (size_t i = 0; i < SHAPES; i++)
        assert_int_equal(list.items[i].unit, i);
}

/* Units behind them would find a lower clock. */
TEST_WITH(shapes_that_heat_the_card_end_a_visit, open_list, free_list) {
    static const struct shape hot = {4096, 4096, 4096};
    const struct shape before[] = {shapes[1], shapes[3]};
    shapes[1] = shapes[3] = hot;
    plan.visits = 12;
    work_list_free(&list);
    assert_int_equal(work_list_open(&list, &plan), 0);
    add(0, 0);
    bool drawn = false;
    for (size_t i = list.checks; i < list.count; i++) {
        const size_t place = (i - list.checks) % SHAPES;
        assert_int_equal(list.units[list.items[i].unit].shape.m == hot.m, place >= SHAPES - 2);
        drawn |= place == 0 && list.items[i].unit != 0;
    }
    assert_true(drawn);
    shapes[1] = before[0];
    shapes[3] = before[1];
}

/* Each has its share of every size, and together they have everything once. */
TEST_WITH(shards_are_dealt_by_cost, open_list, free_list) {
    static const size_t expected[2][3] = {{2, 3, 4}, {0, 1, 5}};
    bool dealt[SHAPES] = {false};
    for (int shard = 1; shard <= 2; shard++) {
        again();
        add(shard, 2);
        assert_int_equal(list.checks, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(list.items[i].unit, expected[shard - 1][i]);
            assert_false(dealt[list.items[i].unit]);
            dealt[list.items[i].unit] = true;
        }
    }
}

TEST_WITH(more_shards_than_units_have_nothing, open_list, free_list) {
    add(SHAPES, SHAPES + 1);
    assert_int_equal(list.checks, 1);
    again();
    add(SHAPES + 1, SHAPES + 1);
    assert_int_equal(list.count, 0);
}

TEST_WITH(what_is_there_is_not_measured_again, open_list, free_list) {
    measure(1);
    measure(4);
    add(0, 0);
    assert_int_equal(list.there, 2);
    assert_int_equal(list.checks, 4);
    static const size_t left[4] = {0, 2, 3, 5};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(list.items[i].unit, left[i]);
}

/* What another shard has is nothing to this one, and changes nothing in what it has. */
TEST_WITH(shards_do_not_depend_on_what_is_there, open_list, free_list) {
    measure(4); /* of the first shard */
    measure(1); /* of the second */
    add(2, 2);
    assert_int_equal(list.there, 1);
    assert_int_equal(list.checks, 2);
    assert_int_equal(list.items[0].unit, 0);
    assert_int_equal(list.items[1].unit, 5);
}

TEST_WITH(a_run_is_complete_with_its_last_unit, open_list, free_list) {
    for (size_t i = 0; i < SHAPES; i++) {
        assert_false(work_list_is_complete(&list, scratch));
        measure(i);
    }
    assert_true(work_list_is_complete(&list, scratch));
}

/* As rundir_write_visits leaves it. */
static void begin(size_t which, int visits) {
    char id[UNIT_ID], path[UNIT_ID + 32];
    snprintf(path, sizeof path, "units/.%s.visits/1/state.json", unit_id(&list.units[which], id));
    scratch_put(path, "{\"visit\": %d}", visits);
}

/* All units once, then all again, in another order; that of a seed. */
TEST_WITH(visits_are_the_outer_loop, open_list, free_list) {
    size_t orders[3][SHAPES];
    plan.visits = 3;
    add(0, 0);
    assert_int_equal(list.checks, SHAPES);
    assert_int_equal(list.count, 4 * SHAPES);
    for (size_t visit = 0; visit < 3; visit++) {
        bool seen[SHAPES] = {false};
        for (size_t i = 0; i < SHAPES; i++) {
            const struct work_item *item = &list.items[(visit + 1) * SHAPES + i];
            assert_int_equal(item->visit, visit);
            assert_false(seen[item->unit]);
            seen[item->unit] = true;
            orders[visit][i] = item->unit;
        }
    }
    for (size_t i = 0; i < SHAPES; i++)
        assert_int_equal(orders[0][i], i);
    assert_memory_not_equal(orders[0], orders[1], sizeof orders[0]);
    assert_memory_not_equal(orders[1], orders[2], sizeof orders[0]);
    again();
    add(0, 0);
    for (size_t i = 0; i < SHAPES; i++)
        assert_int_equal(list.items[2 * SHAPES + i].unit, orders[1][i]);
}

TEST_WITH(visits_that_are_there_are_not_measured_again, open_list, free_list) {
    plan.visits = 3;
    measure(1);
    begin(1, 2); /* left by one that was killed */
    begin(4, 2);
    begin(0, 1);
    add(0, 0);
    assert_int_equal(list.mine, SHAPES);
    assert_int_equal(list.there, 1);
    assert_int_equal(list.visits, 3);
    assert_int_equal(list.checks, SHAPES - 3);
    assert_int_equal(list.count, 1 + 2 + 4 * (SHAPES - 3));
    for (size_t i = 0; i < list.count; i++) {
        assert_int_not_equal(list.items[i].unit, 1);
        assert_true(list.items[i].unit != 4 || list.items[i].visit == 2);
        assert_true(list.items[i].unit != 0 || list.items[i].visit >= 1);
    }
    int visits;
    char id[UNIT_ID];
    assert_int_equal(rundir_count_visits(scratch, unit_id(&list.units[1], id), &visits), 0);
    assert_int_equal(visits, -1);
}

TEST_WITH(visits_that_cannot_be_read_are_an_error, open_list, free_list) {
    plan.visits = 3;
    begin(0, -1);
    assert_says(work_list_add(&list, &plan, scratch, 0, 0), -1,
                "state.json: \"visit\" is no number of visits; remove the folder");
    work_list_free(&list);
    assert_int_equal(work_list_open(&list, &plan), 0);
    begin(0, 3);
    assert_says(work_list_add(&list, &plan, scratch, 0, 0), -1,
                "has 3 visits of a unit of 3 that is not whole; remove it");
}
