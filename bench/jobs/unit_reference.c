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

static const char *const kinds[INPUT_KINDS] = {"normal", "binary"};

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
                 "--resume on another device, or here with --resume --reference cpu",
                 text, kinds[kind], session->label, what, fault->got, fault->want, fault->allowed);
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

/* Takes it out of the memory that a kernel will share. */
static int take_product(struct unit_context *context, struct runner_process *process,
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
        memcpy(c, process->shared, bytes);
        memset(process->shared, 0, bytes);
        return check_product(session, shape, kind, seed, c);
    }
    clean_text(reply.text);
    clean_text(process->printed);
    return error("%s has made no reference product: %s (%d): %s; go on with --resume on another "
                 "device, or here with --resume --reference cpu",
                 session->label,
                 answer == PROCESS_ANSWERED    ? reply.text
                 : answer == PROCESS_TIMED_OUT ? "no answer in time"
                                               : "its process died",
                 code, process->printed);
}

static bool are_there(const struct unit_context *context) {
    return shape_compare(context->session->reference.shape, context->unit->shape) == 0;
}

static int make_on_device(struct unit_context *context, struct runner_process *process) {
    struct device_session *session = context->session;
    const struct shape shape = context->unit->shape;
    unit_reference_free(session);
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        float *c = session->reference.product[kind] =
            malloc((size_t)(shape.m * shape.n) * sizeof *c);
        if (!c)
            return error("no memory for a reference product");
        session->unfit = take_product(context, process, (enum input_kind)kind, c) < 0;
        if (session->unfit)
            return -1;
    }
    session->reference.shape = shape;
    return 0;
}

static const float *make_here(const struct unit_context *context, enum input_kind kind) {
    return reference_product(context->plan->element, context->unit->shape, kind,
                             unit_reference_seed(context, kind));
}

int unit_reference_make(struct unit_context *context, struct runner_process *process) {
    const double start = clock_seconds();
    int status = 0;
    if (!context->session->reference_on_device)
        for (int kind = 0; kind < INPUT_KINDS && status == 0; kind++)
            status = make_here(context, (enum input_kind)kind) ? 0 : -1;
    else if (!are_there(context))
        status = make_on_device(context, process);
    context->reference_seconds += clock_seconds() - start;
    return status;
}

const float *unit_reference(struct unit_context *context, enum input_kind kind) {
    if (!context->session->reference_on_device)
        return make_here(context, kind);
    if (are_there(context))
        return context->session->reference.product[kind];
    error("no reference product was made before a kernel was loaded");
    return NULL;
}

const char *unit_reference_maker(const struct device_session *session) {
    return session->reference_on_device ? "gpu" : "cpu";
}

void unit_reference_free(struct device_session *session) {
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        free(session->reference.product[kind]);
        session->reference.product[kind] = NULL;
    }
    session->reference.shape = (struct shape){0};
}
