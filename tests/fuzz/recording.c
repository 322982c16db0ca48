/* What a process that a kernel controls says its calls were. */
#include "bench/record/recording.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

/* Reads the span to its end. */
static void touch(const struct recording *r, struct recording_span span) {
    volatile unsigned char last = 0;
    for (uint64_t i = 0; i < span.size; i++)
        last = r->blob[span.at + i];
    (void)last;
}

static void touch_launch(const struct recording *r, const struct recording_launch *launch) {
    touch(r, launch->bytes);
    fuzz_promise(strlen(recording_name(r, r->functions[launch->function].name)) > 0);
    for (uint32_t i = 0; i < launch->attributes; i++)
        fuzz_promise(launch->first_attribute + i < r->head.counts[RECORDING_TABLE_attributes]);
}

static void touch_address(const struct recording *r, struct recording_address address) {
    if (address.variable == RECORDING_NONE)
        fuzz_promise(address.offset - r->head.base < r->head.base_bytes);
    else
        fuzz_promise(address.offset < r->variables[address.variable].held.size);
}

static void touch_step(const struct recording *r, const struct recording_step *step) {
    fuzz_promise(step->kind > 0 && step->kind < RECORDING_KINDS);
    if (step->kind == RECORDING_LAUNCH) {
        touch_launch(r, &step->launch);
    } else if (step->kind == RECORDING_FILL) {
        touch_address(r, step->fill.to);
    } else if (step->kind == RECORDING_COPY) {
        touch_address(r, step->copy.to);
        touch_address(r, step->copy.from);
    }
}

void fuzz_recording(const uint8_t *data, size_t size) {
    struct recording r;
    const char *why = NULL;
    const int status = recording_read(data, size, &r, &why);
    fuzz_promise(status == 0 ? !why : status == 1 && why);
    if (status != 0)
        return;
    fuzz_read++;
    const uint32_t *counts = r.head.counts;
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_images]; i++)
        touch(&r, r.images[i].bytes);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_memories]; i++)
        touch(&r, r.memories[i].held);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_calls]; i++)
        for (uint32_t j = 0; j < r.calls[i].steps; j++)
            touch_step(&r, &r.steps[r.calls[i].first_step + j]);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_variables]; i++)
        touch(&r, r.variables[i].held);
    for (uint32_t i = 0; i < counts[RECORDING_TABLE_pointers]; i++) {
        touch(&r, (struct recording_span){r.pointers[i].at, 8});
        touch(&r, r.variables[r.pointers[i].variable].held);
    }
    fuzz_promise(r.blob[r.head.blob_bytes] == 0);
    recording_free(&r);
}
