/* The process that makes reference products, asked as the judge asks it. Its GPU is the host
 * (support/fake_gpu.c). */
#include "bench/process/reference_process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/reference_check.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

#define ROOM ((size_t)4096)
#define LIMIT 60

static const struct wire_open gpu = {.device_kind = "cuda"};
static struct reference_process reference;

static int start(void **state) {
    (void)state;
    return reference_process_start(&reference, &gpu, ROOM);
}

static int stop(void **state) {
    (void)state;
    reference_process_end(&reference);
    reference_process_end(&reference); /* there is none any more */
    unsetenv("FAKE_GPU_WRONG");
    return 0;
}

static const float *make(struct shape shape, enum input_kind kind, uint64_t seed) {
    return reference_process_product(&reference, shape, kind, seed, LIMIT);
}

static int check(struct shape shape, enum input_kind kind, uint64_t seed, const float *c) {
    struct reference_fault fault;
    return reference_check(ELEMENT_F16, shape, kind, seed, c, 99, &fault);
}

TEST_WITH(products_are_those_of_the_inputs, start, stop) {
    const struct shape shapes[] = {{24, 16, 40}, {64, 64, 100}, {1, 1, 1}, {3, 5, 700}};
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            const float *c = make(shapes[i], (enum input_kind)kind, 7 + (uint64_t)i);
            assert_non_null(c);
            assert_int_equal(check(shapes[i], (enum input_kind)kind, 7 + (uint64_t)i, c), 1);
        }
}

/* Of one shape, one for each kind. What is there is not made again. */
TEST_WITH(products_of_a_shape_are_kept, start, stop) {
    const struct shape shape = {24, 16, 40}, other = {24, 16, 41};
    assert_false(reference_process_has(&reference, shape, INPUT_NORMAL, 1));
    const float *normal = make(shape, INPUT_NORMAL, 1), *binary = make(shape, INPUT_BINARY, 1);
    assert_ptr_not_equal(normal, binary);
    assert_true(reference_process_has(&reference, shape, INPUT_NORMAL, 1));
    assert_true(reference_process_has(&reference, shape, INPUT_BINARY, 1));
    assert_int_equal(check(shape, INPUT_NORMAL, 1, normal), 1);
    setenv("FAKE_GPU_WRONG", "1", 1); /* for a process that starts now: this one is running */
    ((float *)reference.process.shared)[0] = 1234;
    assert_true(make(shape, INPUT_NORMAL, 1)[0] == 1234);

    assert_false(reference_process_has(&reference, shape, INPUT_NORMAL, 2));
    assert_int_equal(check(shape, INPUT_NORMAL, 2, make(shape, INPUT_NORMAL, 2)), 1);
    assert_true(reference_process_has(&reference, shape, INPUT_BINARY, 1));
    make(other, INPUT_NORMAL, 2);
    assert_false(reference_process_has(&reference, shape, INPUT_BINARY, 1));
    assert_false(reference_process_has(&reference, other, INPUT_BINARY, 1));
}

/* It serves nothing else, and no other runner serves products. */
TEST_WITH(the_process_is_apart_from_kernels, start, stop) {
    static struct wire_reply reply;
    int code;
    const struct wire_request refused[] = {
        wire_add_request((struct wire_add){.kind = ARM_CANDIDATE, .name = "/nowhere.so"}),
        wire_add_request((struct wire_add){.kind = ARM_BASELINE, .name = "cublas-nn"}),
        wire_shape_request((struct wire_shape){.shape = {8, 8, 8}, .accumulate = GEMM_F32}),
        wire_open_request(gpu)};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(process_ask(&reference.process, &refused[i], LIMIT, &reply, &code),
                         PROCESS_ANSWERED);
        assert_int_equal(reply.status, -1);
        assert_string_equal(reply.text, "a process makes reference products, or runs kernels");
    }
    struct runner_process plain;
    const struct wire_request open = wire_open_request(gpu);
    const struct wire_request product =
        wire_product_request((struct wire_product){.shape = {8, 8, 8}, .input_kind = INPUT_NORMAL});
    assert_int_equal(process_start(&plain, ROOM), 0);
    assert_int_equal(process_ask(&plain, &open, LIMIT, &reply, &code), PROCESS_ANSWERED);
    assert_int_equal(reply.status, 0);
    assert_int_equal(process_ask(&plain, &product, LIMIT, &reply, &code), PROCESS_ANSWERED);
    assert_int_equal(reply.status, -1);
    process_end(&plain);
}

TEST_WITH(what_has_no_room_is_refused, start, stop) {
    const float *c = make((struct shape){64, 64, 8}, INPUT_BINARY, 1); /* fills it to the end */
    assert_non_null(c);
    static struct wire_reply reply;
    int code;
    const struct wire_product beyond[] = {
        {.shape = {64, 65, 8}, .input_kind = INPUT_BINARY, .at = ROOM},
        {.shape = {1, 1, 1}, .input_kind = INPUT_BINARY, .at = 2 * ROOM},
        {.shape = {1, 1, 1}, .input_kind = INPUT_BINARY, .at = UINT64_MAX},
        {.shape = {1, 1, 1}, .input_kind = INPUT_PROBE}};
    for (int i = 0; i < 4; i++) {
        const struct wire_request request = wire_product_request(beyond[i]);
        assert_int_equal(process_ask(&reference.process, &request, LIMIT, &reply, &code),
                         PROCESS_ANSWERED);
        assert_int_equal(reply.status, -1);
        assert_string_equal(reply.text, "this device makes no such reference product");
    }
}

static int make_lost(void) {
    return make((struct shape){8, 8, 8}, INPUT_NORMAL, 1) ? 0 : -1;
}

TEST_WITH(one_that_dies_is_said, start, stop) {
    assert_int_equal(make_lost(), 0);
    kill(reference.process.pid, SIGKILL);
    reference.product[INPUT_NORMAL].made = false;
    assert_says(make_lost(), -1, "a reference product was not made: its process died (9)");
    assert_false(reference_process_is_there(&reference));
}

TEST_WITH(a_device_that_cannot_be_opened_is_said, NULL, stop) {
    const struct wire_open none = {.device_kind = "cuda", .ordinal = 5};
    assert_says(reference_process_start(&reference, &none, ROOM), -1,
                "cannot be opened for reference products");
    assert_false(reference_process_is_there(&reference));
    assert_says(
        reference_process_start(&reference, &(struct wire_open){.device_kind = "abacus"}, ROOM), -1,
        "this build has no such device");
}
