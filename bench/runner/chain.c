#include "bench/runner/chain.h"

#include "bench/runner/visit.h"

_Static_assert(CHAIN_CALLS <= RUNNER_CHAIN, "there is room");

int chain_reserve(struct runner *runner, int count, int64_t elements) {
    for (int i = 0; i < CHAIN_CALLS; i++)
        runner->chain[i].place = layout_c(runner->shape, i);
    return runner_reserve(runner, runner->chain, &runner->chain_count, count, elements);
}

int chain_poison(struct runner *runner, int count) {
    struct fill fills[RUNNER_CHAIN];
    for (int i = 0; i < count; i++)
        fills[i] = runner_unwritten(runner, &runner->chain[i], runner->chain[i].elements);
    return runner->device->fill(runner->device_state, fills, count);
}

struct chain chain_start(const struct runner *runner, const struct arm *arm, bool whole) {
    return (struct chain){.arm = arm, .secret = runner->secret, .at = -1, .whole = whole};
}

/* The places of a call in the operands that it reads, with the values of that seed. */
static struct refill refill_of(const struct chain *chain, const struct inputs *inputs, int call,
                               uint64_t seed) {
    struct refill refill = {.places = visit_places(chain->secret, call)};
    inputs_fills(inputs, INPUT_NORMAL, seed, refill.fills);
    return refill;
}

int chain_next(struct runner *runner, struct chain *chain) {
    const struct inputs *inputs = chain->arm->inputs;
    const struct refill back = refill_of(chain, inputs, chain->at, runner->inputs_seed);
    const struct refill other =
        refill_of(chain, inputs, chain->at + 1, visit_places(chain->secret, chain->at + 1));
    const struct refill *first = chain->at < 0 ? NULL : &back;
    chain->at++;
    if (chain->whole)
        return runner->device->fill(runner->device_state, other.fills, 3);
    return runner->device->refill(runner->device_state, first, &other);
}

int chain_end(struct runner *runner, struct chain *chain) {
    const struct refill back = refill_of(chain, chain->arm->inputs, chain->at, runner->inputs_seed);
    if (chain->at < 0)
        return 0;
    chain->at = -1;
    return runner->device->refill(runner->device_state, &back, NULL);
}

int chain_keep(struct runner *runner, const struct arm *arm, int drawn, int output) {
    const int64_t ld = arm->problem.n;
    return runner->device->copy(runner->device_state, runner->chain[drawn].data, ld,
                                runner->outputs[output].data, ld, runner->shape.m, runner->shape.n);
}
