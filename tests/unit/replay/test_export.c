/* A recording as a recipe: the launches that it comes to. */
#include "bench/replay/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "bench/replay/export_call.h"
#include "candidates/recipe/recipe.h"
#include "tests/support/doubles.h"
#include "tests/support/made_export.h"

static struct recipe recipe;
static struct recipe_work work;

static int close_test(void **state) {
    recipe_work_free(&work);
    recipe_free(&recipe);
    return close_export(state);
}

/* Whether the file is the JSON that the text is. */
static void is_json(const char *name, const char *text) {
    json_t *found = json_load_file(scratch_path(name), 0, NULL),
           *wanted = json_loads(text, 0, NULL);
    assert_non_null(wanted);
    if (!json_equal(found, wanted))
        fail_msg("it is %s", json_dumps(found, 0));
    json_decref(found);
    json_decref(wanted);
}

/* The recipe, worked out for the operands' shape as a run does. */
static void work_out(void) {
    char words[RECIPE_WHY] = "";
    const struct shape p = request.padded;
    const struct gemm_problem problem = {.m = p.m, .n = p.n, .k = p.k};
    char name[64], shape[SHAPE_TEXT];
    snprintf(name, sizeof name, "out/k/%s.recipe.json", shape_format(request.shape, shape));
    if (recipe_read(scratch_path(name), &recipe, words) < 0 ||
        recipe_work_out(&recipe, &problem, 1, &work, words) < 0)
        fail_msg("%s", words);
    assert_true(work.served);
}

static void a_call_is_a_recipe(void **state) {
    char words[RECIPE_WHY];
    (void)state;
    made_hold(1024, "held", 4);
    assert_int_equal(export(), 0);
    is_json("out/k/24x16x48.recipe.json",
            "{\"recipe\": 1, \"cubin\": \"24x16x48.cubin\", \"element\": \"f16\","
            " \"accumulate\": \"f32\", \"can_do\": \"m == 24 && n == 16 && k == 48\","
            " \"memory\": {\"memory\": {\"bytes\": 4096, \"file\": \"24x16x48.memory\"}},"
            " \"steps\": [{\"function\": \"_Z1k1MiPfc\", \"grid\": [8], \"block\": [128, 2],"
            "  \"parameters\": [{\"struct\": 128, \"bytes\": \"18000000000000000000000000000000"
            "00000000000000000000000000000000000000000000000001000000000000000000000000000000"
            "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
            "0000000000000000000000000000000000000000000000000000000000000000\", \"fields\": ["
            "   {\"at\": 8, \"pointer\": \"a\"}, {\"at\": 16, \"pointer\": \"b_row\"},"
            "   {\"at\": 24, \"pointer\": \"c\", \"offset\": 32}]},"
            "  {\"i32\": -2}, {\"pointer\": \"memory\", \"offset\": 512}, {\"i8\": 5}]}]}");
    assert_true(is_there("out/k/24x16x48.cubin"));
    work_out();
    assert_int_equal(recipe.held[0].size, 1028);
    assert_memory_equal(recipe.held[0].bytes + 1024, "held", 4);
    assert_int_equal(recipe.held[0].bytes[1023], 0);
    const struct gemm_problem other = {.m = 24, .n = 17, .k = 48};
    recipe_work_free(&work);
    assert_int_equal(recipe_work_out(&recipe, &other, 1, &work, words), 0);
    assert_false(work.served);
}

/* With the addresses of a call, parameters have the bytes that were recorded. */
static void parameters_have_the_bytes_of_the_recording(void **state) {
    static const uint64_t bases[] = {0, MADE_A, MADE_B_ROW, MADE_B_COL, MADE_C, MADE_ARENA};
    struct recording recording;
    const char *fault;
    (void)state;
    assert_int_equal(export(), 0);
    work_out();
    struct recipe_step *step = work.steps;
    for (int i = 0; i < step->pointer_count; i++) {
        const struct recipe_address address = step->pointers[i].address;
        const uint64_t at = bases[address.base] + (uint64_t)address.offset;
        memcpy(step->bytes + step->pointers[i].at, &at, sizeof at);
    }
    assert_int_equal(recording_read(bytes, size, &recording, &fault), 0);
    const struct recording_launch *launch = &recording.steps[0].launch;
    assert_int_equal(step->parameter_count, launch->parameters);
    for (uint32_t i = 0; i < launch->parameters; i++) {
        assert_int_equal(step->parameters[i].size, recording.parameters[i].size);
        assert_memory_equal(step->bytes + step->parameters[i].at,
                            recording.blob + launch->bytes.at + recording.parameters[i].offset,
                            recording.parameters[i].size);
    }
    recording_free(&recording);
}

