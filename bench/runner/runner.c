#include "bench/runner/runner.h"

#include <malloc.h>
#include <stdio.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/outcome.h"
#include "bench/record/player.h"
#include "bench/runner/float_mode.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/values.h"

double runner_now(void) {
    return clock_raw_seconds();
}

void runner_wait_until(double moment) {
    while (runner_now() < moment)
        ;
}

uint64_t runner_heap(const struct runner *runner) {
    if (runner->device->device != GEMM_HOST)
        return 0;
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

int runner_launch(const struct arm *arm, const struct gemm_args *args) {
    const uint64_t ours = float_mode();
    const int status = arm->ops->launch(arm->state, args);
    float_mode_set(ours);
    return status;
}

const char *runner_forget_left(const struct runner *runner) {
    const struct device_ops *device = runner->device;
    return device->forget ? device->forget(runner->device_state) : NULL;
}

void runner_explain(const struct kernel_ops *ops, int status, char text[WIRE_TEXT]) {
    const uint64_t ours = float_mode();
    const char *words = ops->explain ? ops->explain(status) : NULL;
    float_mode_set(ours);
    if (words)
        snprintf(text, WIRE_TEXT, "%s (status %d)", words, status);
    else
        snprintf(text, WIRE_TEXT, "status %d", status);
}

static void free_all(struct runner *runner, struct guarded *buffers, int *count) {
    for (int i = 0; i < *count; i++)
        guarded_free(runner->device, runner->device_state, &buffers[i]);
    *count = 0;
}

static void take_down(struct arm *arm) {
    player_close(arm->player);
    if (!arm->player && arm->ops->teardown)
        arm->ops->teardown(arm->state);
}

void runner_forget(struct runner *runner) {
    for (int i = 0; i < runner->arm_count; i++)
        take_down(&runner->arms[i]);
    runner->arm_count = 0;
    for (int i = 0; i < runner->operand_count; i++)
        for (int call = 0; call < runner->operands[i].count; call++)
            inputs_free(runner->device, runner->device_state, &runner->operands[i].calls[call]);
    runner->operand_count = 0;
    free_all(runner, runner->outputs, &runner->output_count);
    free_all(runner, runner->row, &runner->row_count);
}

int runner_table(struct runner *runner, enum input_kind kind, int64_t k) {
    static uint16_t scaled[INPUT_TABLE_SIZE];
    const enum element element = runner->element;
    if (kind >= INPUT_TABLES || runner->table_k[kind] == k)
        return 0;
    runner->table_k[kind] = k;
    if (kind < INPUT_KINDS)
        return runner->device->load_table(runner->device_state, kind,
                                          input_table_for(element, kind, k));
    values_table(element, kind, k, input_table_for(element, INPUT_NORMAL, k), scaled);
    return runner->device->load_table(runner->device_state, kind, scaled);
}

/* Makes sure that `count` of the buffers, of which *there are there, have exactly `elements`
 * elements each. 0 or -1. */
static int reserve(struct runner *runner, struct guarded *buffers, int *there, int count,
                   int64_t elements) {
    if (*there >= count && buffers[0].elements == elements)
        return 0;
    free_all(runner, buffers, there);
    for (*there = 0; *there < count; ++*there)
        if (guarded_alloc(runner->device, runner->device_state, elements, &buffers[*there]) < 0)
            return -1;
    return 0;
}

struct fill runner_unwritten(const struct runner *runner, const struct guarded *c,
                             int64_t elements) {
    struct fill fill = poison_fill(c, elements);
    if (runner->finite_c)
        fill.constant = element_largest(runner->element);
    return fill;
}

int runner_outputs(struct runner *runner, int count, int64_t elements) {
    return reserve(runner, runner->outputs, &runner->output_count, count, elements);
}

int64_t runner_output_elements(const struct arm *arm) {
    return arm->problem.m * arm->problem.n;
}

_Static_assert(GEMM_ELEMENT_F16 == 1 << ELEMENT_F16 && GEMM_ELEMENT_BF16 == 1 << ELEMENT_BF16,
               "gemmgate.h has the elements in their order");

struct gemm_problem runner_problem(const struct runner *runner, struct shape padded) {
    return (struct gemm_problem){
        .m = padded.m,
        .n = padded.n,
        .k = padded.k,
        .accumulate = runner->accumulate,
        .element = 1 << runner->element,
    };
}

int runner_elements(const struct kernel_ops *ops) {
    return ops->elements ? ops->elements : GEMM_ELEMENT_F16;
}

struct gemm_args runner_args(const struct runner *runner, const struct arm *arm, int call,
                             const struct guarded *c) {
    const struct inputs *inputs = &arm->operands->calls[call];
    return (struct gemm_args){
        .problem = arm->problem,
        .a = inputs->a.data,
        .b_row = inputs->b_row.data,
        .b_col = inputs->b_col.data,
        .c = c->data,
        .stream = runner->device->stream(runner->device_state),
    };
}

int runner_buffers(struct runner *runner, struct guarded *list[RUNNER_BUFFERS]) {
    int count = 0;
    for (int i = 0; i < runner->operand_count && !runner->sealed; i++)
        for (int call = 0; call < runner->operands[i].count; call++) {
            struct inputs *inputs = &runner->operands[i].calls[call];
            list[count++] = &inputs->a;
            list[count++] = &inputs->b_row;
            list[count++] = &inputs->b_col;
        }
    for (int i = 0; i < runner->output_count; i++)
        list[count++] = &runner->outputs[i];
    for (int i = 0; i < runner->row_count; i++)
        list[count++] = &runner->row[i];
    return count;
}

/* Enqueues what an unwritten C holds for so many of them. 0 or -1. */
static int empty(struct runner *runner, const struct guarded *c, int count) {
    struct fill fills[WIRE_ARMS];
    for (int i = 0; i < count; i++)
        fills[i] = runner_unwritten(runner, &c[i], c[i].elements);
    return runner->device->fill(runner->device_state, fills, count);
}

_Static_assert(LAYOUT_CALLS <= WIRE_ARMS && LAYOUT_CALLS <= WIRE_RECORDED, "a row fits");

int runner_empty_row(struct runner *runner, int calls) {
    const int count = runner->strange ? runner->row_count : calls;
    runner->strange = false;
    return empty(runner, runner->row, count);
}

int runner_write_operands(struct runner *runner, int call, enum input_kind kind, uint64_t seed) {
    struct fill fills[3 * LAYOUT_OPERANDS];
    int count = 0;
    for (int i = 0; i < runner->operand_count; i++, count += 3)
        inputs_fills(&runner->operands[i].calls[call], kind, seed, fills + count);
    return runner->device->fill(runner->device_state, fills, count);
}

int runner_write_a(struct runner *runner, int call, uint64_t seed) {
    struct fill fills[3], first[LAYOUT_OPERANDS];
    for (int i = 0; i < runner->operand_count; i++) {
        inputs_fills(&runner->operands[i].calls[call], runner->inputs, seed, fills);
        first[i] = fills[0];
    }
    return runner->device->fill(runner->device_state, first, runner->operand_count);
}

int runner_refresh(struct runner *runner, uint64_t seed, int output_count) {
    const char *why;
    return runner_write_operands(runner, 0, runner->inputs, seed) < 0 ||
                   empty(runner, runner->outputs, output_count) < 0
               ? -1
               : runner->device->sync(runner->device_state, &why);
}

void runner_fault(struct wire_reply *reply, const char *text) {
    reply->status = -1;
    snprintf(reply->text, sizeof reply->text, "%s", text);
}

bool runner_await(struct runner *runner, const struct arm *arm, int status,
                  struct wire_reply *reply) {
    const char *why = "";
    if (status != 0) {
        runner_explain(arm->ops, status, reply->text);
        reply->outcome = OUTCOME_LAUNCH_FAILED;
        return false;
    }
    if (runner->device->sync(runner->device_state, &why) < 0) {
        snprintf(reply->text, sizeof reply->text, "%s", why);
        reply->outcome = OUTCOME_DEVICE_ERROR;
        return false;
    }
    return true;
}

/* Makes the operands of the next call in a row. 0 or -1. */
static int add_call(struct runner *runner, struct operands *operands) {
    const enum layout_operands whose = operands->whose;
    uint64_t offsets[3];
    struct inputs *inputs = &operands->calls[operands->count];
    layout_operands(runner->shape, whose, operands->count, offsets);
    *inputs = (struct inputs){.a = {.offset = offsets[0], .sealed = true},
                              .b_row = {.offset = offsets[1], .sealed = true},
                              .b_col = {.offset = offsets[2], .sealed = true}};
    if (inputs_alloc(runner->device, runner->device_state, runner->element, runner->shape,
                     operands->padded, inputs) < 0)
        return -1;
    operands->count++;
    return 0;
}

const struct operands *runner_operands(struct runner *runner, struct shape padded,
                                       enum layout_operands whose) {
    for (int i = 0; i < runner->operand_count; i++)
        if (shape_compare(runner->operands[i].padded, padded) == 0)
            return &runner->operands[i];
    if (runner->operand_count == LAYOUT_OPERANDS)
        return NULL;
    struct operands *operands = &runner->operands[runner->operand_count];
    *operands = (struct operands){.padded = padded, .whose = whose};
    if (add_call(runner, operands) < 0)
        return NULL;
    runner->operand_count++;
    return operands;
}

int runner_row(struct runner *runner, int calls, int64_t elements) {
    if (calls > layout_calls(runner->shape))
        return error("%d calls in a row have no room", calls);
    for (int i = 0; i < runner->operand_count; i++)
        while (runner->operands[i].count < calls)
            if (add_call(runner, &runner->operands[i]) < 0)
                return -1;
    for (int i = 0; i < calls; i++)
        runner->row[i].offset = layout_c(runner->shape, i);
    runner->strange |= runner->row_count != calls;
    return reserve(runner, runner->row, &runner->row_count, calls, elements);
}
