/* A recording that has an entry of every table. */
#ifndef TESTS_SUPPORT_SMALL_RECORDING_H
#define TESTS_SUPPORT_SMALL_RECORDING_H

#include <elf.h>
#include <string.h>

#include "bench/record/recording_writer.h"

#define SMALL_BASE (UINT64_C(1) << 44)
#define SMALL_ARENA (SMALL_BASE + (1 << 20))

/* The least that is an image of code for a GPU: one section, which has no names. */
static inline struct recording_image small_image(struct recording_writer *writer) {
    const struct {
        Elf64_Ehdr header;
        Elf64_Shdr names;
    } elf = {.header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
                        .e_machine = 190,
                        .e_flags = 90,
                        .e_shoff = sizeof(Elf64_Ehdr),
                        .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shnum = 1},
             .names = {.sh_type = SHT_STRTAB}};
    return (struct recording_image){recording_add_bytes(writer, &elf, sizeof elf)};
}

/* The steps of a call of it. */
enum { SMALL_FILL, SMALL_LAUNCH, SMALL_COPY, SMALL_STEPS };

/* Two calls. Returns how many bytes it has. */
static inline uint64_t small_recording(void *to, uint64_t room) {
    struct recording_writer writer = {
        .head = {
            .base = SMALL_BASE, .base_bytes = 2 << 20, .arena = SMALL_ARENA, .arena_bytes = 4096}};
    const struct recording_image image = small_image(&writer);
    const uint64_t parameters[3] = {SMALL_BASE, SMALL_ARENA, 7};
    const uint32_t none = RECORDING_NONE;
    recording_add_image(&writer, &image);
    recording_add_function(&writer,
                           &(struct recording_function){
                               .most_dynamic_shared = 65536,
                               .carveout = -1,
                               .name = recording_add_bytes(&writer, "kernel", sizeof "kernel")});
    recording_add_variable(
        &writer, &(struct recording_variable){.name = recording_add_bytes(&writer, "scale", 6),
                                              .held = recording_add_bytes(&writer, NULL, 16)});
    recording_add_memory(
        &writer, &(struct recording_memory){.address = SMALL_ARENA + 512,
                                            .held = recording_add_bytes(&writer, "held", 4)});
    recording_add_attribute(&writer, &(struct recording_attribute){.id = 2, .value = {1}});
    const struct recording_step launch = {
        .kind = RECORDING_LAUNCH,
        .launch = {.grid = {8, 1, 1},
                   .block = {128, 2, 1},
                   .shared_bytes = 1024,
                   .attributes = 1,
                   .bytes = recording_add_bytes(&writer, parameters, sizeof parameters)}};
    const struct recording_step fill = {.kind = RECORDING_FILL,
                                        .fill = {.to = {.variable = none, .offset = SMALL_ARENA},
                                                 .value = 1,
                                                 .element = 4,
                                                 .count = 48}};
    const struct recording_step copy = {.kind = RECORDING_COPY,
                                        .copy = {.to = {.variable = 0, .offset = 8},
                                                 .from = {.variable = none, .offset = SMALL_BASE},
                                                 .width = 8,
                                                 .height = 1}};
    recording_add_pointer(
        &writer,
        &(struct recording_pointer){.at = launch.launch.bytes.at + 16, .variable = 0, .addend = 4});
    for (uint32_t call = 0; call < 2; call++) {
        const uint32_t first = SMALL_STEPS * call;
        recording_add_step(&writer, &fill);
        recording_add_step(&writer, &launch);
        recording_add_step(&writer, &copy);
        recording_add_call(&writer, &(struct recording_call){.first_step = first,
                                                             .steps = SMALL_STEPS,
                                                             .a = SMALL_BASE,
                                                             .b_row = SMALL_BASE + 4096,
                                                             .b_col = SMALL_BASE + 8192,
                                                             .c = SMALL_BASE + 16384});
    }
    const uint64_t written = recording_write(&writer, to, room);
    recording_writer_free(&writer);
    return written;
}

#endif