static void launches_have_their_attributes(void **state) {
    (void)state;
    made_begin();
    made_call();
    struct recording_launch *launch = made_product();
    launch->attributes = 5;
    launch->shared_bytes = 65536;
    launch->grid[2] = 3;
    attribute(RECORDING_COOPERATIVE, 1, 0);
    attribute(RECORDING_CLUSTER_DIMENSION, 2, 4);
    attribute(RECORDING_CLUSTER_SCHEDULING, 2, 0);
    attribute(RECORDING_PROGRAMMATIC_SERIALIZATION, 1, 0);
    attribute(RECORDING_CARVEOUT, 60, 0);
    request.element = ELEMENT_BF16;
    assert_int_equal(export(), 0);
    work_out();
    const struct recipe_step *step = work.steps;
    assert_true(step->cooperative && step->programmatic_serialization);
    assert_true(step->cluster[0] == 2 && step->cluster[1] == 4 && step->cluster[2] == 1);
    assert_true(step->scheduling == 2 && step->carveout == 60 && step->shared_bytes == 65536);
    assert_true(step->grid[0] == 8 && step->grid[1] == 1 && step->grid[2] == 3);
    assert_true(step->block[0] == 128 && step->block[1] == 2 && step->block[2] == 1);
    assert_int_equal(recipe.element, ELEMENT_BF16);
}

static void a_carveout_of_the_function_is_kept(void **state) {
    (void)state;
    ((struct recording_function *)recording_entry(&made, RECORDING_TABLE_functions, 0))->carveout =
        70;
    assert_int_equal(export(), 0);
    work_out();
    assert_int_equal(work.steps[0].carveout, 70);
}

/* Fills and launches in a row, of one module. */
static void several_steps_stay_in_their_order(void **state) {
    (void)state;
    made_begin();
    for (int i = 0; i < 2; i++) {
        made_call();
        struct recording_fill *fill = made_fill(MADE_ARENA + 256, 16);
        fill->value = 0x01010101;
        fill->element = 4;
        fill->height = 2;
        fill->pitch = 64;
        made_product();
        made_fill(made_c, 768);
        made_product()->grid[0] = 9;
    }
    assert_int_equal(export(), 0);
    work_out();
    assert_int_equal(work.step_count, 4);
    assert_true(work.steps[0].to.base == RECIPE_MEMORY && work.steps[0].to.offset == 256);
    assert_true(work.steps[0].fill_bytes == 128 && work.steps[0].value == 1);
    assert_int_equal(work.steps[1].grid[0], 8);
    assert_true(work.steps[2].to.base == RECIPE_C && work.steps[2].fill_bytes == 768);
    assert_int_equal(work.steps[3].grid[0], 9);
    assert_int_equal(work.memories[0].bytes, MADE_ARENA_BYTES);
}

/* As a kernel that waits for its stream has them. */
static void waits_on_one_stream_are_nothing(void **state) {
    (void)state;
    made_begin();
    for (uint32_t i = 0; i < 2; i++) {
        made_call();
        made_product();
        made_step(&(struct recording_step){.kind = RECORDING_MARK});
        made_step(&(struct recording_step){
            .kind = RECORDING_WAIT, .stream = RECORDING_NONE, .wait = {.mark = 3 * i + 1}});
    }
    assert_int_equal(export(), 0);
    work_out();
    assert_int_equal(work.step_count, 1);
}

