/* A recipe as a kernel: what its setup and its calls ask of a driver, which is played here. */
#include "bench/recipe/recipe_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/recipe/recipe_device.h"
#include "tests/support/scratch.h"
/* after scratch.h */
#include "tests/support/made_recipe.h"

/* What was asked of it, and the call that fails with status 7. */
static char asked[4000];
static const char *fails;
static uint64_t next_address;

struct recipe_module {
    int loaded;
};
struct recipe_ready {
    const struct recipe_step *step;
};
static struct recipe_module module;
static struct recipe_ready readies[RECIPE_STEPS];
static int ready_count;

static int note(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int note(const char *call, const char *format, ...) {
    const size_t used = strlen(asked);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(asked + used, sizeof asked - used, format, arguments);
    va_end(arguments);
    return fails && strcmp(fails, call) == 0 ? 7 : 0;
}

int recipe_device_open(const void *cubin, struct recipe_module **result, const char **why) {
    assert_memory_equal(cubin, "\177ELF", 4);
    *result = &module;
    *why = "the driver does not want it";
    return note("open", "open ") == 0 ? 0 : -1;
}

void recipe_device_close(struct recipe_module *closed) {
    assert_ptr_equal(closed, &module);
    note("close", "close ");
}

int64_t recipe_device_sms(void) {
    return 3;
}

int recipe_device_take(uint64_t bytes, uint8_t fill, uint64_t *address) {
    *address = next_address += 0x1000000;
    return note("take", "take(%llu, %d) ", (unsigned long long)bytes, fill);
}

int recipe_device_put(uint64_t address, const void *bytes, size_t size) {
    return note("put", "put(%llx, %.*s) ", (unsigned long long)address, (int)size,
                (const char *)bytes);
}

void recipe_device_release(uint64_t address) {
    if (address)
        note("release", "release(%llx) ", (unsigned long long)address);
}

int recipe_device_prepare(const struct recipe_module *of, const struct recipe_step *step,
                          struct recipe_ready **ready) {
    assert_ptr_equal(of, &module);
    *ready = &readies[ready_count++];
    (*ready)->step = step;
    return note("prepare", "prepare(%u) ", step->grid[0]);
}

void recipe_device_drop(struct recipe_ready *ready) {
    (void)ready;
}

int recipe_device_encode(const struct recipe_map *map, uint64_t address,
                         unsigned char bytes[RECIPE_MAP_BYTES]) {
    memset(bytes, map->swizzle, RECIPE_MAP_BYTES);
    memcpy(bytes, &address, sizeof address);
    return note("encode", "encode(%llx) ", (unsigned long long)address);
}

int recipe_device_fill(uint64_t address, uint8_t value, uint64_t bytes, void *stream) {
    assert_ptr_equal(stream, (void *)0x77);
    return note("fill", "fill(%llx, %d, %llu) ", (unsigned long long)address, value,
                (unsigned long long)bytes);
}

/* The first eight bytes of each parameter that has as many. */
int recipe_device_launch(struct recipe_ready *ready, void *stream) {
    const struct recipe_step *step = ready->step;
    assert_ptr_equal(stream, (void *)0x77);
    note("", "launch(");
    for (int i = 0; i < step->parameter_count; i++) {
        uint64_t word;
        memcpy(&word, step->bytes + step->parameters[i].at, sizeof word);
        if (step->parameters[i].size >= sizeof word)
            note("", "%s%llx", i > 0 ? ", " : "", (unsigned long long)word);
    }
    return note("launch", ") ");
}

const char *recipe_device_words(int status) {
    assert_int_equal(status, 7);
    return "it does not want to";
}

static struct recipe_kernel *kernel;
static const struct gemm_problem problem = {640, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
static char why[600];

static int begin(void **state) {
    fails = NULL;
    *asked = 0;
    next_address = 0;
    ready_count = 0;
    return scratch_make(state);
}

static int load_with(const char *from, const char *to) {
    made_recipe_put("set", "My_Kernel", from, to);
    return recipe_kernel_load(scratch_path("set/My_Kernel.recipe.json"), &kernel, why, sizeof why);
}

static void assert_asked(const char *words) {
    assert_string_equal(asked, words);
    *asked = 0;
}

static int call(void *a, void *c) {
    const struct gemm_args args = {problem, a, (void *)0xb0000, (void *)0xbc000, c, (void *)0x77};
    return recipe_kernel_ops(kernel)->launch(kernel, &args);
}

static void calls_are_made_as_the_recipe_says(void **state) {
    (void)state;
    scratch_put("set/held", "what");
    assert_int_equal(load_with("\"bytes\": 64", "\"bytes\": 64, \"file\": \"held\""), 0);
    const struct kernel_ops *ops = recipe_kernel_ops(kernel);
    assert_string_equal(ops->name, "my-kernel");
    assert_int_equal(ops->abi, GEMMGATE_ABI);
    assert_int_equal(ops->device, GEMM_CUDA);
    assert_int_equal(ops->accumulate, GEMM_F32);
    assert_int_equal(ops->tile.k, 32);
    assert_asked("open ");
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_asked("");
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
    assert_asked("take(163840, 255) take(64, 0) put(2000000, what) prepare(3) prepare(1) ");
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_asked("fill(2000004, 1, 8) fill(1000000, 0, 163840) launch(a0000, c0000) "
                 "encode(bc000) launch(bc000, 0) ");
    /* Other operands; b_col is where it was, so that its map is, too. */
    assert_int_equal(call((void *)0xa1000, (void *)0xc1000), 0);
    assert_asked("fill(2000004, 1, 8) fill(1000000, 0, 163840) launch(a1000, c1000) "
                 "launch(bc000, 0) ");
    recipe_kernel_free(kernel);
    assert_asked("release(1000000) release(2000000) close ");
}

static void a_map_follows_its_operand(void **state) {
    (void)state;
    assert_int_equal(load_with("\"pointer\": \"b_col\", \"offset\": 0", "\"pointer\": \"c\""), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_non_null(strstr(asked, "encode(c0000) launch(c0000, 0)"));
    *asked = 0;
    assert_int_equal(call((void *)0xa0000, (void *)0xc1000), 0);
    assert_non_null(strstr(asked, "encode(c1000) launch(c1000, 0)"));
    recipe_kernel_free(kernel);
}

static void another_problem_is_not_served(void **state) {
    const struct gemm_problem other = {641, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
    (void)state;
    assert_int_equal(load_with(NULL, NULL), 0);
    assert_false(recipe_kernel_serves(kernel, &other));
    recipe_kernel_free(kernel);
}

static void what_fails_is_told(void **state) {
    (void)state;
    assert_int_equal(load_with("x.cubin", "y.cubin"), -1);
    assert_non_null(strstr(why, "My_Kernel.recipe.json: cubin is 'y.cubin': No such file"));
    fails = "open";
    assert_int_equal(load_with(NULL, NULL), -1);
    assert_string_equal(why, "the driver does not want it");
    static const struct {
        const char *fails, *words;
    } setups[] = {{"take", "its memory is not to be had: it does not want to"},
                  {"prepare", "_Z1k1MiPfc: it does not want to"}},
      launches[] = {{"fill", "its memory cannot be filled: it does not want to"},
                    {"encode", "a tensor map cannot be made: it does not want to"},
                    {"launch", "_Z1k1MiPfc: it does not want to"}};
    for (int i = 0; i < 2; i++) {
        fails = NULL;
        assert_int_equal(load_with(NULL, NULL), 0);
        assert_true(recipe_kernel_serves(kernel, &problem));
        fails = setups[i].fails;
        assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 7);
        assert_string_equal(recipe_kernel_ops(kernel)->explain(7), setups[i].words);
        recipe_kernel_free(kernel);
    }
    for (int i = 0; i < 3; i++) {
        fails = NULL;
        assert_int_equal(load_with(NULL, NULL), 0);
        assert_true(recipe_kernel_serves(kernel, &problem));
        assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
        fails = launches[i].fails;
        assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 7);
        assert_string_equal(recipe_kernel_ops(kernel)->explain(7), launches[i].words);
        recipe_kernel_free(kernel);
    }
}

static void a_workspace_has_its_limit(void **state) {
    (void)state;
    assert_int_equal(load_with(NULL, NULL), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    *asked = 0;
    assert_int_equal(recipe_kernel_set_up(kernel, 163840 + 63), 1);
    assert_string_equal(recipe_kernel_ops(kernel)->explain(1),
                        "it wants a workspace of 163904 bytes, and 163903 are given; --workspace "
                        "gives more");
    assert_asked("");
    assert_int_equal(recipe_kernel_set_up(kernel, 163840 + 64), 0);
    recipe_kernel_free(kernel);
}

/* It is served, so that the fault is told and not passed over. */
static void what_cannot_be_worked_out_fails_in_setup(void **state) {
    (void)state;
    assert_int_equal(load_with("min(tiles, sms)", "tiles / (m - 640)"), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 1);
    assert_non_null(
        strstr(recipe_kernel_ops(kernel)->explain(1), "steps[2].grid[0] divides by zero"));
    recipe_kernel_free(kernel);
    assert_asked("open close ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TRIED(test) cmocka_unit_test_setup_teardown(test, begin, scratch_remove)
        TRIED(calls_are_made_as_the_recipe_says), TRIED(a_map_follows_its_operand),
        TRIED(another_problem_is_not_served),     TRIED(what_fails_is_told),
        TRIED(a_workspace_has_its_limit),         TRIED(what_cannot_be_worked_out_fails_in_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
