#include "tests/support/fake_cubin.h"

#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/number16.h"
#include "tests/support/chunked_product.h"

enum { MEMORIES = 8 };

struct fake_cubin {
    const struct recording *recording;
    unsigned char *memories[MEMORIES];
    struct player_operands operands;
};

/* What the kernel is given. */
struct parameters {
    const uint16_t *a, *b_row;
    uint16_t *c;
    int64_t m, n, k;
};

int fake_cubin_open(const struct recording *recording, struct fake_cubin **result) {
    struct fake_cubin *cubin = *result = calloc(1, sizeof *cubin);
    if (!cubin || recording->blob[recording->images[0].bytes.at + 10] == 'B')
        return 1;
    cubin->recording = recording;
    for (uint32_t i = 0; i < recording->head.counts[RECORDING_TABLE_variables]; i++)
        if (!(cubin->memories[i] = malloc(recording_variable_bytes(&recording->variables[i]))))
            return 1;
    return 0;
}

void fake_cubin_close(struct fake_cubin *cubin) {
    for (int i = 0; cubin && i < MEMORIES; i++)
        free(cubin->memories[i]);
    free(cubin);
}

void fake_cubin_restore(struct fake_cubin *cubin) {
    const struct recording *r = cubin->recording;
    for (uint32_t i = 0; i < r->head.counts[RECORDING_TABLE_variables]; i++) {
        const struct recording_variable *from = &r->variables[i];
        memcpy(cubin->memories[i], r->blob + from->held.at, from->held.size);
        memset(cubin->memories[i] + from->held.size, (int)from->fill, from->rest);
    }
}

static uint64_t address_of(const struct fake_cubin *cubin, uint32_t variable, uint64_t offset) {
    const struct player_operands *o = &cubin->operands;
    const uint64_t operands[] = {o->a, o->b_row, o->b_col, o->c, 0};
    return offset + (variable >= RECORDING_A ? operands[variable - RECORDING_A]
                                             : (uint64_t)(uintptr_t)cubin->memories[variable]);
}

static int launch(const struct fake_cubin *cubin, const struct recording_launch *launch) {
    const struct recording *r = cubin->recording;
    const struct recording_parameter *list = r->parameters + launch->first_parameter;
    unsigned char bytes[RECORDING_MOST_PARAMETERS], *memory;
    struct parameters o;
    memcpy(bytes, r->blob + launch->bytes.at, launch->bytes.size);
    for (uint32_t i = 0; i < launch->pointers; i++) {
        const struct recording_pointer *p = &r->pointers[launch->first_pointer + i];
        const uint64_t address = address_of(cubin, p->variable, p->addend);
        memcpy(bytes + p->offset, &address, sizeof address);
    }
    memcpy(&o, bytes + list[0].offset, sizeof o);
    memcpy(&memory, bytes + list[2].offset, sizeof memory);
    if (*memory != bytes[list[3].offset])
        return 0; /* C stays as it was */
    const struct shape shape = {o.m, o.n, o.k};
    float *sums = malloc((size_t)(o.m * o.n) * sizeof *sums);
    if (!sums)
        return 1;
    chunked_product(ELEMENT_F16, shape, o.a, o.b_row, sums);
    for (int64_t i = 0; i < o.m * o.n; i++)
        o.c[i] = number16_from_float(ELEMENT_F16, sums[i]);
    free(sums);
    return 0;
}

int fake_cubin_play(struct fake_cubin *cubin, const struct player_operands *operands) {
    const struct recording *r = cubin->recording;
    int status = 0;
    cubin->operands = *operands;
    for (uint32_t i = 0; i < r->calls[0].steps && status == 0; i++) {
        const struct recording_step *step = &r->steps[i];
        const struct recording_fill *fill = &step->fill;
        if (step->kind == RECORDING_LAUNCH)
            status = launch(cubin, &step->launch);
        else
            memset((void *)(uintptr_t)address_of(cubin, fill->to.variable, fill->to.offset),
                   (int)fill->value, fill->width);
    }
    return status;
}
