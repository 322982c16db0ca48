/* Runner: a reference product, before any kernel is loaded. */
#include "bench/runner/requests/requests.h"

#include "correctness/numbers/input.h"

/* Whether the inputs are made by tables, and the product has room. */
static bool is_possible(const struct runner *runner, const struct wire_product *request) {
    return runner->operand_count > 0 && runner->arm_count == 0 && runner->device->multiply &&
           request->input_kind >= 0 && request->input_kind < INPUT_KINDS &&
           (size_t)(runner->shape.m * runner->shape.n) <= runner->shared_bytes / sizeof(float);
}

/* C's memory on the device is wiped: who is given it next is not to find a product there. */
static int multiply_inputs(struct runner *runner, const struct wire_product *request, void *c) {
    const struct shape s = runner->shape;
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const struct inputs *inputs = &runner->operands[0].calls[0]; /* the plain ones */
    const int64_t halves = 2 * s.n; /* a float has two elements of 16 bits */
    const struct fill zeros = {
        .at = c, .rows = s.m, .cols = halves, .rows_stored = s.m, .ld = halves};
    const char *why;
    struct fill fills[3];
    if (runner_table(runner, (enum input_kind)request->input_kind, s.k) < 0)
        return -1;
    inputs_fills(inputs, request->input_kind, request->seed, fills);
    int status =
        device->fill(state, fills, 3) < 0 ||
        device->multiply(state, runner->element, s, inputs->a.data, inputs->b_row.data, c) < 0 ||
        device->copy_out(state, c, s.m, halves, halves, runner->shared) < 0;
    status |= device->fill(state, &zeros, 1) < 0;
    status |= device->sync(state, &why) < 0;
    return status ? -1 : 0;
}

void runner_product(struct runner *runner, const struct wire_product *request,
                    struct wire_reply *reply) {
    void *c;
    if (!is_possible(runner, request)) {
        runner_fault(reply, "this process makes no such reference product");
        return;
    }
    size_t bytes = (size_t)(runner->shape.m * runner->shape.n) * sizeof(float);
    int status = runner->device->alloc(runner->device_state, 0, false, &bytes, &c);
    if (status == 0) {
        status = multiply_inputs(runner, request, c);
        runner->device->free(runner->device_state, c);
    }
    if (status != 0)
        runner_fault(reply, "the device could not make a reference product");
}
