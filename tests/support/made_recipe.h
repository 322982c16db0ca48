/* For tests: a recipe that says all that a recipe can say, of the image of sm_90 in
 * tests/fuzz/corpus/cubin. Needs SOURCE; include after tests/support/scratch.h. */
#ifndef TESTS_SUPPORT_MADE_RECIPE_H
#define TESTS_SUPPORT_MADE_RECIPE_H

#include "bench/base/files.h"
#include "tests/support/asserts.h"

static const char made_recipe[] =
    "{\n"
    "  \"recipe\": 1,\n"
    "  \"cubin\": \"x.cubin\",\n"
    "  \"accumulate\": \"f32\",\n"
    "  \"tile\": [64, 64, 32],\n"
    "  \"can_do\": \"m % 64 == 0 && k >= 64\",\n"
    "  \"constants\": {\"BM\": 64, \"tiles\": \"ceil_div(m, BM) * ceil_div(n, 64)\"},\n"
    "  \"memory\": {\"sums\": {\"bytes\": \"4 * m * n\", \"fill\": 255}, \"count\": {\"bytes\": "
    "64}},\n"
    "  \"steps\": [\n"
    "    {\"fill\": \"count\", \"at\": 4, \"bytes\": 8, \"value\": 1},\n"
    "    {\"fill\": \"sums\"},\n"
    "    {\n"
    "      \"function\": \"_Z1k1MiPfc\",\n"
    "      \"grid\": [\"min(tiles, sms)\", 1],\n"
    "      \"block\": [128],\n"
    "      \"shared\": \"BM * 1024\",\n"
    "      \"cluster\": [2, 1, 1],\n"
    "      \"cluster_scheduling\": \"spread\",\n"
    "      \"cooperative\": true,\n"
    "      \"programmatic_serialization\": false,\n"
    "      \"carveout\": 100,\n"
    "      \"parameters\": [\n"
    "        {\"struct\": 128, \"fields\": [{\"at\": 0, \"pointer\": \"a\"}, {\"at\": 8, "
    "\"pointer\": \"sums\", \"offset\": \"BM\"}, {\"at\": 16, \"i64\": \"n\"}]},\n"
    "        {\"i32\": \"-k\"},\n"
    "        {\"pointer\": \"c\"},\n"
    "        {\"i8\": 255}\n"
    "      ]\n"
    "    },\n"
    "    {\n"
    "      \"function\": \"_Z1k1MiPfc\",\n"
    "      \"grid\": [1, 1, 1],\n"
    "      \"block\": [32],\n"
    "      \"parameters\": [\n"
    "        {\"tensor_map\": {\"pointer\": \"b_col\", \"offset\": 0, \"type\": \"f16\", \"dims\": "
    "[\"k\", \"n\"], \"strides\": [\"2 * k\"], \"box\": [64, 64], \"steps\": [1, 1], "
    "\"interleave\": \"none\", \"swizzle\": \"128B\", \"l2_promotion\": \"256B\", \"fill\": "
    "\"nan\"}},\n"
    "        {\"f32\": 1.5},\n"
    "        {\"pointer\": \"null\"},\n"
    "        {\"i8\": -1}\n"
    "      ]\n"
    "    }\n"
    "  ]\n"
    "}\n";

/* Writes FOLDER/NAME.recipe.json, in which `to` is in the place of `from` (NULL: as it is), and
 * FOLDER/x.cubin. */
static void made_recipe_put(const char *folder, const char *name, const char *from,
                            const char *to) {
    const char *at = from ? strstr(made_recipe, from) : made_recipe;
    struct file_bytes cubin;
    char path[256];
    assert_non_null(at);
    snprintf(path, sizeof path, "%s/%s.recipe.json", folder, name);
    scratch_put(path, "%.*s%s%s", (int)(at - made_recipe), made_recipe, from ? to : "",
                at + (from ? strlen(from) : 0));
    assert_int_equal(file_bytes_read(SOURCE "/tests/fuzz/corpus/cubin/sm90", &cubin), 0);
    snprintf(path, sizeof path, "%s/x.cubin", folder);
    scratch_put(path, "%s", "");
    FILE *out = fopen(scratch_path(path), "w");
    assert_non_null(out);
    assert_int_equal(fwrite(cubin.bytes, 1, cubin.size, out), cubin.size);
    assert_int_equal(fclose(out), 0);
    file_bytes_free(&cubin);
}

#endif
