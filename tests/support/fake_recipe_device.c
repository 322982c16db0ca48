/* For tests: the driver of recipes where the GPU is the host. Its one kernel is the one of
 * tests/fuzz/corpus/cubin, k(struct operands, int, unsigned char *, char): the product, where the
 * memory that it is given begins with that char. A cubin with a B at byte 10 cannot be
 * loaded.
 * Calls are synchronous. */
#include "bench/recipe/recipe_device.h"

#include <stdlib.h>
#include <string.h>

#include "correctness/numbers/number16.h"
#include "tests/support/chunked_product.h"

struct operands {
    const uint16_t *a, *b_row;
    uint16_t *c;
    int64_t m, n, k;
};

struct recipe_ready {
    const struct recipe_step *step;
};

int recipe_device_open(const void *cubin, struct recipe_module **module, const char **why) {
    *module = NULL;
    *why = "its cubin cannot be loaded";
    return ((const char *)cubin)[10] == 'B' ? -1 : 0;
}

void recipe_device_close(struct recipe_module *module) {
    (void)module;
}

int64_t recipe_device_sms(void) {
    return 1;
}

int recipe_device_take(uint64_t bytes, uint8_t fill, uint64_t *address) {
    void *memory = malloc(bytes);
    *address = (uint64_t)(uintptr_t)memory;
    if (memory)
        memset(memory, fill, bytes);
    return memory ? 0 : 1;
}

int recipe_device_put(uint64_t address, const void *bytes, size_t size) {
    memcpy((void *)(uintptr_t)address, bytes, size);
    return 0;
}

void recipe_device_release(uint64_t address) {
    free((void *)(uintptr_t)address);
}

int recipe_device_prepare(const struct recipe_module *module, const struct recipe_step *step,
                          struct recipe_ready **ready) {
    (void)module;
    *ready = malloc(sizeof **ready);
    if (*ready)
        (*ready)->step = step;
    return *ready ? 0 : 1;
}

void recipe_device_drop(struct recipe_ready *ready) {
    free(ready);
}

int recipe_device_encode(const struct recipe_map *map, uint64_t address,
                         unsigned char bytes[RECIPE_MAP_BYTES]) {
    (void)map;
    (void)address;
    (void)bytes;
    return 1;
}

int recipe_device_fill(uint64_t address, uint8_t value, uint64_t bytes, void *stream) {
    (void)stream;
    memset((void *)(uintptr_t)address, value, bytes);
    return 0;
}

int recipe_device_launch(struct recipe_ready *ready, void *stream) {
    const struct recipe_step *step = ready->step;
    struct operands o;
    unsigned char *memory;
    (void)stream;
    memcpy(&o, step->bytes + step->parameters[0].at, sizeof o);
    memcpy(&memory, step->bytes + step->parameters[2].at, sizeof memory);
    if (*memory != step->bytes[step->parameters[3].at])
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

const char *recipe_device_words(int status) {
    return status == 1 ? "out of memory" : "an unknown status";
}
