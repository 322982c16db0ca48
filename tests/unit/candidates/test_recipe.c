/* Recipes: what they say of a problem, and what is refused before any GPU is asked. */
#include "candidates/recipe/recipe.h"

#include "tests/support/scratch.h"
/* after scratch.h */
#include "tests/support/made_recipe.h"
#include "tests/support/test.h"

static struct recipe recipe;
static struct recipe_work work;
static struct recording made; /* of the work */
static char why[RECIPE_WHY];

static int read_with(const char *from, const char *to) {
    made_recipe_put("set", "k", from, to);
    return recipe_read(scratch_path("set/k.recipe.json"), &recipe, why);
}

/* For a problem, on three multiprocessors. */
static void work_out(const struct gemm_problem *problem) {
    static unsigned char bytes[1 << 16];
    const char *fault;
    assert_int_equal(recipe_work_out(&recipe, problem, 3, &work, why), 0);
    assert_true(work.whole);
    const uint64_t size = recording_write(&work.writer, bytes, sizeof bytes);
    assert_true(size > 0);
    assert_int_equal(recording_read(bytes, size, &made, &fault), 0);
    assert_true(recording_is_loose(&made));
    assert_int_equal(made.head.counts[RECORDING_TABLE_calls], 1);
    assert_int_equal(made.calls->steps, made.head.counts[RECORDING_TABLE_steps]);
}

static void forget(void) {
    recording_free(&made);
    recipe_work_free(&work);
    recipe_free(&recipe);
}

TEST(names_are_told_by_their_suffix) {
    assert_true(recipe_is_name("a.recipe.json"));
    assert_true(recipe_is_name("/b/4096x64x64.recipe.json"));
    assert_false(recipe_is_name(".recipe.json"));
    assert_false(recipe_is_name("recipe.json"));
    assert_false(recipe_is_name("a.recipe.json.bak"));
    assert_false(recipe_is_name("a.so"));
}

TEST_WITH(claims_are_read, scratch_make, scratch_remove) {
    assert_int_equal(read_with(NULL, NULL), 0);
    assert_int_equal(recipe.sm, 90);
    assert_int_equal(recipe.accumulate, GEMM_F32);
    assert_int_equal(recipe.tile.m, 64);
    assert_int_equal(recipe.tile.n, 64);
    assert_int_equal(recipe.tile.k, 32);
    assert_string_equal(recipe.cubin_path, scratch_path("set/x.cubin"));
    recipe_free(&recipe);
}

