/* Functions with signatures of their own: the wrapper around one. */
#include "candidates/set/call.h"

#include <stdlib.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "tests/support/test.h"

static char *write_wrapper_of(enum element element, const struct call *call, bool cuda) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    call_write_wrapper(out, call, "My_kernel", cuda, element);
    assert_int_equal(fclose(out), 0);
    return text;
}

static char *write_wrapper(const struct call *call, bool cuda) {
    return write_wrapper_of(ELEMENT_F16, call, cuda);
}

static void has(const char *wrapper, const char *text) {
    if (!strstr(wrapper, text))
        fail_msg("the wrapper lacks %s:\n%s", text, wrapper);
}

/* Each line of an expression stands on the line of gemmgate.ini that it is from. */
TEST(the_wrapper_holds_the_expressions) {
    const struct call call = {.call = {"gemm(tensor(a, m, k),\n  c)", 7},
                              .can_do = {"m > 3", 11},
                              .workspace = {"4 * m", 12},
                              .accumulate = GEMM_F16,
                              .tile = {16, 32, 64}};
    char *wrapper = write_wrapper(&call, true);
    has(wrapper, "#define GEMMGATE_KERNEL \"my-kernel\", 2, 1, {16, 32, 64}\n");
    has(wrapper,
        "#line 7 \"gemmgate.ini\"\n    return GEMMGATE_STATUS(gemm(tensor(a, m, k),\n  c));");
    has(wrapper, "#line 11 \"gemmgate.ini\"\n    return !!(m > 3);\n");
    has(wrapper, "#line 12 \"gemmgate.ini\"\n    return (size_t)(4 * m);\n");
    has(wrapper, "#define GEMMGATE_TENSOR\n");
    has(wrapper, "#define GEMMGATE_TYPE half\n");
    has(wrapper, "#include \"wrapper/cuda.h\"\n");
    free(wrapper);
}

/* Pointers, tensors and what it serves are of the element. */
TEST(the_wrapper_is_of_its_element) {
    const struct call call = {.call = {"gemm(tensor(a, m, k), c)", 7}, .accumulate = GEMM_F32};
    char *wrapper = write_wrapper_of(ELEMENT_BF16, &call, true);
    has(wrapper, "#define GEMMGATE_TYPE __nv_bfloat16\n");
    has(wrapper, "#define GEMMGATE_ELEMENTS 2\n");
    free(wrapper);
}

/* What is not said is allowed, and wants no memory. A C source has no tensors. */
TEST(the_wrapper_has_no_more_than_is_said) {
    struct call call = {.call = {"gemm(tensor(a))", 2}, .accumulate = GEMM_F32};
    char *wrapper = write_wrapper(&call, false);
    has(wrapper, "#define GEMMGATE_KERNEL \"my-kernel\", 1, 2, {0, 0, 0}\n");
    has(wrapper, "(GEMMGATE_SIZES) {\n    return !!(1);\n");
    has(wrapper, "(GEMMGATE_SIZES) {\n    return (size_t)(0);\n");
    has(wrapper, "#include \"wrapper/c.h\"\n");
    assert_null(strstr(wrapper, "TENSOR"));
    free(wrapper);
}
