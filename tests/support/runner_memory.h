/* For tests of the runner: what it holds on a fake device. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_RUNNER_MEMORY_H
#define TESTS_SUPPORT_RUNNER_MEMORY_H

#include "bench/runner/runner.h"
#include "tests/support/asserts.h"
#include "tests/support/fake_device.h"

/* Gives all memory of a runner on the fake device back; then nothing is held. */
static inline int runner_memory_end(struct runner *runner) {
    for (int i = 0; i < runner->operand_count; i++)
        for (int call = 0; call < runner->operands[i].count; call++)
            inputs_free(runner->device, runner->device_state, &runner->operands[i].calls[call]);
    for (int i = 0; i < runner->output_count; i++)
        guarded_free(runner->device, runner->device_state, &runner->outputs[i]);
    for (int i = 0; i < runner->row_count; i++)
        guarded_free(runner->device, runner->device_state, &runner->row[i]);
    assert_int_equal(fake_device.held, 0);
    return 0;
}

#endif
