/* Whose turn it is: rounds of units among several workers, some of which die. */
#include "bench/run/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two units of three rounds. */
static const struct work_item items[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {1, 2}};
static struct turns turns;

static int begin(bool moves) {
    return turns_open(&turns, items, sizeof items / sizeof *items, 2, moves);
}

static int end(void **state) {
    (void)state;
    turns_close(&turns);
    return 0;
}

static struct work_item take(size_t worker) {
    struct work_item item;
    assert_int_equal(turns_take(&turns, worker, false, &item), TURN_TAKEN);
    return item;
}

static void gets(size_t worker, size_t unit, int round) {
    const struct work_item item = take(worker);
    assert_int_equal(item.unit, unit);
    assert_int_equal(item.round, round);
}

static void waits(size_t worker) {
    struct work_item item;
    assert_int_equal(turns_take(&turns, worker, false, &item), TURN_LATER);
}

static void gives(size_t worker, size_t unit, int round, bool ended) {
    turns_give(&turns, worker, &(struct work_item){unit, round}, ended);
}

/* As another process: its locks are its own, and gone with it. */
static void in_another(void (*what)(void)) {
    const pid_t pid = fork();
    int status;
    if (pid == 0) {
        what();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void one_worker_has_all_in_their_order(void **state) {
    (void)state;
    assert_int_equal(begin(false), 0);
    struct work_item none;
    for (size_t i = 0; i < 6; i++) {
        gets(0, items[i].unit, items[i].round);
        assert_false(turns_are_done(&turns));
        assert_int_equal(turns_waiting(&turns), 5 - i);
        gives(0, items[i].unit, items[i].round, false);
    }
    assert_int_equal(turns_take(&turns, 0, false, &none), TURN_NONE);
    assert_true(turns_are_done(&turns));
}

static void a_unit_that_ends_has_no_more_rounds(void **state) {
    (void)state;
    assert_int_equal(begin(false), 0);
    gets(0, 0, 0);
    gives(0, 0, 0, true);
    for (int round = 0; round < 3; round++) {
        gets(0, 1, round);
        gives(0, 1, round, false);
    }
    assert_true(turns_are_done(&turns));
}

/* Another process, that lives for as long as the pipe is open. */
static pid_t other_lives(size_t worker, size_t unit, int round, int *until) {
    int ready[2], stop[2];
    char byte;
    if (pipe(ready) < 0 || pipe(stop) < 0)
        fail();
    const pid_t pid = fork();
    if (pid == 0) {
        struct work_item item;
        close(stop[1]);
        const bool right = turns_take(&turns, worker, false, &item) == TURN_TAKEN &&
                           item.unit == unit && item.round == round;
        if (right && write(ready[1], "", 1) == 1 && read(stop[0], &byte, 1) == 1) {
            turns_give(&turns, worker, &item, false);
            if (write(ready[1], "", 1) == 1 && read(stop[0], &byte, 1) == 1)
                _exit(0);
        }
        _exit(1);
    }
    close(ready[1]);
    close(stop[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    until[0] = ready[0];
    until[1] = stop[1];
    return pid;
}

static void step(const int *until) {
    char byte = 0;
    assert_int_equal(write(until[1], &byte, 1), 1);
    assert_int_equal(read(until[0], &byte, 1), 1);
}

static void ends(pid_t pid, const int *until) {
    close(until[0]);
    close(until[1]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_round_prefers_another_worker(void **state) {
    (void)state;
    int until[2];
    assert_int_equal(begin(true), 0);
    gets(0, 0, 0);
    const pid_t other = other_lives(1, 1, 0, until);
    gives(0, 0, 0, false);
    waits(0); /* unit 1 is in hand, and unit 0 should go to the other */
    struct work_item item;
    assert_int_equal(turns_take(&turns, 0, true, &item), TURN_TAKEN); /* but not for ever */
    assert_int_equal(item.unit, 0);
    assert_int_equal(item.round, 1);
    gives(0, 0, 1, false);
    step(until);
    gets(0, 1, 1); /* what the other has had */
    gives(0, 1, 1, false);
    waits(0);
    ends(other, until);
    gets(0, 0, 2); /* nobody else is left */
}

static void a_round_stays_where_it_cannot_move(void **state) {
    (void)state;
    int until[2];
    assert_int_equal(begin(false), 0);
    gets(0, 0, 0);
    const pid_t other = other_lives(1, 1, 0, until);
    gives(0, 0, 0, false);
    gets(0, 0, 1);
    step(until);
    gives(0, 0, 1, false);
    gets(0, 0, 2);
    gives(0, 0, 2, false);
    waits(0); /* unit 1 is the other's */
    ends(other, until);
    struct work_item item;
    assert_int_equal(turns_take(&turns, 0, false, &item), TURN_NONE);
    assert_false(turns_are_done(&turns));
}

static void takes_one(void) {
    struct work_item item;
    if (turns_take(&turns, 1, false, &item) != TURN_TAKEN)
        _exit(1);
}

/* Its unit is lost, and nobody waits for it. */
static void who_dies_takes_its_unit_along(void **state) {
    (void)state;
    assert_int_equal(begin(true), 0);
    in_another(takes_one);
    for (int round = 0; round < 3; round++) {
        gets(0, 1, round);
        gives(0, 1, round, false);
    }
    struct work_item item;
    assert_int_equal(turns_take(&turns, 0, false, &item), TURN_NONE);
    assert_false(turns_are_done(&turns));
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_worker_has_all_in_their_order), TEST(a_unit_that_ends_has_no_more_rounds),
        TEST(a_round_prefers_another_worker),    TEST(a_round_stays_where_it_cannot_move),
        TEST(who_dies_takes_its_unit_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