/* The kernel has memory, with an address in it, and this call uses none of it. */
static void a_tensor_map_is_told_by_its_fields(void **state) {
    const uint64_t address = MADE_C;
    (void)state;
    with_map();
    made_hold(64, &address, sizeof address);
    assert_int_equal(export(), 0);
    work_out();
    const struct recipe_map *found = work.steps[0].maps;
    assert_int_equal(work.steps[0].map_count, 1);
    assert_int_equal(found->at, work.steps[0].parameters[0].at);
    assert_true(found->address.base == RECIPE_A && found->address.offset == 64);
    assert_true(found->rank == 2 && found->dims[0] == 48 && found->dims[1] == 24);
    assert_true(found->strides[0] == 96 && found->box[0] == 16 && found->box[1] == 8);
    assert_true(found->type == 6 && found->swizzle == 1 && found->l2_promotion == 2);
    assert_true(found->fill == 1 && found->interleave == 0 && found->steps[1] == 1);
    assert_int_equal(work.memory_count, 0);
}

/* In a structure of 256 bytes: the map, an address behind it, and numbers. */
static void a_structure_may_hold_a_tensor_map(void **state) {
    uint64_t words[32] = {[1] = 7, [24] = MADE_B_COL};
    struct recording recording;
    struct export_state at = {.padded = MADE_SHAPE, .image = RECORDING_NONE};
    const char *fault;
    (void)state;
    made_begin();
    made_call();
    memcpy(words + 8, map()->bytes, RECORDING_MAP_BYTES);
    struct recording_launch *launch = made_product();
    launch->parameters = 1;
    launch->bytes = recording_add_bytes(&made, words, sizeof words);
    *(struct recording_parameter *)recording_entry(&made, RECORDING_TABLE_parameters, 0) =
        (struct recording_parameter){0, sizeof words};
    size = recording_write(&made, bytes, sizeof bytes);
    assert_int_equal(recording_read(bytes, size, &recording, &fault), 0);
    at.recording = &recording;
    json_t *steps = export_call(&at, 0);
    const json_t *value =
        json_array_get(json_object_get(json_array_get(steps, 0), "parameters"), 0);
    const json_t *fields = json_object_get(value, "fields");
    assert_int_equal(json_array_size(fields), 2);
    const json_t *first = json_array_get(fields, 0), *second = json_array_get(fields, 1);
    assert_int_equal(json_integer_value(json_object_get(first, "at")), 64);
    assert_non_null(json_object_get(json_object_get(first, "tensor_map"), "box"));
    assert_int_equal(json_integer_value(json_object_get(second, "at")), 192);
    assert_string_equal(json_string_value(json_object_get(second, "pointer")), "b_col");
    const char *digits = json_string_value(json_object_get(value, "bytes"));
    assert_int_equal(strlen(digits), 2 * sizeof words);
    assert_memory_equal(digits, "000000000000000007", 18);
    assert_int_equal(strspn(digits + 18, "0"), strlen(digits) - 18);
    json_decref(steps);
    recording_free(&recording);
}

/* Sizes are padded by tiles that give the recorded ones. */
static void padded_operands_are_padded_again(void **state) {
    (void)state;
    request.shape = (struct shape){20, 16, 33};
    assert_int_equal(export(), 0);
    work_out();
    assert_true(recipe.tile.m == 6 && recipe.tile.n == 0 && recipe.tile.k == 16);
    assert_true(is_there("out/k/20x16x33.recipe.json"));
}

/* A variable that nothing has changed is in the cubin; those of another module are not used. */
static void variables_may_be_as_the_module_has_them(void **state) {
    static const float sv[4] = {1, 2, 3, 4};
    (void)state;
    recording_add_variable(
        &made, &(struct recording_variable){.name = recording_add_bytes(&made, "sv", 3),
                                            .held = recording_add_bytes(&made, sv, sizeof sv)});
    recording_add_variable(
        &made, &(struct recording_variable){.image = made_image("quiet80"),
                                            .name = recording_add_bytes(&made, "sv", 3),
                                            .held = recording_add_bytes(&made, NULL, sizeof sv)});
    assert_int_equal(export(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_export, close_test)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_call_is_a_recipe),
        TEST(parameters_have_the_bytes_of_the_recording),
        TEST(launches_have_their_attributes),
        TEST(a_carveout_of_the_function_is_kept),
        TEST(several_steps_stay_in_their_order),
        TEST(waits_on_one_stream_are_nothing),
        TEST(a_tensor_map_is_told_by_its_fields),
        TEST(a_structure_may_hold_a_tensor_map),
        TEST(padded_operands_are_padded_again),
        TEST(variables_may_be_as_the_module_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
