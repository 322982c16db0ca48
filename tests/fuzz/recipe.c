/* A recipe and its cubin. */
#include "candidates/recipe/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

/* What it is worked out to is sound, but for the cubin, of which a recipe needs its kernels alone. */
static void look_over(struct recipe_work *work) {
    const uint64_t room = recording_size(&work->writer);
    void *bytes = malloc(room);
    const uint64_t size = recording_write(&work->writer, bytes, room);
    struct recording recording;
    const char *fault = NULL;
    const int status = recording_read(bytes, size, &recording, &fault);
    fuzz_promise(size > 0 && (status == 0 || strstr(fault, "one of its images")));
    if (status == 0) {
        fuzz_promise(recording_is_loose(&recording));
        for (uint32_t i = 0; i < recording.head.counts[RECORDING_TABLE_pointers]; i++) {
            const struct recording_pointer *pointer = &recording.pointers[i];
            fuzz_promise(pointer->map == RECORDING_NONE || pointer->offset % 64 == 0);
        }
        recording_free(&recording);
    }
    free(bytes);
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
        fuzz_promise(work.whole && work.memory_count <= RECIPE_MEMORIES);
        fuzz_promise(!work.served || work.function_count > 0);
        look_over(&work);
        fuzz_read++;
    }
    recipe_work_free(&work);
    recipe_free(&recipe);
}
