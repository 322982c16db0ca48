/* What no recipe says is refused, with the reason, and leaves no file. */
#include "bench/replay/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/made_export.h"
#include "tests/support/small_recording.h"
#include "tests/support/stderr.h"

/* Faults, one at a time, planted into two calls of a plain kernel. */
static struct recording_launch *launch_of(uint32_t step) {
    return &((struct recording_step *)recording_entry(&made, RECORDING_TABLE_steps, step))->launch;
}

static void set_word(uint32_t at, uint64_t word) {
    for (uint32_t i = 0; i < 2; i++)
        memcpy(made.blob.bytes + launch_of(i)->bytes.at + at, &word, sizeof word);
}

static void one_byte_behind_a(void) {
    set_word(MADE_POINTER, MADE_A + MADE_A_BYTES);
}
static void before_everything(void) {
    set_word(MADE_POINTER, MADE_BASE);
}
static void behind_its_memory(void) {
    set_word(MADE_BEGIN + 40, MADE_ARENA + MADE_ARENA_BYTES);
}
static void another_calls_c(void) {
    set_word(MADE_POINTER, MADE_C);
}
static void a_variables_address(void) {
    recording_add_variable(
        &made, &(struct recording_variable){.name = recording_add_bytes(&made, "sv", 3),
                                            .held = recording_add_bytes(&made, NULL, 16)});
    recording_add_pointer(&made,
                          &(struct recording_pointer){MADE_POINTER, 0, 4, RECORDING_NONE, 0});
    launch_of(0)->pointers = 1;
}
static void a_changed_variable(void) {
    recording_add_variable(
        &made, &(struct recording_variable){.name = recording_add_bytes(&made, "sv", 3),
                                            .held = recording_add_bytes(&made, NULL, 16)});
}
static void two_modules(void) {
    made_begin();
    made_call();
    made_product();
    made_product()->function = made_function(made_image("quiet80"), MADE_KERNEL);
}
static void a_copy(void) {
    made_step(&(struct recording_step){.kind = RECORDING_COPY,
                                       .copy = {.to = {RECORDING_NONE, 0, MADE_ARENA},
                                                .from = {RECORDING_NONE, 0, MADE_A},
                                                .width = 8,
                                                .height = 1}});
}
static void a_fill_of_ones(void) {
    struct recording_fill *fill = made_fill(MADE_ARENA, 8);
    fill->element = 2;
    fill->value = 0x3c00;
}
static void a_fill_with_gaps(void) {
    struct recording_fill *fill = made_fill(MADE_ARENA, 8);
    fill->height = 2;
    fill->pitch = 16;
}
static void a_fill_of_an_operand(void) {
    made_fill(MADE_B_COL, 8);
}
static void a_fill_of_c_in_b(void) {
    for (uint32_t i = 0; i < 2; i++) {
        struct recording_call *call = recording_entry(&made, RECORDING_TABLE_calls, i);
        call->b_col = call->c - 64;
    }
    made_fill(made_c, 8);
}
static void a_fill_past_the_end(void) {
    made_fill(made_c + 512, 512);
}
static void a_fill_of_a_variable(void) {
    a_changed_variable();
    made_fill(MADE_ARENA, 8)->to = (struct recording_place){.variable = 0};
}
static void a_graph(void) {
    recording_add_node(&made, &(struct recording_node){{.kind = RECORDING_NOTHING}});
    recording_add_graph(&made, &(struct recording_graph){.nodes = 1});
    made_step(&(struct recording_step){.kind = RECORDING_GRAPH});
}
static void a_preferred_cache(void) {
    ((struct recording_function *)recording_entry(&made, RECORDING_TABLE_functions, 0))->cache = 1;
}
static void persisting_memory(void) {
    made.head.persisting = 1 << 20;
}
static void two_streams(void) {
    made.head.streams = 1;
    made_product();
    ((struct recording_step *)recording_entry(&made, RECORDING_TABLE_steps, 2))->stream = 1;
}
static void another_last_call(void) {
    launch_of(1)->grid[0]++;
}
static void a_counter(void) {
    made.blob.bytes[launch_of(1)->bytes.at + MADE_NUMBER]++;
}
static void no_launch(void) {
    made_begin();
    made_call();
    made_fill(MADE_ARENA, 8);
}
static void no_step(void) {
    made_begin();
    made_call();
}
static void a_priority(void) {
    attribute(8, 3, 0);
    launch_of(0)->attributes = 1;
}
static void another_scheduling(void) {
    attribute(RECORDING_CLUSTER_SCHEDULING, 3, 0);
    launch_of(0)->attributes = 1;
}
static void an_unseen_map(void) {
    set_word(MADE_BEGIN, MADE_A);
}
static struct recording_map *its_map(void) {
    with_map();
    return recording_entry(&made, RECORDING_TABLE_maps, 0);
}
static void another_calls_map(void) {
    its_map()->rank = 0;
}
static void a_map_of_tf32(void) {
    its_map()->type = 11;
}
static void a_map_of_another_swizzle(void) {
    its_map()->swizzle = 4;
}
static void a_map_of_other_memory(void) {
    its_map()->address = MADE_A - 16;
}
static void a_map_too_large(void) {
    its_map()->box[0] = 512;
}
static void an_address_in_memory(void) {
    const uint64_t words[2] = {5, MADE_C};
    made_hold(64, words, sizeof words);
}
static void memory_far_behind(void) {
    made.head.arena_bytes = UINT64_C(1) << 30;
    made_hold((1 << 30) - 4, "held", 4);
}
static void no_cubin(void) {
    made.blob.bytes[18] ^= 1; /* the machine that its code is for */
}
static void another_size(void) {
    for (uint32_t i = 0; i < 2; i++) {
        struct recording_parameter *p =
            recording_entry(&made, RECORDING_TABLE_parameters, 4 * i + 1);
        p->size = 8;
    }
}
static void a_name_that_is_no_text(void) {
    const struct recording_function *function =
        recording_entry(&made, RECORDING_TABLE_functions, 0);
    made.blob.bytes[function->name.at] = 0xff;
}

