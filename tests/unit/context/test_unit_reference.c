/* The products that checks compare with, from a process that is faked, or from the processor. */
#include "bench/context/unit_reference.h"

#include <math.h>

#include "bench/checks/checks.h"
#include "correctness/numbers/reference.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static float planted; /* added to one element of a product on normal inputs, or NaN */

static void plant(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)reply;
    if (request->verb == WIRE_PRODUCT && request->product.input_kind == INPUT_NORMAL)
        ((float *)shared)[request->product.at + 5] += planted;
}

static int on_device(void **state) {
    fake_unit(state);
    on_gpu();
    session.reference_on_device = true;
    planted = 0;
    fake.edit = plant;
    return 0;
}

static int end(void **state) {
    reference_process_end(&session.reference);
    reference_free();
    return fake_unit_end(state);
}

TEST_WITH(they_are_made_once_by_a_process_of_their_own, on_device, end) {
    session.ordinal = 3;
    strcpy(session.alone.uuid, "GPU-3");
    assert_int_equal(unit_reference_make(&context), 0);
    assert_int_equal(fake.started, 1);
    assert_int_equal(fake_count(WIRE_OPEN, ""), 1);
    assert_int_equal(fake.log[0].open.reference, 1);
    assert_int_equal(fake.log[0].open.ordinal, 3);
    assert_string_equal(fake.log[0].open.alone.uuid, "GPU-3");
    assert_string_equal(fake.log[0].open.device_kind, "cuda");
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 2);
    for (int i = 1; i < 3; i++) {
        const struct wire_product *asked = &fake.log[i].product;
        assert_int_equal(shape_compare(asked->shape, SHAPE), 0);
        assert_true(asked->seed ==
                    seed_derive(77, SEED_CHECK, asked->input_kind == INPUT_BINARY ? 0 : 1));
    }
    assert_int_equal(unit_reference_make(&context), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 2);
    context.seed = 78; /* another unit */
    assert_int_equal(unit_reference_make(&context), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 4);
    assert_int_equal(fake.started, 1);
    assert_int_equal(fake_count(WIRE_ADD, ""), 0);
    assert_string_equal(unit_reference_maker(&session), "gpu");
}

/* Both makers' products are the same but for rounding; of ones and zeros to the bit. */
TEST_WITH(they_are_those_of_the_processor, on_device, end) {
    const size_t count = (size_t)(SHAPE.m * SHAPE.n);
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        const float *there = unit_reference(&context, (enum input_kind)kind);
        session.reference_on_device = false;
        const float *here = unit_reference(&context, (enum input_kind)kind);
        session.reference_on_device = true;
        assert_non_null(there);
        assert_non_null(here);
        for (size_t i = 0; i < count; i++)
            assert_true(fabsf(there[i] - here[i]) <= (kind == INPUT_BINARY ? 0 : 1e-4f));
    }
}

/* Whoever is off: no kernel has failed by it, and the session says so. */
TEST_WITH(a_wrong_one_is_the_devices_fault, on_device, end) {
    const float faults[] = {0.1f, -7, NAN};
    for (int i = 0; i < 3; i++) {
        planted = faults[i];
        session.unfit = false;
        assert_says(unit_reference_make(&context), -1, "fails its own check");
        assert_true(session.unfit);
        assert_false(reference_process_is_there(&session.reference));
        assert_int_equal(context.checked.arm_count, 0);
    }
    planted = 0.1f;
    assert_says(unit_reference_make(&context), -1, "24x16x48 on normal inputs, made on host");
    assert_says(unit_reference_make(&context), -1, "--resume --reference cpu");
    planted = 0;
    session.unfit = false;
    assert_int_equal(unit_reference_make(&context), 0);
    assert_false(session.unfit);
}

/* It is not taken for checked because it is there. */
TEST_WITH(a_wrong_one_stays_wrong, on_device, end) {
    planted = 1;
    for (int i = 0; i < 3; i++)
        assert_says(unit_reference_make(&context), -1, "fails its own check");
}

TEST_WITH(a_process_that_fails_is_the_devices_fault, on_device, end) {
    struct fake_fault *lost = fake_fail(WIRE_PRODUCT, "", PROCESS_CRASHED);
    lost->code = 11;
    assert_says(unit_reference_make(&context), -1, "its process died (11)");
    lost->nth = 0;
    assert_says(unit_reference_make(&context), -1, "here with --resume --reference cpu");
    assert_true(session.unfit);
    fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED)->status = -1;
    session.unfit = false;
    assert_says(unit_reference_make(&context), -1, "cannot be opened for reference products");
    assert_false(session.unfit); /* that says nothing of the device */
}

TEST_WITH(the_rows_say_who_made_them, on_device, end) {
    assert_int_equal(unit_open_runner(&context), 0);
    assert_int_equal(checks_libraries(&context), EVENT_OK);
    assert_string_equal(context.checked.arms[0].row.reference, "gpu");
    session.reference_on_device = false;
    assert_int_equal(checks_candidate(&context), EVENT_OK);
    assert_string_equal(context.checked.arms[2].row.reference, "cpu");
}

/* Where a device takes one process at a time, that of the reference ends, and the processor makes
 * them. */
TEST_WITH(it_gives_way_where_a_device_takes_one_process, on_device, end) {
    assert_false(unit_reference_give_way(&session));
    assert_int_equal(unit_reference_make(&context), 0);
    fake_fail(WIRE_OPEN, "", PROCESS_ANSWERED)->status = -1;
    assert_says(unit_open_runner(&context), 0, "takes one process at a time");
    assert_false(reference_process_is_there(&session.reference));
    assert_string_equal(unit_reference_maker(&session), "cpu");
    assert_int_equal(unit_reference_make(&context), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 2);
    assert_false(session.unfit);
}
