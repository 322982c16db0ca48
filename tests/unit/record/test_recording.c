/* A recording comes from a process that a kernel controls: what is out of bounds is refused. */
#include <stdlib.h>

#include "bench/base/files.h"
#include "tests/support/small_recording.h"
#include "tests/support/test.h"

static unsigned char bytes[1 << 16];
static uint64_t size;

/* Where the first entry of a table begins. */
static void *entry(enum recording_table table) {
    const struct recording_head *head = (const void *)bytes;
    size_t at = sizeof *head;
    for (int i = 0; i < (int)table; i++)
        at += head->counts[i] * recording_entry_bytes[i];
    return bytes + at;
}

static int make(void **state) {
    (void)state;
    size = small_recording(bytes, sizeof bytes);
    return size > 0 ? 0 : -1;
}

TEST_WITH(what_is_written_is_read, make, NULL) {
    struct recording recording;
    const char *why;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    assert_int_equal(recording.head.counts[RECORDING_TABLE_calls], 2);
    assert_string_equal(recording_name(&recording, recording.functions[0].name), "kernel");
    assert_string_equal(recording_name(&recording, recording.variables[0].name), "scale");
    assert_memory_equal(recording.blob + recording.memories[0].held.at, "held", 4);
    assert_int_equal(recording.calls[1].first_step, SMALL_STEPS);
    const struct recording_step *steps = recording.steps + SMALL_STEPS;
    assert_int_equal(steps[SMALL_LAUNCH].kind, RECORDING_LAUNCH);
    assert_int_equal(steps[SMALL_LAUNCH].launch.block[1], 2);
    assert_int_equal(recording.attributes[0].value[0], 1);
    recording_free(&recording);
}

TEST_WITH(a_later_write_changes_nothing, make, NULL) {
    struct recording recording;
    const char *why;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(recording.steps[0].kind, RECORDING_FILL);
    assert_string_equal(recording_name(&recording, recording.functions[0].name), "kernel");
    recording_free(&recording);
}

/* It is refused, with a reason. */
static void refuses(const char *expected) {
    struct recording recording;
    const char *why = NULL;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 1);
    assert_string_equal(why, expected);
}

TEST_WITH(every_shorter_one_is_refused, make, NULL) {
    struct recording recording;
    const char *why;
    for (uint64_t less = 0; less < size; less++) {
        assert_int_equal(recording_read(bytes, less, &recording, &why), 1);
        assert_non_null(why);
    }
    assert_int_equal(recording_read(bytes, size + 1, &recording, &why), 1);
}

/* One number of the small recording is set to another, and one at a time. */
#define PLANT(lvalue, number, expected)                                                            \
    do {                                                                                           \
        make(NULL);                                                                                \
        lvalue = number;                                                                           \
        refuses(expected);                                                                         \
    } while (0)

TEST_WITH(a_head_must_make_sense, make, NULL) {
    struct recording_head *head = (void *)bytes;
    PLANT(head->magic, 1, "it is of another format");
    PLANT(head->version, RECORDING_VERSION + 1, "it is of another format");
    PLANT(head->counts[0], RECORDING_MOST_ENTRIES + 1, "it has too many entries");
    PLANT(head->counts[RECORDING_TABLE_calls], 0, "it is not as long as it says");
    PLANT(head->blob_bytes, UINT64_MAX, "it is not as long as it says");
    PLANT(head->base, UINT64_MAX - 5, "its range of memory is malformed");
    PLANT(head->base_bytes, 0, "its range of memory is malformed");
    PLANT(head->arena, head->base - 1, "its range of memory is malformed");
    PLANT(head->arena_bytes, head->base_bytes, "its range of memory is malformed");
}

static const char no_image[] =
    "one of its images is no ELF file of code for a GPU, or not a whole one";