static void too_many_steps(void) {
    for (int i = 0; i < 64; i++)
        made_product();
}
static void too_many_parameters(void) {
    for (uint32_t i = 0; i < 121; i++)
        recording_add_parameter(&made, &(struct recording_parameter){MADE_MARK, 1});
    launch_of(0)->parameters = 129;
}
static void too_many_bytes(void) {
    launch_of(0)->bytes = recording_add_bytes(&made, NULL, 8192 + 32);
    *(struct recording_parameter *)recording_entry(&made, RECORDING_TABLE_parameters, 0) =
        (struct recording_parameter){0, 8192};
}
static void too_many_maps(void) {
    for (int i = 0; i <= 1024; i++)
        recording_add_map(&made, &(struct recording_map){.rank = 1});
}

static void what_no_recipe_says_is_refused(void **state) {
    static const struct {
        void (*plant)(void);
        const char *words;
    } faults[] = {
        {one_byte_behind_a,
         "parameter 3 of its kernel _Z1k1MiPfc is 0x3ab000010900, an address that is in none of "
         "A, B, C and its own memory: byte 2304 of a, which has 2304"},
        {before_everything, "and its own memory: it is before all of them"},
        {behind_its_memory, "parameter 1 of its kernel _Z1k1MiPfc is 0x3ab000101000, an address"},
        {another_calls_c, "and its own memory: byte 65536 of b_col, which has 1536"},
        {a_variables_address, "_Z1k1MiPfc is given an address in sv, a variable of a module"},
        {a_changed_variable, "the variable sv of its module held another value"},
        {two_modules, "_Z1k1MiPfc is of another module than those before it"},
        {a_copy, "it copies memory of the device"},
        {a_fill_of_ones, "it fills memory with 0x3c00 in elements of 2 bytes"},
        {a_fill_with_gaps, "it fills rows of memory with gaps"},
        {a_fill_of_an_operand, "the recording: a fill or copy writes what is neither C"},
        {a_fill_of_c_in_b, "it fills b_col, which is an operand"},
        {a_graph, "it launches a graph"},
        {a_preferred_cache, "its kernel _Z1k1MiPfc prefers L1 or shared memory"},
        {persisting_memory, "it has a part of the L2 set aside"},
        {a_fill_past_the_end, "memory that it fills is 0x3ab000050200, an address"},
        {a_fill_of_a_variable, "it fills a variable of its module"},
        {two_streams, "its work is on several streams"},
        {another_last_call, "call 2 of the recorded ones does not do what the first does"},
        {a_counter, "call 2 of the recorded ones does not do what the first does"},
        {no_launch, "its calls launch nothing"},
        {no_step, "its calls launch nothing"},
        {a_priority,
         "_Z1k1MiPfc is launched with attribute 8 of cuda.h, whose value begins with 3"},
        {another_scheduling, "attribute 5 of cuda.h, whose value begins with 3"},
        {an_unseen_map, "parameter 1 of its kernel _Z1k1MiPfc has the size of a tensor map"},
        {another_calls_map, "is a tensor map that cuTensorMapEncodeTiled has not made"},
        {a_map_of_tf32, "is a tensor map whose type is 11 in cuda.h"},
        {a_map_of_another_swizzle, "is a tensor map whose swizzle is 4 in cuda.h"},
        {a_map_of_other_memory, "parameter 1 of its kernel _Z1k1MiPfc is 0x3ab00000fff0"},
        {a_map_too_large, "the recipe is none: 24x16x48.recipe.json: "
                          "steps[0].parameters[0].tensor_map.box[0] is 512"},
        {an_address_in_memory,
         "its memory held 0x3ab000040000 at byte 72, which may be an address"},
        {memory_far_behind, "its memory held something at byte 1073741823"},
        {no_cubin, "the recording: one of its images is no ELF file of code for a GPU"},
        {another_size, "steps[0].parameters[1] has 8 bytes, and _Z1k1MiPfc takes 4"},
        {too_many_steps, "a call has 65 steps, and a recipe has at most 64"},
        {too_many_parameters, "_Z1k1MiPfc takes 129 parameters of 403 bytes"},
        {too_many_bytes, "_Z1k1MiPfc takes 4 parameters of 8205 bytes"},
        {too_many_maps, "it makes 1025 tensor maps"},
        {a_name_that_is_no_text, "the name of its kernel is no text"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        made_plain();
        assert_int_equal(export(), 0);
        faults[i].plant();
        why[0] = 0;
        assert_int_equal(export(), 1);
        if (!strstr(why, faults[i].words))
            fail_msg("fault %zu: \"%s\" is not in \"%s\"", i, faults[i].words, why);
        /* What an earlier check has left is not taken for its recipe. */
        assert_false(is_there("out/k/24x16x48.recipe.json"));
        assert_false(is_there("out/k/24x16x48.cubin"));
        assert_false(is_there("out/k/24x16x48.memory"));
    }
}

static void a_broken_recording_is_none(void **state) {
    (void)state;
    assert_int_equal(export(), 0);
    assert_int_equal(export_recipe(bytes, size - 1, &request, why), 1);
    assert_string_equal(why, "the recording: it is not as long as it says");
    const uint64_t loose = small_loose_recording(bytes, sizeof bytes);
    assert_int_equal(export_recipe(bytes, loose, &request, why), 1);
    assert_string_equal(why, "the recording: it has no addresses");
}

static void a_folder_that_cannot_be_made_is_our_fault(void **state) {
    (void)state;
    scratch_put("out", "a file");
    stderr_catch();
    const int status = export();
    stderr_says("out");
    assert_int_equal(status, -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_export, close_export)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_no_recipe_says_is_refused),
        TEST(a_broken_recording_is_none),
        TEST(a_folder_that_cannot_be_made_is_our_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
