/* What carrying out a recipe asks of the CUDA driver, on the current context. Statuses are the
 * driver's, 0 for success. */
#ifndef BENCH_RECIPE_RECIPE_DEVICE_H
#define BENCH_RECIPE_RECIPE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "candidates/recipe/recipe.h"

struct recipe_module;

/* A step that is ready to be launched; it reads the parameters of the step as they are then. */
struct recipe_ready;

/* Loads the cubin. 0, or -1 with *why (good until the next call). On failure there is nothing to
 * close. */
int recipe_device_open(const void *cubin, struct recipe_module **module, const char **why);
void recipe_device_close(struct recipe_module *module);

/* Multiprocessors of the device, or -1. */
int64_t recipe_device_sms(void);

/* Memory of the device, filled with a byte; copying to it waits. */
int recipe_device_take(uint64_t bytes, uint8_t fill, uint64_t *address);
int recipe_device_put(uint64_t address, const void *bytes, size_t size);
void recipe_device_release(uint64_t address);

/* Finds the step's function and sets its attributes. *ready is for recipe_device_drop in any case.
 */
int recipe_device_prepare(const struct recipe_module *module, const struct recipe_step *step,
                          struct recipe_ready **ready);
void recipe_device_drop(struct recipe_ready *ready);

/* Writes a CUtensorMap of memory at that address. */
int recipe_device_encode(const struct recipe_map *map, uint64_t address,
                         unsigned char bytes[RECIPE_MAP_BYTES]);

/* Enqueue on the stream, a cudaStream_t. */
int recipe_device_fill(uint64_t address, uint8_t value, uint64_t bytes, void *stream);
int recipe_device_launch(struct recipe_ready *ready, void *stream);

/* The driver's words for a status. */
const char *recipe_device_words(int status);

#endif
