/* The products that checks compare with, from a runner that is faked, or from the processor. */
#include "bench/jobs/unit_reference.h"

#include <math.h>

#include "bench/checks/checks.h"
#include "bench/jobs/processes.h"
#include "correctness/numbers/reference.h"
#include "tests/support/fake_unit.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

static float planted; /* added to one element of a product on normal inputs, or NaN */

static void plant(const struct wire_request *request, struct wire_reply *reply, void *shared) {
    (void)reply;
    if (request->verb == WIRE_PRODUCT && request->product.input_kind == INPUT_NORMAL)
        ((float *)shared)[5] += planted;
}

static int on_device(void **state) {
    fake_unit(state);
    on_gpu();
    session.reference_on_device = true;
    planted = 0;
    fake.edit = plant;
    return unit_open_runner(&context);
}

static int make(void) {
    return unit_reference_make(&context, &context.process);
}

TEST_WITH(they_are_made_once_a_shape, on_device, fake_unit_end) {
    static const float zeros[64];
    const struct shape other = {8, 8, 8};
    assert_int_equal(make(), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 2);
    assert_memory_equal(context.process.shared, zeros, sizeof zeros); /* a kernel will share it */
    const float *kept = unit_reference(&context, INPUT_NORMAL);
    assert_int_equal(make(), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 2);
    assert_ptr_equal(unit_reference(&context, INPUT_NORMAL), kept);
    struct unit another = *context.unit;
    another.shape = other;
    context.unit = &another;
    unit_drop_runner(&context, &context.process);
    assert_int_equal(unit_open_runner(&context), 0);
    assert_says(unit_reference(&context, INPUT_NORMAL) ? 0 : -1, -1,
                "no reference product was made before a kernel was loaded");
    assert_int_equal(make(), 0);
    assert_int_equal(fake_count(WIRE_PRODUCT, ""), 4);
}

/* Both makers' products are the same but for rounding; of ones and zeros to the bit. */
TEST_WITH(they_are_those_of_the_processor, on_device, fake_unit_end) {
    const size_t count = (size_t)(SHAPE.m * SHAPE.n);
    assert_int_equal(make(), 0);
    static const int kinds[] = {INPUT_NORMAL, INPUT_BINARY};
    for (int i = 0; i < 2; i++) {
        const int kind = kinds[i];
        const float *there = unit_reference(&context, (enum input_kind)kind);
        float *here = reference_product(plan.element, SHAPE, (enum input_kind)kind,
                                        unit_reference_seed(&context, (enum input_kind)kind));
        assert_non_null(there);
        assert_non_null(here);
        for (size_t e = 0; e < count; e++)
            assert_true(fabsf(there[e] - here[e]) <= (kind == INPUT_BINARY ? 0 : 1e-4f));
        free(here);
    }
}

/* Whoever is off: no kernel has failed by it, and the session says so. */
TEST_WITH(a_wrong_one_is_the_devices_fault, on_device, fake_unit_end) {
    const float faults[] = {0.1f, -7, NAN};
    for (int i = 0; i < 3; i++) {
        planted = faults[i];
        session.unfit = false;
        assert_says(make(), -1, "fails its own check");
        assert_true(session.unfit);
        assert_int_equal(context.checked.arm_count, 0);
    }
    planted = 0.1f;
    assert_says(make(), -1, "24x16x48 on normal inputs, made on host");
    assert_says(make(), -1, "Go on with --resume on another device");
    planted = 0;
    session.unfit = false;
    assert_int_equal(make(), 0);
    assert_false(session.unfit);
}

/* It is not taken for checked because it is there. */
TEST_WITH(a_wrong_one_stays_wrong, on_device, fake_unit_end) {
    planted = 1;
    for (int i = 0; i < 3; i++)
        assert_says(make(), -1, "fails its own check");
}

TEST_WITH(a_process_that_fails_is_the_devices_fault, on_device, fake_unit_end) {
    struct fake_fault *lost = fake_fail(WIRE_PRODUCT, "", PROCESS_CRASHED);
    lost->code = 11;
    assert_says(make(), -1, "has made no reference product: its process died (11)");
    lost->nth = 0;
    assert_says(make(), -1, "go on with --resume on another device");
    assert_true(session.unfit);
}

TEST_WITH(the_rows_say_who_made_them, on_device, fake_unit_end) {
    assert_int_equal(make(), 0);
    assert_int_equal(checks_libraries(&context), 0);
    assert_string_equal(context.checked.arms[0].row.reference, "gpu");
    session.reference_on_device = false;
    assert_int_equal(checks_kernel(&context, UNIT_CANDIDATE), 0);
    assert_string_equal(context.checked.arms[2].row.reference, "cpu");
}
