/* Runner: a reference product, in a process that runs no kernel under test. */
#include "bench/runner/requests/requests.h"

#include <stdio.h>
#include <string.h>

#include "correctness/numbers/input.h"

/* The three matrices on the device, in elements of 16 bits: C has two for each of its floats. */
enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRICES };
struct matrices {
    void *memory[MATRICES];
    int64_t elements[MATRICES];
};

static int alloc(struct runner *runner, struct matrices *matrices) {
    for (int i = 0; i < MATRICES; i++)
        if (runner->device->alloc(runner->device_state,
                                  (size_t)matrices->elements[i] * sizeof(uint16_t),
                                  &matrices->memory[i]) < 0)
            return -1;
    return 0;
}

/* Memory that was released is another process's next. It is not to find a product there. */
static int wipe_and_release(struct runner *runner, struct matrices *matrices) {
    const char *why;
    int status = 0;
    for (int i = 0; i < MATRICES && matrices->memory[i]; i++) {
        const struct fill zeros = {.at = matrices->memory[i],
                                   .rows = 1,
                                   .cols = matrices->elements[i],
                                   .rows_stored = 1,
                                   .ld = matrices->elements[i]};
        status |= runner->device->fill(runner->device_state, &zeros, 1);
    }
    status |= runner->device->sync(runner->device_state, &why);
    for (int i = 0; i < MATRICES; i++)
        runner->device->release(runner->device_state, matrices->memory[i]);
    return status;
}

static int multiply_inputs(struct runner *runner, const struct wire_product *request,
                           const struct matrices *matrices) {
    const struct shape s = request->shape;
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const enum element element = runner->element;
    const struct fill fills[] = {{matrices->memory[MATRIX_A], s.m, s.k, s.m, s.k, false, INPUT_A,
                                  request->input_kind, 0, request->seed, s, element},
                                 {matrices->memory[MATRIX_B], s.k, s.n, s.k, s.n, false, INPUT_B,
                                  request->input_kind, 0, request->seed, s, element}};
    if (runner_table(runner, (enum input_kind)request->input_kind, s.k) < 0 ||
        device->fill(state, fills, 2) < 0 ||
        device->multiply(state, element, s, matrices->memory[MATRIX_A], matrices->memory[MATRIX_B],
                         matrices->memory[MATRIX_C]) < 0)
        return -1;
    return device->copy_out(state, matrices->memory[MATRIX_C], s.m, 2 * s.n, 2 * s.n,
                            (uint16_t *)((float *)runner->shared + request->at));
}

/* Of inputs by tables; a product that has room. */
static bool is_possible(const struct runner *runner, const struct wire_product *request) {
    const struct shape s = request->shape;
    const uint64_t room = runner->shared_bytes / sizeof(float);
    return runner->device_state && runner->device->multiply && request->input_kind >= 0 &&
           request->input_kind < INPUT_KINDS && request->at <= room &&
           (uint64_t)(s.m * s.n) <= room - request->at;
}

void runner_product(struct runner *runner, const struct wire_product *request,
                    struct wire_reply *reply) {
    const struct shape s = request->shape;
    struct matrices matrices = {.elements = {s.m * s.k, s.k * s.n, 2 * s.m * s.n}};
    if (!is_possible(runner, request)) {
        runner_fault(reply, "this device makes no such reference product");
        return;
    }
    int status = alloc(runner, &matrices);
    if (status == 0)
        status = multiply_inputs(runner, request, &matrices);
    status |= wipe_and_release(runner, &matrices);
    if (status != 0)
        runner_fault(reply, "the device could not make a reference product");
}
