/* A recipe and its cubin. */
#include "candidates/recipe/recipe.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

static void look_over(const struct recipe_step *step) {
    for (uint32_t i = 0; i < step->launch.parameters; i++)
        fuzz_promise(step->parameters[i].size > 0 &&
                     step->parameters[i].offset + step->parameters[i].size <= RECIPE_BYTES);
    for (uint32_t i = 0; i < step->launch.pointers; i++) {
        const struct recording_pointer *pointer = &step->pointers[i];
        const bool is_map = pointer->map != RECORDING_NONE;
        fuzz_promise(pointer->variable < RECIPE_MEMORIES || pointer->variable >= RECORDING_A);
        fuzz_promise(pointer->offset + (is_map ? RECORDING_MAP_BYTES : 8) <= RECIPE_BYTES);
        fuzz_promise(!is_map || (pointer->offset % 64 == 0 && pointer->map < step->map_count));
    }
    for (uint32_t i = 0; i < step->map_count; i++)
        fuzz_promise(step->maps[i].rank >= 1 && step->maps[i].rank <= RECORDING_RANK);
    for (int i = 0; step->function && i < 3; i++)
        fuzz_promise(step->launch.grid[i] > 0 && step->launch.block[i] > 0);
}

void fuzz_recipe(const uint8_t *data, size_t size) {
    static const char *const names[] = {"set/x" RECIPE_SUFFIX, "set/x.cubin"};
    static const struct gemm_problem problem = {256, 192, 64, GEMM_F32, GEMM_ELEMENT_F16};
    static struct recipe recipe;
    struct fuzz_part parts[2];
    struct recipe_work work;
    char why[RECIPE_WHY] = "";
    mkdir(fuzz_path("set"), 0777);
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    if (recipe_read(fuzz_path(names[0]), &recipe, why) < 0) {
        fuzz_promise(*why && strlen(why) < RECIPE_WHY);
        recipe_free(&recipe);
        return;
    }
    fuzz_promise(recipe.sm > 0 && recipe.accumulate != 0 && strlen(recipe.hash) == 32);
    if (recipe_work_out(&recipe, &problem, 132, &work, why) < 0) {
        fuzz_promise(*why && strlen(why) < RECIPE_WHY);
    } else {
        fuzz_promise(!work.served || (work.step_count > 0 && work.step_count <= RECIPE_STEPS));
        fuzz_promise(work.memory_count <= RECIPE_MEMORIES);
        for (int i = 0; i < work.step_count; i++)
            look_over(&work.steps[i]);
        fuzz_read++;
    }
    recipe_work_free(&work);
    recipe_free(&recipe);
}
