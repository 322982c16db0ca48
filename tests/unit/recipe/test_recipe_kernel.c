/* A recipe as a kernel: what its recording and the player of it ask of a driver, which is played
 * here. */
#include "bench/recipe/recipe_kernel.h"

#include <stdio.h>

#include "bench/device/cuda_driver.h"
#include "tests/support/scratch.h"
/* after scratch.h */
#include "tests/support/made_recipe.h"
#include "tests/support/test.h"

#define STREAM ((CUstream)(void *)0x77)

/* What was asked of it, and the call that fails with status 7. */
static char asked[4000];
static const char *fails;
static uint64_t next_address;

static CUresult note(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static CUresult note(const char *call, const char *format, ...) {
    const size_t used = strlen(asked);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(asked + used, sizeof asked - used, format, arguments);
    va_end(arguments);
    return fails && strcmp(fails, call) == 0 ? (CUresult)7 : CUDA_SUCCESS;
}

static CUresult load(CUmodule *module, const void *image) {
    assert_memory_equal(image, "\177ELF", 4);
    const CUresult status = note("load", "load ");
    *module = status == CUDA_SUCCESS ? (CUmodule)(void *)&next_address : NULL;
    return status;
}

static CUresult unload(CUmodule module) {
    assert_ptr_equal(module, &next_address);
    return note("", "unload ");
}

static CUresult get_function(CUfunction *function, CUmodule module, const char *name) {
    assert_ptr_equal(module, &next_address);
    assert_string_equal(name, "_Z1k1MiPfc");
    *function = (CUfunction)(void *)&fails;
    return note("function", "function ");
}

static CUresult set_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
    assert_ptr_equal(function, &fails);
    return note("", "set(%d, %d) ", (int)attribute, value);
}

