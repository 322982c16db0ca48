/* For tests: a recording of calls of the kernel k(M, int, float *, char) of
 * tests/fuzz/corpus/cubin, whose M has 128 bytes, made step by step. SOURCE is the tree. Include
 * after cmocka.h. */
#ifndef TESTS_SUPPORT_MADE_RECORDING_H
#define TESTS_SUPPORT_MADE_RECORDING_H

#include <string.h>

#include "bench/base/files.h"
#include "bench/replay/recording_writer.h"
#include "tests/support/asserts.h"

#define MADE_SHAPE ((struct shape){24, 16, 48})
#define MADE_KERNEL "_Z1k1MiPfc"

/* Where operands are, C of the first call, and the kernel's own memory. */
enum { MADE_ARENA_BYTES = 4096, MADE_A_BYTES = 24 * 48 * 2, MADE_APART = 0x10000 };
#define MADE_BASE (UINT64_C(0x3ab) << 36)
#define MADE_A (MADE_BASE + MADE_APART)
#define MADE_B_ROW (MADE_BASE + 2 * MADE_APART)
#define MADE_B_COL (MADE_BASE + 3 * MADE_APART)
#define MADE_C (MADE_BASE + 4 * MADE_APART)
#define MADE_ARENA (MADE_BASE + (1 << 20))

/* Where the parameters of k are among its bytes. */
enum { MADE_BEGIN = 48, MADE_NUMBER = 176, MADE_POINTER = 184, MADE_MARK = 192, MADE_BYTES = 193 };

static struct recording_writer made;
static uint64_t made_c; /* of the call in hand */

static inline uint32_t made_image(const char *name) {
    struct file_bytes file;
    char path[PATH_MAX];
    assert_int_equal(files_join(path, SOURCE "/tests/fuzz/corpus/cubin", name), 0);
    assert_int_equal(file_bytes_read(path, &file), 0);
    const struct recording_image image = {recording_add_bytes(&made, file.bytes, file.size)};
    file_bytes_free(&file);
    return recording_add_image(&made, &image);
}

static inline uint32_t made_function(uint32_t image, const char *name) {
    return recording_add_function(
        &made,
        &(struct recording_function){.image = image,
                                     .carveout = -1,
                                     .name = recording_add_bytes(&made, name, strlen(name) + 1)});
}

/* Without any call yet, but with the function. */
static inline void made_begin(void) {
    recording_writer_free(&made);
    made.head = (struct recording_head){.base = MADE_BASE,
                                        .base_bytes = UINT64_C(1) << 36,
                                        .arena = MADE_ARENA,
                                        .arena_bytes = MADE_ARENA_BYTES};
    made_function(made_image("quiet"), MADE_KERNEL);
}

static inline void made_call(void) {
    const uint32_t number = recording_next(&made, RECORDING_TABLE_calls);
    made_c = MADE_C + number * MADE_APART;
    recording_add_call(
        &made, &(struct recording_call){.first_step = recording_next(&made, RECORDING_TABLE_steps),
                                        .a = MADE_A,
                                        .b_row = MADE_B_ROW,
                                        .b_col = MADE_B_COL,
                                        .c = made_c});
}

/* Adds a step of the call in hand, good until the next is added. */
static inline struct recording_step *made_step(const struct recording_step *step) {
    struct recording_call *call = recording_entry(&made, RECORDING_TABLE_calls,
                                                  recording_next(&made, RECORDING_TABLE_calls) - 1);
    call->steps++;
    return recording_entry(&made, RECORDING_TABLE_steps, recording_add_step(&made, step));
}

/* A launch of k: an M that begins with so many words, a pointer, and other numbers. */
static inline struct recording_launch *made_launch(const uint64_t *words, size_t count,
                                                   uint64_t pointer) {
    static const uint32_t at[4] = {MADE_BEGIN, MADE_NUMBER, MADE_POINTER, MADE_MARK};
    static const uint32_t sizes[4] = {128, 4, 8, 1};
    const int32_t number = -2;
    unsigned char bytes[MADE_BYTES] = {[MADE_MARK] = 5};
    memcpy(bytes + MADE_BEGIN, words, count * sizeof *words);
    memcpy(bytes + MADE_NUMBER, &number, sizeof number);
    memcpy(bytes + MADE_POINTER, &pointer, sizeof pointer);
    const struct recording_step step = {
        .kind = RECORDING_LAUNCH,
        .launch = {.grid = {8, 1, 1},
                   .block = {128, 2, 1},
                   .first_attribute = recording_next(&made, RECORDING_TABLE_attributes),
                   .first_parameter = recording_next(&made, RECORDING_TABLE_parameters),
                   .parameters = 4,
                   .first_pointer = recording_next(&made, RECORDING_TABLE_pointers),
                   .bytes = recording_add_bytes(&made, bytes, sizeof bytes)}};
    for (int i = 0; i < 4; i++)
        recording_add_parameter(&made, &(struct recording_parameter){at[i], sizes[i]});
    return &made_step(&step)->launch;
}

/* A launch as a plain kernel has it: sizes, A, B and C in a structure, and memory of its own. */
static inline struct recording_launch *made_product(void) {
    const uint64_t words[] = {24, MADE_A, MADE_B_ROW, made_c + 32, 0, 1};
    return made_launch(words, sizeof words / sizeof *words, MADE_ARENA + 512);
}

static inline struct recording_fill *made_fill(uint64_t to, uint64_t bytes) {
    const struct recording_step step = {.kind = RECORDING_FILL,
                                        .fill = {.to = {.variable = RECORDING_NONE, .offset = to},
                                                 .element = 1,
                                                 .width = bytes,
                                                 .height = 1}};
    return &made_step(&step)->fill;
}

static inline void made_hold(uint64_t at, const void *bytes, uint64_t size) {
    recording_add_memory(
        &made, &(struct recording_memory){.address = MADE_ARENA + at,
                                          .held = recording_add_bytes(&made, bytes, size)});
}

/* Two calls of a plain kernel. */
static inline void made_plain(void) {
    made_begin();
    for (int i = 0; i < 2; i++) {
        made_call();
        made_product();
    }
}

#endif
