/* For tests: a made recording (made_recording.h) written as a recipe into out/k of the scratch
 * folder. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_MADE_EXPORT_H
#define TESTS_SUPPORT_MADE_EXPORT_H

#include "bench/replay/export.h"
#include "candidates/gemmgate.h"
#include "tests/support/made_recording.h"
#include "tests/support/scratch.h"

static unsigned char bytes[1 << 20];
static uint64_t size;
static char why[RECORDING_WHY];
static struct export_request request;

static inline int export(void) {
    request.folder = scratch_path("out/k");
    size = recording_write(&made, bytes, sizeof bytes);
    assert_true(size > 0);
    return export_recipe(bytes, size, &request, why);
}

static inline int open_export(void **state) {
    request = (struct export_request){
        .shape = MADE_SHAPE, .padded = MADE_SHAPE, .element = ELEMENT_F16, .accumulate = GEMM_F32};
    made_plain();
    return scratch_make(state);
}

static inline int close_export(void **state) {
    recording_writer_free(&made);
    return scratch_remove(state);
}

static inline bool is_there(const char *name) {
    return access(scratch_path(name), F_OK) == 0;
}

static inline void attribute(uint32_t id, uint32_t first, uint32_t second) {
    struct recording_attribute attribute = {.id = id};
    memcpy(attribute.value, (uint32_t[]){first, second, 1}, 12);
    recording_add_attribute(&made, &attribute);
}

/* A map of A as cuTensorMapEncodeTiled was told; its bytes are what the driver makes of it. */
static inline struct recording_map *map(void) {
    struct recording_map made_map = {.bytes = "made by the driver",
                                     .address = MADE_A + 64,
                                     .rank = 2,
                                     .dims = {48, 24},
                                     .strides = {96},
                                     .box = {16, 8},
                                     .steps = {1, 1},
                                     .type = 6,
                                     .swizzle = 1,
                                     .l2_promotion = 2,
                                     .fill = 1};
    memcpy(made_map.bytes + 24, &made_map.address, sizeof made_map.address);
    return recording_entry(&made, RECORDING_TABLE_maps, recording_add_map(&made, &made_map));
}

/* A call whose M is that map. */
static inline void with_map(void) {
    uint64_t words[16];
    made_begin();
    made_call();
    memcpy(words, map()->bytes, sizeof words);
    made_launch(words, 16, MADE_C);
}

#endif