TEST_WITH(entries_stay_in_bounds, make, NULL) {
    struct recording_image *image = entry(RECORDING_TABLE_images);
    struct recording_function *function = entry(RECORDING_TABLE_functions);
    struct recording_variable *variable = entry(RECORDING_TABLE_variables);
    struct recording_memory *memory = entry(RECORDING_TABLE_memories);
    struct recording_call *call = entry(RECORDING_TABLE_calls);
    PLANT(image->bytes.at, UINT64_MAX, "one of its images is malformed");
    PLANT(image->bytes.size, 127, no_image);
    PLANT(image->bytes.size, UINT64_MAX, "one of its images is malformed");
    PLANT(function->image, 1, "one of its functions is malformed");
    PLANT(function->name.size, 6, "one of its functions is malformed");
    PLANT(function->name.size, 8, "one of its functions is malformed");
    PLANT(function->name.size, 0, "one of its functions is malformed");
    PLANT(function->most_dynamic_shared, -1, "one of its functions is malformed");
    PLANT(function->carveout, 101, "one of its functions is malformed");
    PLANT(function->large_clusters, 2, "one of its functions is malformed");
    PLANT(function->cache, 4, "one of its functions is malformed");
    PLANT(variable->image, 1, "one of its variables is malformed");
    PLANT(variable->image, RECORDING_NONE, "one of its variables is malformed");
    PLANT(variable->held.size, 0, "one of its variables is malformed");
    PLANT(variable->held.at, UINT64_MAX - 3, "one of its variables is malformed");
    PLANT(memory->address, SMALL_ARENA - 1, "one of its memories is malformed");
    PLANT(memory->address, SMALL_ARENA + 4093, "one of its memories is malformed");
    PLANT(memory->held.size, UINT64_MAX, "one of its memories is malformed");
    PLANT(call->first_step, 1, "one of its calls is malformed");
    PLANT(call[1].first_step, 0, "one of its calls is malformed");
    PLANT(call->steps, UINT32_MAX, "one of its calls is malformed");
    PLANT(call->c, SMALL_BASE - 1, "one of its calls is malformed");
    PLANT(call->a, SMALL_ARENA, "one of its calls is malformed");
}

/* PTX, or a file of several images, has no ELF header; one that is cut has its sections elsewhere.
 */
TEST_WITH(an_image_is_code_for_a_gpu, make, NULL) {
    struct recording_image *image = entry(RECORDING_TABLE_images);
    make(NULL);
    const struct recording_head *head = (const void *)bytes;
    unsigned char *elf = bytes + size - head->blob_bytes + image->bytes.at;
    Elf64_Ehdr *header = (void *)elf;
    memcpy(elf, "//\n// Generated by NVIDIA NVVM Compiler\n.version 9.0", 52);
    refuses(no_image);
    PLANT(header->e_ident[0], 0x50, no_image);
    PLANT(header->e_machine, 62, no_image);
    PLANT(header->e_shoff, 128, no_image);
    PLANT(header->e_phoff, 129, no_image);
    PLANT(((Elf64_Shdr *)(header + 1))->sh_size, 129, no_image);
}

/* In one that is whole. */
TEST_WITH(an_image_asks_the_device_for_nothing, make, NULL) {
    struct recording_writer writer = {.full = false};
    struct file_bytes file;
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/sm90", &file), 0);
    make(NULL);
    const struct recording_head *head = (const void *)bytes;
    unsigned char *blob = bytes + size - head->blob_bytes;
    struct recording_image *image = entry(RECORDING_TABLE_images);
    recording_add_bytes(&writer, blob, head->blob_bytes);
    image->bytes = recording_add_bytes(&writer, file.bytes, file.size);
    ((struct recording_head *)bytes)->blob_bytes = writer.blob.count;
    memcpy(blob, writer.blob.bytes, writer.blob.count);
    size = (uint64_t)(blob - bytes) + writer.blob.count;
    refuses("a kernel of it may print, allocate memory or launch kernels by itself");
    recording_writer_free(&writer);
    file_bytes_free(&file);
}

TEST_WITH(attributes_mean_the_same_elsewhere, make, NULL) {
    struct recording_attribute *attribute = entry(RECORDING_TABLE_attributes);
    struct recording recording;
    const char *why;
    attribute->id = RECORDING_PRIORITY;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    recording_free(&recording);
    attribute->id = 7; /* an event, which is another process's */
    refuses("one of its attributes is malformed");
    attribute->id = 1; /* lines of the L2 that persist, which outlast the call */
    refuses("one of its attributes is malformed");
}

TEST_WITH(a_step_is_a_launch_a_fill_or_a_copy, make, NULL) {
    struct recording_step *steps = entry(RECORDING_TABLE_steps);
    PLANT(steps[SMALL_COPY].kind, 0, "one of its steps is malformed");
    PLANT(steps[SMALL_COPY].kind, RECORDING_KINDS, "one of its steps is malformed");
    PLANT(steps[SMALL_COPY].kind, RECORDING_LAUNCH, "one of its steps is malformed");
}

static const char writes[] =
    "a fill or copy writes what is neither C of its call nor the kernel's own";
static const char reads[] =
    "a copy reads what is neither an operand of its call nor the kernel's own";

