/* Numbers of visits, and what is drawn by them. */
#include "bench/runner/visit.h"

#include "tests/support/test.h"

TEST(a_visit_after_a_move_is_no_block) {
    char name[VISIT_NAME];
    assert_string_equal(visit_name(0, name), "block 0");
    assert_string_equal(visit_name(123456789, name), "block 123456789");
    for (uint64_t block = 0; block < 5000; block += 499) {
        const uint64_t visit = visit_after_move(block);
        assert_true(visit > UINT32_MAX && visit != visit_after_move(block + 1));
    }
    assert_string_equal(visit_name(visit_after_move(17), name),
                        "first visit after a move, before block 17");
    assert_string_equal(visit_name(visit_after_move(0), name),
                        "first visit after a move, before block 0");
}

/* Every arm has every C as often as another. */
TEST(outputs_go_round) {
    const struct wire_time request = {.arm_count = 3};
    for (uint64_t visit = 0; visit < 9; visit++) {
        int taken = 0;
        for (int slot = 0; slot < 3; slot++)
            taken |= 1 << visit_output(&request, slot, visit);
        assert_int_equal(taken, 7);
        assert_int_not_equal(visit_output(&request, 1, visit),
                             visit_output(&request, 1, visit + 1));
        assert_int_equal(visit_output(&request, 1, visit), visit_output(&request, 1, visit + 3));
    }
}

TEST(every_pass_has_inputs_of_its_own) {
    const struct wire_time one = {.seed = 1}, other = {.seed = 2};
    for (uint64_t pass = 0; pass < 50; pass++) {
        assert_true(visit_inputs(&one, pass) != visit_inputs(&one, pass + 1));
        assert_true(visit_inputs(&one, pass) != visit_inputs(&other, pass));
        assert_true(visit_inputs(&one, pass) == visit_inputs(&one, pass));
    }
}
