/* In builds without CUDA no recipe can be carried out. */
#include <stddef.h>

#include "bench/recipe/recipe_device.h"

enum { UNKNOWN = 1 };

int recipe_device_open(const void *cubin, struct recipe_module **module, const char **why) {
    (void)cubin;
    *module = NULL;
    *why = "a recipe needs a GPU, and this gemmgate was built without CUDA";
    return -1;
}

void recipe_device_close(struct recipe_module *module) {
    (void)module;
}

int64_t recipe_device_sms(void) {
    return -1;
}

int recipe_device_take(uint64_t bytes, uint8_t fill, uint64_t *address) {
    (void)bytes;
    (void)fill;
    *address = 0;
    return UNKNOWN;
}

int recipe_device_put(uint64_t address, const void *bytes, size_t size) {
    (void)address;
    (void)bytes;
    (void)size;
    return UNKNOWN;
}

void recipe_device_release(uint64_t address) {
    (void)address;
}

int recipe_device_prepare(const struct recipe_module *module, const struct recipe_step *step,
                          struct recipe_ready **ready) {
    (void)module;
    (void)step;
    *ready = NULL;
    return UNKNOWN;
}

void recipe_device_drop(struct recipe_ready *ready) {
    (void)ready;
}

int recipe_device_encode(const struct recipe_map *map, uint64_t address,
                         unsigned char bytes[RECIPE_MAP_BYTES]) {
    (void)map;
    (void)address;
    (void)bytes;
    return UNKNOWN;
}

int recipe_device_fill(uint64_t address, uint8_t value, uint64_t bytes, void *stream) {
    (void)address;
    (void)value;
    (void)bytes;
    (void)stream;
    return UNKNOWN;
}

int recipe_device_launch(struct recipe_ready *ready, void *stream) {
    (void)ready;
    (void)stream;
    return UNKNOWN;
}

const char *recipe_device_words(int status) {
    (void)status;
    return "no recipe can be carried out";
}