/* m 640, n 64, k 96: ten tiles. */
TEST_WITH(a_problem_gives_numbers, scratch_make, scratch_remove) {
    const struct gemm_problem problem = {640, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
    int32_t number;
    int64_t wide;
    assert_int_equal(read_with(NULL, NULL), 0);
    work_out(&problem);
    assert_true(work.served);
    assert_int_equal(work.memory_count, 2);
    assert_int_equal(made.head.counts[RECORDING_TABLE_variables], 2);
    assert_int_equal(recording_variable_bytes(&made.variables[0]), 4 * 640 * 64);
    assert_int_equal(made.variables[0].fill, 255);
    assert_int_equal(recording_variable_bytes(&made.variables[1]), 64);
    assert_int_equal(made.calls->steps, 4);
    const struct recording_step *step = made.steps;
    assert_int_equal(step[0].kind, RECORDING_FILL);
    assert_int_equal(step[0].fill.to.variable, 1);
    assert_int_equal(step[0].fill.to.offset, 4);
    assert_int_equal(step[0].fill.width, 8);
    assert_int_equal(step[0].fill.value, 1);
    assert_int_equal(step[1].fill.to.variable, 0);
    assert_int_equal(step[1].fill.width, 4 * 640 * 64);
    assert_int_equal(step[2].kind, RECORDING_LAUNCH);
    const struct recording_launch *launch = &step[2].launch;
    const uint32_t grid[3] = {3, 1, 1}, block[3] = {128, 1, 1}, cluster[3] = {2, 1, 1};
    assert_memory_equal(launch->grid, grid, sizeof grid);
    assert_memory_equal(launch->block, block, sizeof block);
    assert_int_equal(launch->shared_bytes, 65536);
    /* Both steps launch one function. */
    const struct recording_function *function = &made.functions[launch->function];
    assert_int_equal(made.head.counts[RECORDING_TABLE_functions], 1);
    assert_string_equal(recording_name(&made, function->name), "_Z1k1MiPfc");
    assert_int_equal(function->most_dynamic_shared, 65536);
    assert_int_equal(function->carveout, 100);
    assert_int_equal(function->large_clusters, 0);
    static const uint32_t ids[] = {RECORDING_CLUSTER_DIMENSION,
                                   RECORDING_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
                                   RECORDING_COOPERATIVE};
    const struct recording_attribute *attributes = &made.attributes[launch->first_attribute];
    assert_int_equal(launch->attributes, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(attributes[i].id, ids[i]);
    assert_memory_equal(attributes[0].value, cluster, sizeof cluster);
    assert_int_equal(attributes[1].value[0], 1);
    assert_int_equal(attributes[2].value[0], 1);
    const uint32_t sizes[4] = {128, 4, 8, 1}, places[4] = {0, 128, 192, 256};
    assert_int_equal(launch->parameters, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(made.parameters[launch->first_parameter + i].offset, places[i]);
        assert_int_equal(made.parameters[launch->first_parameter + i].size, sizes[i]);
    }
    static const struct recording_pointer pointers[] = {
        {0, RECORDING_A, 0, RECORDING_NONE, 0},
        {8, 0, 64, RECORDING_NONE, 0},
        {192, RECORDING_C, 0, RECORDING_NONE, 0},
    };
    assert_int_equal(launch->pointers, 3);
    assert_memory_equal(&made.pointers[launch->first_pointer], pointers, sizeof pointers);
    const unsigned char *bytes = made.blob + launch->bytes.at;
    memcpy(&wide, bytes + 16, sizeof wide);
    assert_int_equal(wide, 64);
    memcpy(&number, bytes + 128, sizeof number);
    assert_int_equal(number, -96);
    assert_int_equal(bytes[256], 255);
    forget();
}

TEST_WITH(a_tensor_map_is_told_by_its_fields, scratch_make, scratch_remove) {
    const struct gemm_problem problem = {64, 192, 96, GEMM_F32, GEMM_ELEMENT_F16};
    assert_int_equal(read_with(NULL, NULL), 0);
    work_out(&problem);
    const struct recording_launch *launch = &made.steps[3].launch;
    const struct recording_pointer *pointers = &made.pointers[launch->first_pointer];
    const struct recording_map *map = made.maps;
    float real;
    assert_int_equal(launch->attributes, 0);
    assert_int_equal(made.head.counts[RECORDING_TABLE_maps], 1);
    assert_int_equal(pointers[0].offset, 0);
    assert_int_equal(pointers[0].variable, RECORDING_B_COL);
    assert_int_equal(pointers[0].map, 0);
    assert_int_equal(map->type, 6);
    assert_int_equal(map->rank, 2);
    assert_int_equal(map->dims[0], 96);
    assert_int_equal(map->dims[1], 192);
    assert_int_equal(map->strides[0], 192);
    assert_int_equal(map->box[1], 64);
    assert_int_equal(map->steps[1], 1);
    assert_int_equal(map->interleave, 0);
    assert_int_equal(map->swizzle, 3);
    assert_int_equal(map->l2_promotion, 3);
    assert_int_equal(map->fill, 1);
    memcpy(&real, made.blob + launch->bytes.at + 128, sizeof real);
    assert_true(real == 1.5F);
    assert_int_equal(pointers[1].variable, RECORDING_NONE);
    assert_int_equal(pointers[1].map, RECORDING_NONE);
    forget();
}

/* What is of no bytes is at no address, and nothing fills it. */
TEST_WITH(memory_of_no_bytes_is_none, scratch_make, scratch_remove) {
    const struct gemm_problem problem = {64, 192, 96, GEMM_F32, GEMM_ELEMENT_F16};
    assert_int_equal(read_with("4 * m * n", "m - 64"), 0);
    work_out(&problem);
    assert_int_equal(made.head.counts[RECORDING_TABLE_variables], 1);
    assert_int_equal(made.calls->steps, 3);
    assert_int_equal(made.steps[0].fill.to.variable, 0);
    assert_int_equal(made.pointers[1].variable, RECORDING_NONE);
    forget();
}

TEST_WITH(what_can_do_denies_is_not_served, scratch_make, scratch_remove) {
    const struct gemm_problem problem = {65, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
    assert_int_equal(read_with(NULL, NULL), 0);
    work_out(&problem);
    assert_false(work.served);
    assert_int_equal(made.calls->steps, 0);
    forget();
}

TEST_WITH(any_file_of_a_recipe_changes_its_hash, scratch_make, scratch_remove) {
    char before[33];
    assert_int_equal(read_with("\"bytes\": 64", "\"bytes\": 64, \"file\": \"held\""), -1);
    assert_non_null(strstr(why, "memory.count is 'held': No such file"));
    recipe_free(&recipe);
    scratch_put("set/held", "one");
    assert_int_equal(read_with("\"bytes\": 64", "\"bytes\": 64, \"file\": \"held\""), 0);
    assert_int_equal(recipe.held[1].size, 3);
    memcpy(before, recipe.hash, sizeof before);
    recipe_free(&recipe);
    scratch_put("set/held", "two");
    assert_int_equal(recipe_read(scratch_path("set/k.recipe.json"), &recipe, why), 0);
    assert_string_not_equal(recipe.hash, before);
    recipe_free(&recipe);
}

/* What is refused when the set is read, and where in the recipe it says that it is. */
TEST_WITH(faults_are_named_with_their_place, scratch_make, scratch_remove) {
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"\"f32\",", "\"f32\"", "k.recipe.json:5: "},
        {"\"tile\": ", "\"tiel\": ", ": the recipe has 'tiel', and it may have recipe, cubin"},
        {"\"recipe\": 1", "\"recipe\": 2", ": the recipe is of version 2"},
        {"\"f32\"", "\"bf16\"", ": accumulate is 'bf16', and it may be f16, f32"},
        {"\"accumulate\": \"f32\",", "", "has no accumulate"},
        {"\"accumulate\": \"f32\",", "\"accumulate\": \"f16\", \"element\": \"bf16\",",
         "has element bf16 and accumulate f16"},
        {"\"accumulate\": \"f32\",", "\"accumulate\": \"f32\", \"element\": \"half\",",
         ": element is 'half', and it may be f16, bf16"},
        {"x.cubin", "y.cubin", ": cubin is 'y.cubin': No such file"},
        {"x.cubin", "k.recipe.json", ": cubin is 'k.recipe.json', which is no cubin"},
        {"x.cubin", "/etc/passwd", ": cubin is to be a path from the recipe's folder"},
        {"64, 64, 32", "64, 64", "has a tile of 2 numbers"},
        {"64, 64, 32", "64, 64, -1", ": tile[2] is -1, and 0 to 65536 is wanted"},
        {"k >= 64", "kk >= 64", ": can_do names 'kk', which is not there"},
        {"\"tiles\"", "\"m\"", ": constants.m is a name that there is"},
        {"\"tiles\"", "\"2\"", ": constants.2 is no name"},
        {"ceil_div(m, BM)", "ceil_div(m, BK)", ": constants.tiles names 'BK'"},
        {"4 * m * n", "4 * m *", ": memory.sums.bytes ends where a value is wanted"},
        {"\"bytes\": 64", "\"fill\": 1", ": memory.count has no bytes"},
        {"\"fill\": 255", "\"fill\": 256", ": memory.sums.fill is 256, and 0 to 255 is wanted"},
        {"{\"fill\": \"sums\"}", "{\"fill\": \"sum\"}",
         ": steps[1].fill is 'sum', which is none of"},
        {"{\"fill\": \"sums\"}", "{\"fill\": \"a\"}", ": steps[1] fills neither"},
        {"\"_Z1k1MiPfc\"", "\"_Z1k\"", ": steps[2].function is '_Z1k', which the cubin has not"},
        {"\"grid\": [\"min(tiles, sms)\", 1]", "\"grid\": []",
         ": steps[2].grid is to be an array of 1 to 3 numbers"},
        {"min(tiles, sms)", "min(tiles, blocks)", ": steps[2].grid[0] names 'blocks'"},
        {"\"block\": [128]", "\"block\": [2048]", ": steps[2].block[0] is 2048, and 1 to 1024"},
        {"\"block\": [128],", "", ": steps[2].block is to be an array"},
        {"\"spread\"", "\"wide\"",
         ": steps[2].cluster_scheduling is 'wide', and it may be default"},
        {"true", "1", ": steps[2].cooperative is to be true or false"},
        {"\"shared\"", "\"shard\"", ": steps[2] has 'shard', and it may have function, grid"},
        {"\"struct\": 128", "\"struct\": 120",
         ": steps[2].parameters[0] has 120 bytes, and "
         "_Z1k1MiPfc takes 128 there"},
        {"{\"at\": 16, \"i64\"", "{\"at\": 121, \"i64\"",
         ": steps[2].parameters[0].fields[2] is to have an 'at' so that it lies within the "
         "structure's 128 bytes"},
        {"{\"i32\": \"-k\"},", "", ": steps[2].parameters are 3, and _Z1k1MiPfc takes 4"},
        {"{\"i32\": \"-k\"}", "{\"i64\": \"-k\"}",
         ": steps[2].parameters[1] has 8 bytes, and "
         "_Z1k1MiPfc takes 4 there"},
        {"{\"i32\": \"-k\"}", "{\"u32\": \"-k\"}", ": steps[2].parameters[1] has no value"},
        {"{\"i32\": \"-k\"}", "{\"i32\": 1, \"at\": 0}", ": steps[2].parameters[1] has 'at'"},
        {"{\"i32\": \"-k\"}", "{\"i32\": 4294967296}",
         ": steps[2].parameters[1].i32 is 4294967296"},
        {"{\"i32\": \"-k\"}", "{\"f32\": \"1\"}", ": steps[2].parameters[1].f32 is to be a number"},
        {"{\"pointer\": \"c\"}", "{\"pointer\": \"d\"}", ": steps[2].parameters[2].pointer is 'd'"},
        {"\"type\": \"f16\", ", "", ": steps[3].parameters[0].tensor_map has no type"},
        {"\"box\": [64, 64]", "\"box\": [64]", ".tensor_map.box is to be an array of 2 to 2"},
        {"\"box\": [64, 64]", "\"box\": [64, 512]", ".tensor_map.box[1] is 512"},
        {"\"128B\"", "\"96B\"", ".tensor_map.swizzle is '96B', and it may be none, 32B"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        *why = 0;
        assert_int_equal(read_with(cases[i].from, cases[i].to), -1);
        if (!strstr(why, cases[i].words) ||
            strncmp(why, scratch_path("set/k.recipe.json"), strlen(scratch)) != 0)
            fail_msg("%s: %s", cases[i].to, why);
        recipe_free(&recipe);
    }
}

/* What only a problem shows. */
TEST_WITH(what_has_no_value_for_a_problem_is_told, scratch_make, scratch_remove) {
    const struct gemm_problem problem = {640, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"min(tiles, sms)", "tiles / (m - 640)", ": steps[2].grid[0] divides by zero"},
        {"min(tiles, sms)", "m - 640", ": steps[2].grid[0] is 0, and 1 to 2147483647 is wanted"},
        {"BM * 1024", "BM * 65536", ": steps[2].shared is 4194304"},
        {"\"at\": 4, \"bytes\": 8", "\"at\": \"k\", \"bytes\": 8", ": steps[0] fills more than"},
        {"\"bytes\": 64", "\"bytes\": \"m * n * k << 30\"", ": memory.count.bytes is "},
        {"{\"i32\": \"-k\"}", "{\"i32\": \"k << 32\"}", ": steps[2].parameters[1].i32 is "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_with(cases[i].from, cases[i].to), 0);
        assert_int_equal(recipe_work_out(&recipe, &problem, 3, &work, why), -1);
        if (!strstr(why, cases[i].words))
            fail_msg("%s: %s", cases[i].to, why);
        recipe_work_free(&work);
        recipe_free(&recipe);
    }
}