/* The fill has 192 bytes, the copy 8. */
TEST_WITH(only_c_and_its_own_memory_is_written, make, NULL) {
    struct recording_step *steps = entry(RECORDING_TABLE_steps);
    struct recording_call *call = entry(RECORDING_TABLE_calls);
    struct recording_copy *copy = &steps[SMALL_COPY].copy;
    struct recording_fill *fill = &steps[SMALL_FILL].fill;
    struct recording recording;
    const char *why;
    PLANT(fill->to.offset, SMALL_BASE, writes);                 /* A */
    PLANT(fill->to.offset, SMALL_BASE + 4096, writes);          /* B */
    PLANT(fill->to.offset, SMALL_BASE + 8192, writes);          /* B */
    PLANT(fill->to.offset, SMALL_BASE + 16384 - 8, writes);     /* before C */
    PLANT(fill->to.offset, SMALL_ARENA - 191, writes);          /* behind C */
    PLANT(fill->to.offset, SMALL_ARENA + 4096 - 191, writes);   /* behind the arena */
    PLANT(fill->to.offset, SMALL_BASE + (2 << 20) - 8, writes); /* behind the range */
    make(NULL);
    fill->to.offset = SMALL_ARENA - 192;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    recording_free(&recording);
    make(NULL);
    call[0].c = SMALL_BASE + 32768;
    steps[SMALL_FILL].fill.to.offset = SMALL_BASE + 16384; /* of the other call */
    refuses(writes);
    PLANT(copy->from.offset, SMALL_BASE - 8, reads);
    PLANT(copy->from.offset, SMALL_BASE + 4096 - 7, reads); /* from A into B */
    PLANT(copy->from.offset, SMALL_ARENA + 4096, reads);
    PLANT(copy->from.offset, UINT64_MAX, reads);
    make(NULL);
    copy->from.offset = SMALL_BASE + 16384;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    recording_free(&recording);
    copy->to = (struct recording_address){.variable = RECORDING_NONE, .offset = SMALL_BASE};
    refuses(writes);
}

TEST_WITH(launches_stay_in_bounds, make, NULL) {
    struct recording_launch *launch =
        &((struct recording_step *)entry(RECORDING_TABLE_steps))[1].launch;
    PLANT(launch->function, 1, "one of its steps is malformed");
    PLANT(launch->grid[1], 0, "one of its steps is malformed");
    PLANT(launch->grid[0], UINT32_MAX, "one of its steps is malformed");
    PLANT(launch->block[0], 1025, "one of its steps is malformed");
    PLANT(launch->shared_bytes, 2 << 20, "one of its steps is malformed");
    PLANT(launch->first_attribute, 1, "one of its steps is malformed");
    PLANT(launch->attributes, 2, "one of its steps is malformed");
    PLANT(launch->bytes.size, RECORDING_MOST_PARAMETERS + 1, "one of its steps is malformed");
    PLANT(launch->bytes.at, UINT64_MAX, "one of its steps is malformed");
}

TEST_WITH(pointers_stay_in_bounds, make, NULL) {
    const struct recording_head *head = (const void *)bytes;
    struct recording_pointer *pointer = entry(RECORDING_TABLE_pointers);
    PLANT(pointer->at, head->blob_bytes - 7, "one of its pointers is malformed");
    PLANT(pointer->at, UINT64_MAX, "one of its pointers is malformed");
    PLANT(pointer->variable, 1, "one of its pointers is malformed");
    PLANT(pointer->variable, RECORDING_NONE, "one of its pointers is malformed");
    PLANT(pointer->addend, 17, "one of its pointers is malformed");
}

TEST_WITH(fills_and_copies_stay_in_bounds, make, NULL) {
    struct recording_step *steps = entry(RECORDING_TABLE_steps);
    struct recording_fill *fill = &steps[0].fill;
    struct recording_copy *copy = &steps[2].copy;
    PLANT(fill->element, 3, "one of its steps is malformed");
    PLANT(fill->count, UINT64_MAX / 2, "one of its steps is malformed");
    PLANT(fill->count, 0, "one of its steps is malformed");
    PLANT(fill->to.variable, 1, "one of its steps is malformed");
    PLANT(copy->width, 9, "one of its steps is malformed");
    PLANT(copy->height, 0, "one of its steps is malformed");
    PLANT(copy->height, UINT64_MAX, "one of its steps is malformed");
    PLANT(copy->height, 2, "one of its steps is malformed"); /* rows that lie over each other */
    PLANT(copy->to.offset, UINT64_MAX, "one of its steps is malformed");
}

TEST_WITH(too_much_is_not_written, make, NULL) {
    struct recording_writer writer = {.full = false};
    unsigned char small[64];
    assert_int_equal(small_recording(small, sizeof small), 0);
    recording_add_bytes(&writer, NULL, RECORDING_MOST_BYTES + 1);
    assert_true(writer.full);
    assert_int_equal(recording_write(&writer, bytes, sizeof bytes), 0);
    recording_writer_free(&writer);
    for (uint32_t i = 0; i <= RECORDING_MOST_ENTRIES; i++)
        recording_add_attribute(&writer, &(struct recording_attribute){.id = 2});
    assert_true(writer.full);
    recording_writer_free(&writer);
}
