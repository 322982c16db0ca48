#include "bench/jobs/unit_reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/secret.h"
#include "bench/base/text.h"
#include "correctness/numbers/reference.h"
#include "correctness/numbers/reference_check.h"

static const enum input_kind kinds[] = {INPUT_NORMAL, INPUT_BINARY};
enum { KINDS = sizeof kinds / sizeof *kinds };

uint64_t unit_reference_seed(const struct unit_context *context, enum input_kind kind) {
    return seed_derive(context->seed, SEED_CHECK, kind == INPUT_BINARY ? 0 : 1);
}

/* A minute, and the time of the slowest device worth waiting for: 1 GFLOP/s. */
static double limit(struct shape shape) {
    return 60 + shape_flops(shape) / 1e9;
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
                 "--resume on another device",
                 text, kind == INPUT_BINARY ? "binary" : "normal", session->label, what, fault->got,
                 fault->want, fault->allowed);
}

/* With signs and rows that nobody can foresee. */
static int check_product(const struct device_session *session, struct shape shape,
                         enum input_kind kind, uint64_t seed, const float *c) {
    struct reference_fault fault;
    uint64_t secret;
    if (secret_draw(&secret) < 0)
        return -1;
    return reference_check(session->plan->element, shape, kind, seed, c, secret, &fault)
               ? 0
               : refuse_product(session, shape, kind, &fault);
}

/* Takes it out of the memory that a kernel will share. 0, or -1 after error(). */
static int take_product(const struct unit_context *context, struct runner_process *process,
                        enum input_kind kind, float *c) {
    static struct wire_reply reply;
    const struct device_session *session = context->session;
    const struct shape shape = context->unit->shape;
    const size_t bytes = (size_t)(shape.m * shape.n) * sizeof *c;
    const uint64_t seed = unit_reference_seed(context, kind);
    const struct wire_request request =
        wire_product_request((struct wire_product){.input_kind = kind, .seed = seed});
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, limit(shape), &reply, &code);
    if (answer == PROCESS_ANSWERED && reply.status == 0 && reply.outcome == OUTCOME_OK) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where none is given, the host makes it */
        memcpy(c, process->shared, bytes);
        memset(process->shared, 0, bytes);
        return check_product(session, shape, kind, seed, c);
    }
    clean_text(reply.text);
    clean_text(process->printed);
    return error("%s has made no reference product: %s (%d): %s; go on with --resume on another "
                 "device",
                 session->label,
                 answer == PROCESS_ANSWERED    ? reply.text
                 : answer == PROCESS_TIMED_OUT ? "no answer in time"
                                               : "its process died",
                 code, process->printed);
}

static float *make_on_device(struct unit_context *context, struct runner_process *process,
                             enum input_kind kind) {
    const struct shape shape = context->unit->shape;
    float *c = malloc((size_t)(shape.m * shape.n) * sizeof *c);
    if (!c) {
        error("no memory for a reference product");
        return NULL;
    }
    if (take_product(context, process, kind, c) == 0)
        return c;
    context->session->unfit = true;
    free(c);
    return NULL;
}

static bool are_there(const struct unit_context *context) {
    return shape_compare(context->session->reference.shape, context->unit->shape) == 0;
}

int unit_reference_make(struct unit_context *context, struct runner_process *process) {
    struct device_session *session = context->session;
    const struct shape shape = context->unit->shape;
    const double start = clock_seconds();
    if (are_there(context))
        return 0;
    unit_reference_free(session);
    for (int i = 0; i < KINDS; i++) {
        const enum input_kind kind = kinds[i];
        float *c = session->reference_on_device
                       ? make_on_device(context, process, kind)
                       : reference_product(context->plan->element, shape, kind,
                                           unit_reference_seed(context, kind));
        session->reference.product[kind] = c;
        if (!c)
            return -1;
    }
    session->reference.shape = shape;
    context->reference_seconds += clock_seconds() - start;
    return 0;
}

const float *unit_reference(struct unit_context *context, enum input_kind kind) {
    if (are_there(context) ||
        (!context->session->reference_on_device && unit_reference_make(context, NULL) == 0))
        return context->session->reference.product[kind];
    if (context->session->reference_on_device)
        error("no reference product was made before a kernel was loaded");
    return NULL;
}

void unit_reference_free(struct device_session *session) {
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        free(session->reference.product[kind]);
        session->reference.product[kind] = NULL;
    }
    session->reference.shape = (struct shape){0};
}
