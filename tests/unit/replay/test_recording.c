/* A recording comes from a process that a kernel controls: what is out of bounds is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/small_recording.h"

static unsigned char bytes[1 << 16];
static uint64_t size;

/* Where the first entry of a table begins. */
static void *entry(enum recording_table table) {
    static const size_t sizes[] = {
#define X(type, name) sizeof(struct recording_##type),
        RECORDING_TABLES(X)
#undef X
    };
    const struct recording_head *head = (const void *)bytes;
    size_t at = sizeof *head;
    for (int i = 0; i < (int)table; i++)
        at += head->counts[i] * sizes[i];
    return bytes + at;
}

static int make(void **state) {
    (void)state;
    size = small_recording(bytes, sizeof bytes);
    return size > 0 ? 0 : -1;
}

static void what_is_written_is_read(void **state) {
    struct recording recording;
    const char *why;
    (void)state;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    assert_int_equal(recording.head.counts[RECORDING_TABLE_calls], 2);
    assert_int_equal(recording.head.streams, 1);
    assert_string_equal(recording_name(&recording, recording.functions[0].name), "kernel");
    assert_string_equal(recording_name(&recording, recording.variables[0].name), "scale");
    assert_memory_equal(recording.blob + recording.memories[0].held.at, "held", 4);
    assert_int_equal(recording.calls[1].first_step, 3);
    assert_int_equal(recording.steps[4].kind, RECORDING_LAUNCH);
    assert_int_equal(recording.steps[4].launch.block[1], 2);
    assert_int_equal(recording.attributes[0].value[0], 1);
    assert_int_equal(recording.maps[0].rank, 2);
    recording_free(&recording);
}

/* As those of a graph that is launched in both calls. */
static void launches_may_share_parameters(void **state) {
    struct recording recording;
    const char *why;
    struct recording_step *steps = entry(RECORDING_TABLE_steps);
    (void)state;
    steps[4].launch = steps[1].launch;
    assert_int_equal(recording_read(bytes, size, &recording, &why), 0);
    assert_int_equal(recording.steps[4].launch.first_parameter, 0);
    recording_free(&recording);
}

