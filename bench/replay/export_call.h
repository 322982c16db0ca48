/* A call of a recording as the steps of a recipe (candidates/recipes/README.md). A recording has
 * the numbers of one shape, and so have these steps. */
#ifndef BENCH_REPLAY_EXPORT_CALL_H
#define BENCH_REPLAY_EXPORT_CALL_H

#include <stdbool.h>

#include <jansson.h>

#include "bench/base/shape.h"
#include "bench/replay/recording.h"

/* What the recipe calls the memory that the kernel has allocated. */
#define EXPORT_MEMORY "memory"

struct export_state {
    const struct recording *recording;
    struct shape padded;         /* of the operands */
    uint32_t image;              /* of its launches; RECORDING_NONE before the first */
    bool has_memory;             /* a step has an address in the kernel's own memory */
    bool lost;                   /* there was no memory for all of it */
    char why[RECORDING_WHY + 1]; /* the first reason why no recipe can say it; "" */
};

/* The steps of the call: a new reference; or NULL, with why, unless it is lost. */
json_t *export_call(struct export_state *state, uint32_t call);

/* Says why: words behind what no recipe can say. Returns false. */
bool export_refuse(struct export_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a member, whose reference is taken. */
void export_put(struct export_state *state, json_t *object, const char *key, json_t *value);
void export_append(struct export_state *state, json_t *array, json_t *value);

/* Whether it is an address of the range that operands and the kernel's memory lie in. */
bool export_is_address(const struct export_state *state, uint64_t word);

/* Adds to the object what the address is: where it begins, by the first key, and bytes behind that,
 * by the second. False with why where so many bytes from there on are in none of A, both B, C and
 * the kernel's memory; what names whose address it is. */
bool export_address(struct export_state *state, const struct recording_call *call, uint64_t address,
                    uint64_t bytes, const char *const keys[2], const char *what, json_t *object);

/* export_parameters.c: what the launch is given, as an array; NULL as of export_call. */
json_t *export_parameters(struct export_state *state, const struct recording_call *call,
                          const struct recording_launch *launch);

#endif
