/* Opening a device: which GPU a process sees, how it is kept alone, and what is left of that in its
 * environment. The device is the host. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/process/hide_driver.h"
#include "bench/runner/requests/requests.h"
#include "tests/support/test.h"

#define QUEUES "CUDA_DEVICE_MAX_CONNECTIONS"

static struct runner runner;
static struct wire_reply reply;
static int drivers_hidden;

void __wrap_hide_driver_memory(void);
void __wrap_hide_driver_memory(void) {
    drivers_hidden++;
}

static int begin(void **state) {
    (void)state;
    memset(&runner, 0, sizeof runner);
    unsetenv(QUEUES);
    unsetenv("CUDA_VISIBLE_DEVICES");
    return 0;
}

static int end(void **state) {
    (void)state;
    for (int i = 0; i < runner.operand_count; i++)
        inputs_free(runner.device, runner.device_state, &runner.operands[i].calls[0]);
    memset(&runner, 0, sizeof runner);
    return 0;
}

static void open_with(struct wire_open request) {
    if (!*request.device_kind)
        strcpy(request.device_kind, "host");
    memset(&reply, 0, sizeof reply);
    runner_open(&runner, &request, &reply);
}

static void is_fault(const char *text) {
    assert_int_equal(reply.status, -1);
    assert_string_equal(reply.text, text);
    assert_null(runner.device_state);
}

TEST_WITH(a_device_is_opened, begin, end) {
    open_with((struct wire_open){.rehearse = 1});
    assert_int_equal(reply.status, 0);
    assert_non_null(runner.device_state);
    assert_false(runner.recording);
    assert_null(getenv("CUDA_VISIBLE_DEVICES"));
}

TEST_WITH(what_is_not_there_is_a_fault, begin, end) {
    open_with((struct wire_open){.device_kind = "tpu"});
    is_fault("this build has no such device");
    memset(&reply, 0, sizeof reply);
    runner_shape(&runner, &(struct wire_shape){{4, 6, 8}, GEMM_F32, 0, 0, 0}, &reply);
    is_fault("no device is open");
}

/* A kernel is not to know by it where it is; what the user has set stays. */
TEST_WITH(the_number_of_queues_is_forgotten, begin, end) {
    open_with((struct wire_open){.fixed = 1});
    assert_null(getenv(QUEUES));
    end(state);
    begin(state);
    setenv(QUEUES, "8", 1);
    open_with((struct wire_open){.fixed = 1});
    assert_string_equal(getenv(QUEUES), "8");
    end(state);
    open_with((struct wire_open){.fixed = 0});
    assert_string_equal(getenv(QUEUES), "8");
}

TEST_WITH(only_the_gpu_that_is_meant_is_opened, begin, end) {
    open_with((struct wire_open){.alone = {"GPU-1", "0000:01:00.0"}});
    is_fault("CUDA shows another GPU than the one asked for by its UUID");
    assert_string_equal(getenv("CUDA_VISIBLE_DEVICES"), "GPU-1");
}

/* On the stage alone: a recorder is to see what a kernel's process is as a rule. */
TEST_WITH(the_drivers_memory_is_hidden_on_the_stage, begin, end) {
    drivers_hidden = 0;
    open_with((struct wire_open){.record = 0});
    end(NULL);
    open_with((struct wire_open){.fixed = 1, .record = 1});
    end(NULL);
    assert_int_equal(drivers_hidden, 0);
    open_with((struct wire_open){.fixed = 1});
    assert_int_equal(drivers_hidden, 1);
}

TEST_WITH(a_shape_has_its_operands, begin, end) {
    open_with((struct wire_open){.ordinal = 0});
    runner_shape(&runner, &(struct wire_shape){{4, 6, 8}, GEMM_F16, 77, 0, INPUTS_ZEROS}, &reply);
    assert_int_equal(reply.status, 0);
    assert_int_equal(runner.operand_count, 1);
    assert_int_equal(runner.operands[0].calls[0].a.elements, 4 * 8);
    assert_int_equal(runner.accumulate, GEMM_F16);
    assert_int_equal(runner.workspace_bytes, 77);
    assert_int_equal(runner.inputs, INPUT_ZEROS);
    assert_int_equal(runner.table_k[INPUT_ZEROS], 8); /* what they are made of is there */
    assert_int_equal(runner.table_k[INPUT_UNIFORM], 0);
}
