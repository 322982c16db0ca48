/* For recipes.sh: a compiled kernel and its recipe on the same inputs.
 *     recipe_bits                              prints the GPU's number, 90 for sm_90
 *     recipe_bits KERNEL.so RECIPE.json MxNxK  fails unless both products have the same bits
 * Exits 77 where there is no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/recipe/recipe_kernel.h"
#include "candidates/set/load.h"
#include "tests/support/baseline_product.h"

#define WORKSPACE ((size_t)32 << 20)

static const char *library, *recipe;
static struct shape shape;
static char why[600];

/* One launch, between fresh fills and a look at C. */
static uint16_t *product_of(const struct product *product, const struct kernel_ops *ops,
                            void *state, const struct gemm_args *args) {
    struct fill fills[4];
    uint16_t *c = malloc((size_t)(shape.m * shape.n) * sizeof *c);
    assert_non_null(c);
    product_fills(shape, INPUT_NORMAL, 7, args, fills);
    assert_int_equal(product->device->fill(product->state, fills, 4), 0);
    product_sync(product);
    const int status = ops->launch(state, args);
    if (status != 0)
        fail_msg("%s: %s", ops->name, ops->explain(status));
    product_sync(product);
    assert_int_equal(
        product->device->copy_out(product->state, args->c, shape.m, shape.n, shape.n, c), 0);
    return c;
}

static void both_have_the_same_bits(void **unused) {
    struct product product = {.element = ELEMENT_F16};
    struct loaded loaded;
    struct recipe_kernel *kernel;
    const struct gemm_problem problem = {shape.m, shape.n, shape.k, GEMM_F32, GEMM_ELEMENT_F16};
    (void)unused;
    product_open(&product, &device_cuda);
    product_load_tables(&product, shape.k);
    const struct gemm_args args = {
        .problem = problem,
        .a = product_alloc(&product, shape.m * shape.k),
        .b_row = product_alloc(&product, shape.k * shape.n),
        .b_col = product_alloc(&product, shape.k * shape.n),
        .c = product_alloc(&product, shape.m * shape.n + 2 * PRODUCT_GUARD) + PRODUCT_GUARD,
    };
    if (load_candidate(library, &loaded, why, sizeof why) != LOAD_OK ||
        recipe_kernel_load(recipe, &kernel, why, sizeof why) < 0)
        fail_msg("%s", why);
    void *state = NULL;
    if (loaded.ops->setup)
        assert_int_equal(loaded.ops->setup(&problem, WORKSPACE, &state), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    const int status = recipe_kernel_set_up(kernel, WORKSPACE);
    if (status != 0)
        fail_msg("%s", recipe_kernel_ops(kernel)->explain(status));
    uint16_t *theirs = product_of(&product, loaded.ops, state, &args);
    uint16_t *ours = product_of(&product, recipe_kernel_ops(kernel), kernel, &args);
    assert_false(element_is_nan(ELEMENT_F16, theirs[shape.m * shape.n - 1]));
    assert_memory_equal(ours, theirs, (size_t)(shape.m * shape.n) * sizeof *ours);
    free(theirs);
    free(ours);
    recipe_kernel_free(kernel);
    product_close(&product);
}

int main(int argc, char **argv) {
    struct device_info info;
    const char *reason;
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_have_the_same_bits)};
    if (device_cuda.count(&reason) == 0) {
        fprintf(stderr, "%s\n", reason);
        return 77;
    }
    if (argc != 4 || shape_parse(argv[3], &shape))
        return device_cuda.describe(0, &info) < 0 || printf("%d\n", info.sm) < 0;
    library = argv[1];
    recipe = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
