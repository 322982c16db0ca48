#include "bench/runner/first_product.h"

enum { SIZE = 128 };

static const struct kernel_ops *any_library(const struct runner *runner) {
    for (int i = 0; baselines[i]; i++)
        if (baselines[i]->ops.device == runner->device->device &&
            baselines[i]->ops.accumulate & GEMM_F32 &&
            runner_elements(&baselines[i]->ops) & 1 << runner->element)
            return &baselines[i]->ops;
    return NULL;
}

static int multiply(struct runner *runner, const struct kernel_ops *ops,
                    const struct inputs *inputs, const struct guarded *c) {
    struct gemm_problem problem = runner_problem(runner, (struct shape){SIZE, SIZE, SIZE});
    problem.accumulate = GEMM_F32; /* before it is known what the shape will want */
    const struct gemm_args args = {.problem = problem,
                                   .a = inputs->a.data,
                                   .b_row = inputs->b_row.data,
                                   .b_col = inputs->b_col.data,
                                   .c = c->data,
                                   .stream = runner->device->stream(runner->device_state)};
    const char *why;
    void *state = NULL;
    int status = ops->setup ? ops->setup(&problem, 0, &state) : 0;
    if (status != 0)
        return -1;
    status = ops->launch(state, &args);
    const int lost = runner->device->sync(runner->device_state, &why);
    if (ops->teardown)
        ops->teardown(state);
    return status != 0 || lost < 0 ? -1 : 0;
}

int first_product_make(struct runner *runner) {
    const struct shape shape = {SIZE, SIZE, SIZE};
    const struct device_ops *device = runner->device;
    void *state = runner->device_state;
    const struct kernel_ops *library = any_library(runner);
    struct inputs inputs = {0};
    struct guarded c = {.memory = NULL};
    if (!library)
        return 0;
    int status = inputs_alloc(device, state, runner->element, shape, shape, &inputs);
    if (status == 0)
        status = guarded_alloc(device, state, SIZE * SIZE, &c);
    if (status == 0)
        status = multiply(runner, library, &inputs, &c);
    guarded_free(device, state, &c);
    inputs_free(device, state, &inputs);
    return status;
}