static CUresult get_parameter(CUfunction function, size_t number, size_t *offset, size_t *size) {
    static const size_t sizes[] = {128, 4, 8, 1};
    assert_ptr_equal(function, &fails);
    *offset = 0;
    *size = number < 4 ? sizes[number] : 0;
    return number < 4 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult take(CUdeviceptr *memory, size_t bytes) {
    *memory = next_address += 0x1000000;
    return note("take", "take(%zu) ", bytes);
}

static CUresult release(CUdeviceptr memory) {
    return note("", "release(%llx) ", memory);
}

static CUresult put(CUdeviceptr to, const void *from, size_t size) {
    return note("put", "put(%llx, %.*s) ", to, (int)size, (const char *)from);
}

/* On the kernel's stream, or before its calls. */
static CUresult fill(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
    assert_true(stream == STREAM || stream == NULL);
    return note(stream ? "fill" : "restore", "%s(%llx, %d, %zu) ", stream ? "fill" : "restore", to,
                value, bytes);
}

static CUresult encode(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                       const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                       const cuuint32_t *steps, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                       CUtensorMapFloatOOBfill outside) {
    assert_true(type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && rank == 2);
    assert_true(dims[0] == 96 && dims[1] == 64 && strides[0] == 192);
    assert_true(box[0] == 64 && box[1] == 64 && steps[0] == 1 && steps[1] == 1);
    assert_true(interleave == CU_TENSOR_MAP_INTERLEAVE_NONE);
    assert_true(swizzle == CU_TENSOR_MAP_SWIZZLE_128B);
    assert_true(promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
    assert_true(outside == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    memset(map, 0, sizeof *map);
    memcpy(map, &address, sizeof address);
    return note("encode", "encode(%llx) ", (unsigned long long)(uintptr_t)address);
}

/* Its attributes, and the first eight bytes of each parameter that has as many. The first launch
 * has a structure of which the second word is an address, too. */
static CUresult launch(const CUlaunchConfig *config, CUfunction function, void **parameters,
                       void **extra) {
    static const size_t sizes[] = {128, 4, 8, 1};
    assert_ptr_equal(function, &fails);
    assert_true(config->hStream == STREAM && !extra);
    note("", "launch(%u", config->gridDimX);
    for (unsigned i = 0; i < config->numAttrs; i++)
        note("", " %d:%u", (int)config->attrs[i].id, config->attrs[i].value.clusterDim.x);
    for (int i = 0; i < 4; i++)
        for (size_t at = 0; at + 8 <= sizes[i] && at < 16; at += 8) {
            uint64_t word;
            memcpy(&word, (char *)parameters[i] + at, sizeof word);
            note("", ", %llx", (unsigned long long)word);
        }
    return note("launch", ") ");
}

static CUresult get_device(CUdevice *device) {
    *device = 5;
    return CUDA_SUCCESS;
}

static CUresult describe(int *value, CUdevice_attribute attribute, CUdevice device) {
    assert_true(attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT && device == 5);
    *value = 3;
    return CUDA_SUCCESS;
}

const struct cuda_driver *cuda_driver(const char **reason) {
    static const struct cuda_driver driver = {.cuCtxGetDevice = get_device,
                                              .cuDeviceGetAttribute = describe,
                                              .cuFuncGetParamInfo = get_parameter,
                                              .cuFuncSetAttribute = set_attribute,
                                              .cuLaunchKernelEx = launch,
                                              .cuMemAlloc = take,
                                              .cuMemFree = release,
                                              .cuMemcpyHtoD = put,
                                              .cuMemsetD8Async = fill,
                                              .cuModuleGetFunction = get_function,
                                              .cuModuleLoadData = load,
                                              .cuModuleUnload = unload,
                                              .cuTensorMapEncodeTiled = encode};
    (void)reason;
    return &driver;
}

const char *cuda_driver_words(CUresult status) {
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
    const struct gemm_args args = {problem, a, (void *)0xb0000, (void *)0xbc000, c, STREAM};
    return recipe_kernel_ops(kernel)->launch(kernel, &args);
}

TEST_WITH(calls_are_made_as_the_recipe_says, begin, scratch_remove) {
    scratch_put("set/held", "what");
    assert_int_equal(load_with("\"bytes\": 64", "\"bytes\": 64, \"file\": \"held\""), 0);
    const struct kernel_ops *ops = recipe_kernel_ops(kernel);
    assert_string_equal(ops->name, "my-kernel");
    assert_int_equal(ops->abi, GEMMGATE_ABI);
    assert_int_equal(ops->device, GEMM_CUDA);
    assert_int_equal(ops->accumulate, GEMM_F32);
    assert_int_equal(ops->tile.k, 32);
    assert_asked("load ");
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_asked("");
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
    assert_asked("unload load function set(8, 65536) set(9, 100) take(163840) take(64) "
                 "restore(1000000, 255, 163840) restore(2000004, 0, 60) put(2000000, what) ");
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_asked("fill(2000004, 1, 8) fill(1000000, 0, 163840) "
                 "launch(3 4:2 5:1 2:1, a0000, 1000040, c0000) "
                 "encode(bc000) launch(1, bc000, 0, 0) ");
    /* Other operands; b_col is where it was, so that its map is, too. */
    assert_int_equal(call((void *)0xa1000, (void *)0xc1000), 0);
    assert_asked("fill(2000004, 1, 8) fill(1000000, 0, 163840) "
                 "launch(3 4:2 5:1 2:1, a1000, 1000040, c1000) launch(1, bc000, 0, 0) ");
    recipe_kernel_free(kernel);
    assert_asked("unload release(1000000) release(2000000) ");
}

TEST_WITH(a_map_follows_its_operand, begin, scratch_remove) {
    assert_int_equal(load_with("\"pointer\": \"b_col\", \"offset\": 0", "\"pointer\": \"c\""), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_non_null(strstr(asked, "encode(c0000) launch(1, c0000, 0, 0)"));
    *asked = 0;
    assert_int_equal(call((void *)0xa0000, (void *)0xc1000), 0);
    assert_non_null(strstr(asked, "encode(c1000) launch(1, c1000, 0, 0)"));
    recipe_kernel_free(kernel);
}

TEST_WITH(memory_of_no_bytes_is_at_no_address, begin, scratch_remove) {
    assert_int_equal(load_with("\"4 * m * n\"", "0"), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    *asked = 0;
    assert_int_equal(recipe_kernel_set_up(kernel, 64), 0);
    assert_asked("unload load function set(8, 65536) set(9, 100) take(64) "
                 "restore(1000000, 0, 64) ");
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_asked("fill(1000004, 1, 8) launch(3 4:2 5:1 2:1, a0000, 40, c0000) "
                 "encode(bc000) launch(1, bc000, 0, 0) ");
    recipe_kernel_free(kernel);
}

TEST_WITH(what_one_step_needs_is_set_for_its_function, begin, scratch_remove) {
    assert_int_equal(load_with("\"shared\": \"BM * 1024\",\n      \"cluster\": [2, 1, 1],\n"
                               "      \"cluster_scheduling\": \"spread\",\n"
                               "      \"cooperative\": true,\n"
                               "      \"programmatic_serialization\": false",
                               "\"cluster\": [4, 2, 2], \"programmatic_serialization\": true"),
                     0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    *asked = 0;
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
    assert_non_null(strstr(asked, "function set(9, 100) set(14, 1) take"));
    assert_int_equal(call((void *)0xa0000, (void *)0xc0000), 0);
    assert_non_null(strstr(asked, "launch(3 4:4 6:1, "));
    recipe_kernel_free(kernel);
}

TEST_WITH(too_large_files_are_refused, begin, scratch_remove) {
    scratch_put("set/held", "%s", "");
    assert_int_equal(truncate(scratch_path("set/held"), 256 << 20), 0);
    assert_int_equal(load_with("\"bytes\": 64", "\"bytes\": 268435456, \"file\": \"held\""), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_int_equal(recipe_kernel_set_up(kernel, (size_t)1 << 30), 1);
    assert_string_equal(recipe_kernel_ops(kernel)->explain(1),
                        "it and its files have more than 256 MiB, or there is no memory for them");
    recipe_kernel_free(kernel);
}

TEST_WITH(another_problem_is_not_served, begin, scratch_remove) {
    const struct gemm_problem other = {641, 64, 96, GEMM_F32, GEMM_ELEMENT_F16};
    assert_int_equal(load_with(NULL, NULL), 0);
    assert_false(recipe_kernel_serves(kernel, &other));
    recipe_kernel_free(kernel);
}

TEST_WITH(what_fails_is_told, begin, scratch_remove) {
    assert_int_equal(load_with("x.cubin", "y.cubin"), -1);
    assert_non_null(strstr(why, "My_Kernel.recipe.json: cubin is 'y.cubin': No such file"));
    fails = "load";
    assert_int_equal(load_with(NULL, NULL), -1);
    assert_string_equal(why, "its cubin cannot be loaded: a module cannot be loaded by itself: it "
                             "does not want to");
    static const struct {
        const char *fails, *words;
    } setups[] = {{"take", "its memory is not to be had: it does not want to"},
                  {"function", "the kernel _Z1k1MiPfc cannot be set up: it does not want to"},
                  {"restore", "its memory cannot be filled: it does not want to"}},
      launches[] = {{"fill", "its memory cannot be filled: it does not want to"},
                    {"encode", "a tensor map cannot be made: it does not want to"},
                    {"launch", "_Z1k1MiPfc: it does not want to"}};
    for (int i = 0; i < 3; i++) {
        fails = NULL;
        assert_int_equal(load_with(NULL, NULL), 0);
        assert_true(recipe_kernel_serves(kernel, &problem));
        fails = setups[i].fails;
        assert_int_not_equal(recipe_kernel_set_up(kernel, 1 << 20), 0);
        assert_string_equal(recipe_kernel_ops(kernel)->explain(1), setups[i].words);
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

TEST_WITH(a_workspace_has_its_limit, begin, scratch_remove) {
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
TEST_WITH(what_cannot_be_worked_out_fails_in_setup, begin, scratch_remove) {
    assert_int_equal(load_with("min(tiles, sms)", "tiles / (m - 640)"), 0);
    assert_true(recipe_kernel_serves(kernel, &problem));
    assert_int_equal(recipe_kernel_set_up(kernel, 1 << 20), 1);
    assert_non_null(
        strstr(recipe_kernel_ops(kernel)->explain(1), "steps[2].grid[0] divides by zero"));
    recipe_kernel_free(kernel);
    assert_asked("load unload ");
}
