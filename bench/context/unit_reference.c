#include "bench/context/unit_reference.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "correctness/numbers/reference.h"
#include "correctness/numbers/reference_check.h"

static const char *const kinds[INPUT_KINDS] = {"normal", "binary"};

uint64_t unit_reference_seed(const struct unit_context *context, enum input_kind kind) {
    return seed_derive(context->seed, SEED_CHECK, kind == INPUT_BINARY ? 0 : 1);
}

/* A minute, and the time of the slowest device worth waiting for: 1 GFLOP/s. */
static double limit(struct shape shape) {
    return 60 + shape_flops(shape) / 1e9;
}

static int start(struct device_session *session) {
    const struct plan *plan = session->plan;
    struct wire_open open = {
        .ordinal = session->ordinal,
        .element = plan->element,
        .alone = session->alone,
    };
    snprintf(open.device_kind, sizeof open.device_kind, "%s", plan->device_kind);
    return reference_process_is_there(&session->reference)
               ? 0
               : reference_process_start(&session->reference, &open,
                                         suite_largest_product(&plan->suite));
}

/* The product and what it should be, in double. */
static int refuse_product(const struct device_session *session, struct shape shape,
                          enum input_kind kind, const struct reference_fault *fault) {
    char text[SHAPE_TEXT], what[96];
    shape_format(shape, text);
    if (fault->col >= 0)
        snprintf(what, sizeof what, "C[%" PRId64 "][%" PRId64 "] is", fault->row, fault->col);
    else
        snprintf(what, sizeof what, "row %" PRId64 " of C, under random signs, sums to",
                 fault->row);
    return error("the reference product of %s on %s inputs, made on %s, fails its own check: %s "
                 "%.9g, where the processor finds %.9g and %.3g apart are allowed. The device, its "
                 "memory or its driver computes wrongly; no kernel has failed by it. Go on with "
                 "--resume on another device, or here with --resume --reference cpu",
                 text, kinds[kind], session->label, what, fault->got, fault->want, fault->allowed);
}

/* With signs and rows that nobody can foresee. */
static int check_product(const struct device_session *session, struct shape shape,
                         enum input_kind kind, uint64_t seed, const float *c) {
    struct reference_fault fault;
    uint64_t secret;
    if (getrandom(&secret, sizeof secret, 0) != sizeof secret)
        return error("no random number to be had: %s", strerror(errno));
    return reference_check(session->plan->element, shape, kind, seed, c, secret, &fault)
               ? 0
               : refuse_product(session, shape, kind, &fault);
}

static const float *make_on_device(struct unit_context *context, enum input_kind kind) {
    struct device_session *session = context->session;
    struct reference_process *reference = &session->reference;
    const struct shape shape = context->unit->shape;
    const uint64_t seed = unit_reference_seed(context, kind);
    const bool there = reference_process_has(reference, shape, kind, seed);
    if (start(session) < 0)
        return NULL;
    const float *c = reference_process_product(reference, shape, kind, seed, limit(shape));
    if (!c) {
        error("%s has made no reference product: go on with --resume on another device, or here "
              "with --resume --reference cpu",
              session->label);
        goto unfit;
    }
    if (there || check_product(session, shape, kind, seed, c) == 0)
        return c;
unfit:
    reference_process_end(reference);
    session->unfit = true;
    return NULL;
}

const float *unit_reference(struct unit_context *context, enum input_kind kind) {
    const double start_time = clock_seconds();
    const float *c = context->session->reference_on_device
                         ? make_on_device(context, kind)
                         : reference_product(context->plan->element, context->unit->shape, kind,
                                             unit_reference_seed(context, kind));
    context->reference_seconds += clock_seconds() - start_time;
    return c;
}

int unit_reference_make(struct unit_context *context) {
    for (int kind = 0; kind < INPUT_KINDS; kind++)
        if (!unit_reference(context, (enum input_kind)kind))
            return -1;
    return 0;
}

const char *unit_reference_maker(const struct device_session *session) {
    return session->reference_on_device ? "gpu" : "cpu";
}

bool unit_reference_give_way(struct device_session *session) {
    if (!reference_process_is_there(&session->reference))
        return false;
    warning("%s takes one process at a time: reference products are made on the processor from now "
            "on",
            session->label);
    reference_process_end(&session->reference);
    session->reference_on_device = false;
    return true;
}
