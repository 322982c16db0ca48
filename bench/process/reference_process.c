#include "bench/process/reference_process.h"

#include "bench/base/error.h"
#include "bench/base/text.h"

#define OPEN_SECONDS 300

/* Asks; what fails is said, and is the end of the process. */
static int ask_reference(struct reference_process *reference, struct wire_request request,
                         double seconds, const char *what) {
    static struct wire_reply reply;
    struct runner_process *process = &reference->process;
    int code = 0;
    const enum process_answer answer = process_ask(process, &request, seconds, &reply, &code);
    if (answer == PROCESS_ANSWERED && reply.status == 0)
        return 0;
    clean_text(process->printed);
    if (answer == PROCESS_ANSWERED) {
        clean_text(reply.text);
        error("%s: %s: %s", what, reply.text, process->printed);
    } else if (answer == PROCESS_TIMED_OUT) {
        error("%s: no answer within %.3g s", what, seconds);
    } else if (answer != PROCESS_TROUBLE) {
        error("%s: its process died (%d): %s", what, code, process->printed);
    }
    reference_process_end(reference);
    return -1;
}

int reference_process_start(struct reference_process *reference, const struct wire_open *open,
                            size_t elements) {
    struct wire_open apart = *open;
    apart.reference = 1;
    *reference = (struct reference_process){.room = elements};
    if (process_start(&reference->process, INPUT_KINDS * elements * sizeof(float)) < 0)
        return -1;
    return ask_reference(reference, wire_open_request(apart), OPEN_SECONDS,
                         "the device cannot be opened for reference products");
}

bool reference_process_is_there(const struct reference_process *reference) {
    return reference->process.shared != NULL;
}

static bool same_shape(const struct reference_process *reference, struct shape shape) {
    return shape_compare(reference->shape, shape) == 0;
}

bool reference_process_has(const struct reference_process *reference, struct shape shape,
                           enum input_kind kind, uint64_t seed) {
    return reference_process_is_there(reference) && same_shape(reference, shape) &&
           reference->product[kind].made && reference->product[kind].seed == seed;
}

const float *reference_process_product(struct reference_process *reference, struct shape shape,
                                       enum input_kind kind, uint64_t seed, double seconds) {
    const uint64_t at = (uint64_t)kind * reference->room;
    const float *c = (const float *)reference->process.shared + at;
    if (reference_process_has(reference, shape, kind, seed))
        return c;
    if (!same_shape(reference, shape))
        for (int i = 0; i < INPUT_KINDS; i++)
            reference->product[i].made = false;
    reference->shape = shape;
    reference->product[kind].made = false;
    const struct wire_product product = {
        .shape = shape, .input_kind = kind, .seed = seed, .at = at};
    if (ask_reference(reference, wire_product_request(product), seconds,
                      "a reference product was not made") < 0)
        return NULL;
    reference->product[kind].made = true;
    reference->product[kind].seed = seed;
    return c;
}

void reference_process_end(struct reference_process *reference) {
    if (reference_process_is_there(reference))
        process_end(&reference->process);
    *reference = (struct reference_process){0};
}
