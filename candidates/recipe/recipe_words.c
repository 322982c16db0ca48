#include "candidates/recipe/recipe_walk.h"

#include <stddef.h>

#include "candidates/recipe/recipe.h"

const char *const recipe_bases[] = {
    [RECIPE_NULL] = "null",   [RECIPE_A] = "a", [RECIPE_B_ROW] = "b_row",
    [RECIPE_B_COL] = "b_col", [RECIPE_C] = "c", [RECIPE_MEMORY] = NULL};
const char *const recipe_schedulings[] = {"default", "spread", "load_balancing", NULL};
const char *const recipe_types[] = {"u8",  "u16", "u32", "i32",  "u64", "i64",
                                    "f16", "f32", "f64", "bf16", NULL};
const char *const recipe_interleaves[] = {"none", "16B", "32B", NULL};
const char *const recipe_swizzles[] = {"none", "32B", "64B", "128B", NULL};
const char *const recipe_promotions[] = {"none", "64B", "128B", "256B", NULL};
const char *const recipe_fills[] = {"zero", "nan", NULL};