static void a_later_write_changes_nothing(void **state) {
    struct recording recording;
    const char *why;
    (void)state;
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

static void every_shorter_one_is_refused(void **state) {
    struct recording recording;
    const char *why;
    (void)state;
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

static void a_head_must_make_sense(void **state) {
    struct recording_head *head = (void *)bytes;
    (void)state;
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

static void entries_stay_in_bounds(void **state) {
    struct recording_image *image = entry(RECORDING_TABLE_images);
    struct recording_function *function = entry(RECORDING_TABLE_functions);
    struct recording_variable *variable = entry(RECORDING_TABLE_variables);
    struct recording_memory *memory = entry(RECORDING_TABLE_memories);
    struct recording_map *map = entry(RECORDING_TABLE_maps);
    struct recording_call *call = entry(RECORDING_TABLE_calls);
    (void)state;
    PLANT(map->rank, RECORDING_RANK + 1, "one of its maps is malformed");
    PLANT(image->bytes.at, UINT64_MAX, "one of its images is malformed");
    PLANT(image->bytes.size, 63, "one of its images is malformed");
    PLANT(image->bytes.size, UINT64_MAX, "one of its images is malformed");
    PLANT(function->image, 1, "one of its functions is malformed");
    PLANT(function->name.size, 6, "one of its functions is malformed");
    PLANT(function->name.size, 8, "one of its functions is malformed");
    PLANT(function->name.size, 0, "one of its functions is malformed");
    PLANT(function->most_dynamic_shared, -1, "one of its functions is malformed");
    PLANT(function->carveout, 101, "one of its functions is malformed");
    PLANT(function->large_clusters, 2, "one of its functions is malformed");
    PLANT(variable->image, 1, "one of its variables is malformed");
    PLANT(variable->held.size, 0, "one of its variables is malformed");
    PLANT(variable->held.at, UINT64_MAX - 3, "one of its variables is malformed");
    PLANT(memory->address, SMALL_ARENA - 1, "one of its memories is malformed");
    PLANT(memory->address, SMALL_ARENA + 4093, "one of its memories is malformed");
    PLANT(memory->held.size, UINT64_MAX, "one of its memories is malformed");
    PLANT(call->first_step, 4, "one of its calls is malformed");
    PLANT(call->steps, UINT32_MAX, "one of its calls is malformed");
    PLANT(call->c, SMALL_BASE - 1, "one of its calls is malformed");
    PLANT(call->a, SMALL_BASE + (2 << 20), "one of its calls is malformed");
}

static void launches_stay_in_bounds(void **state) {
    struct recording_launch *launch =
        &((struct recording_step *)entry(RECORDING_TABLE_steps))[1].launch;
    struct recording_parameter *parameter = entry(RECORDING_TABLE_parameters);
    struct recording_pointer *pointer = entry(RECORDING_TABLE_pointers);
    (void)state;
    PLANT(launch->function, 1, "one of its steps is malformed");
    PLANT(launch->grid[1], 0, "one of its steps is malformed");
    PLANT(launch->grid[0], UINT32_MAX, "one of its steps is malformed");
    PLANT(launch->block[0], 1025, "one of its steps is malformed");
    PLANT(launch->shared_bytes, 2 << 20, "one of its steps is malformed");
    PLANT(launch->first_attribute, 1, "one of its steps is malformed");
    PLANT(launch->attributes, 2, "one of its steps is malformed");
    PLANT(launch->first_parameter, UINT32_MAX, "one of its steps is malformed");
    PLANT(launch->parameters, 7, "one of its steps is malformed");
    PLANT(launch->pointers, 3, "one of its steps is malformed");
    PLANT(launch->parameters, RECORDING_MOST_LOOKS, "its launches have too many parameters");
    PLANT(launch->pointers, RECORDING_MOST_LOOKS, "its launches have too many parameters");
    PLANT(launch->attributes, RECORDING_MOST_LOOKS, "its launches have too many parameters");
    PLANT(launch->bytes.size, 23, "one of its steps is malformed");
    PLANT(launch->bytes.size, RECORDING_MOST_PARAMETERS + 1, "one of its steps is malformed");
    PLANT(launch->bytes.at, UINT64_MAX, "one of its steps is malformed");
    PLANT(parameter->offset, 17, "one of its steps is malformed");
    PLANT(parameter->size, 0, "one of its steps is malformed");
    PLANT(pointer->offset, 17, "one of its steps is malformed");
    PLANT(pointer->variable, 1, "one of its steps is malformed");
    PLANT(pointer->addend, 17, "one of its steps is malformed");
}

static void fills_and_copies_stay_in_bounds(void **state) {
    struct recording_step *steps = entry(RECORDING_TABLE_steps);
    struct recording_fill *fill = &steps[0].fill;
    struct recording_copy *copy = &steps[2].copy;
    (void)state;
    PLANT(steps[0].kind, 0, "one of its steps is malformed");
    PLANT(steps[0].kind, RECORDING_KINDS, "one of its steps is malformed");
    PLANT(fill->element, 3, "one of its steps is malformed");
    PLANT(fill->width, UINT64_MAX / 2, "one of its steps is malformed");
    PLANT(fill->height, 0, "one of its steps is malformed");
    PLANT(fill->height, UINT64_MAX, "one of its steps is malformed");
    PLANT(fill->pitch, 63, "one of its steps is malformed");
    PLANT(fill->to.offset, SMALL_BASE - 4, "one of its steps is malformed");
    PLANT(fill->to.offset, SMALL_BASE + (2 << 20) - 8, "one of its steps is malformed");
    PLANT(fill->to.variable, 1, "one of its steps is malformed");
    PLANT(copy->width, 9, "one of its steps is malformed");
    PLANT(copy->to.offset, UINT64_MAX, "one of its steps is malformed");
    PLANT(copy->from.offset, 0, "one of its steps is malformed");
}

static void too_much_is_not_written(void **state) {
    struct recording_writer writer = {.full = false};
    unsigned char small[64];
    (void)state;
    assert_int_equal(small_recording(small, sizeof small), 0);
    recording_add_bytes(&writer, NULL, RECORDING_MOST_BYTES + 1);
    assert_true(writer.full);
    assert_int_equal(recording_write(&writer, bytes, sizeof bytes), 0);
    recording_writer_free(&writer);
    for (uint32_t i = 0; i <= RECORDING_MOST_ENTRIES; i++)
        recording_add_parameter(&writer, &(struct recording_parameter){0, 1});
    assert_true(writer.full);
    recording_writer_free(&writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_written_is_read, make),
        cmocka_unit_test_setup(launches_may_share_parameters, make),
        cmocka_unit_test_setup(a_later_write_changes_nothing, make),
        cmocka_unit_test_setup(every_shorter_one_is_refused, make),
        cmocka_unit_test_setup(a_head_must_make_sense, make),
        cmocka_unit_test_setup(entries_stay_in_bounds, make),
        cmocka_unit_test_setup(launches_stay_in_bounds, make),
        cmocka_unit_test_setup(fills_and_copies_stay_in_bounds, make),
        cmocka_unit_test_setup(too_much_is_not_written, make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
