/* Functions with signatures of their own: what expressions are, and the wrapper around one. */
#include "candidates/set/call.h"

#include <stdlib.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "tests/support/test.h"

TEST(brackets_and_quotes_close) {
    static const struct {
        const char *first, *second, *words; /* NULL: there is one line; nothing is wrong */
    } cases[] = {
        {"f(a, b)", NULL, NULL},
        {"f<half, 3>(a[0], {1, 2})", NULL, NULL},
        {"f(a,", "b)", NULL},
        {"f(')', \"(\\\"\")", NULL, NULL},
        {"[&] { f(a); return 0; }()", NULL, NULL},
        {"f(a))", NULL, "closes a bracket that is not open"},
        {"f(a]", NULL, "closes a bracket that is not open"},
        {"f(a,", "b", "does not close a bracket"},
        {"f(\"a", "\")", "does not close a quote"},
        {"f(a); g(b)", NULL, "has no ';'"},
        {"", NULL, "has no value"},
        {"f(a) \\", NULL, "ends with a backslash"},
        {"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
         ")))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
         NULL, "too many brackets"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct call_text lines[2] = {{.line = 1}, {.line = 2}};
        strcpy(lines[0].text, cases[i].first);
        if (cases[i].second)
            strcpy(lines[1].text, cases[i].second);
        const char *wrong = call_expression_defect(lines, cases[i].second ? 2 : 1);
        if (!cases[i].words)
            assert_null(wrong);
        else if (!wrong || !strstr(wrong, cases[i].words))
            fail_msg("%s: %s", cases[i].first, wrong ? wrong : "nothing is wrong");
    }
}

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
    const struct call call = {.call = {{"gemm(tensor(a, m, k),", 7}, {"  c)", 9}},
                              .call_count = 2,
                              .can_do = {"m > 3", 11},
                              .workspace = {"4 * m", 12},
                              .accumulate = GEMM_F16,
                              .tile = {16, 32, 64}};
    char *wrapper = write_wrapper(&call, true);
    has(wrapper, "#line 7 \"gemmgate.ini\"\n        return (gemm(tensor(a, m, k),\n\n  c), ");
    has(wrapper, "#line 11 \"gemmgate.ini\"\n    return (m > 3) ? 1 : 0;\n");
    has(wrapper, "#line 12 \"gemmgate.ini\"\n    const size_t bytes = (size_t)(4 * m);\n");
    has(wrapper, "static at::Tensor tensor(");
    has(wrapper, "{rows, cols}, at::kHalf);");
    has(wrapper, "    half *const b_col = static_cast<half *>(const_cast<void *>(args->b_col));\n");
    has(wrapper, "GEMMGATE_ABI, \"my-kernel\", 2, 1, {16, 32, 64}, gemmgate_can_do,\n"
                 "    gemmgate_setup, gemmgate_launch, gemmgate_teardown, gemmgate_explain, 1};");
    free(wrapper);
}

/* Pointers, tensors and what it serves are of the element. */
TEST(the_wrapper_is_of_its_element) {
    const struct call call = {
        .call = {{"gemm(tensor(a, m, k), c)", 7}}, .call_count = 1, .accumulate = GEMM_F32};
    char *wrapper = write_wrapper_of(ELEMENT_BF16, &call, true);
    has(wrapper, "#include <cuda_bf16.h>\n");
    has(wrapper, "{rows, cols}, at::kBFloat16);");
    has(wrapper, "    __nv_bfloat16 *const a = static_cast<__nv_bfloat16 *>(const_cast<void *>("
                 "args->a));\n");
    has(wrapper, "    __nv_bfloat16 *const c = static_cast<__nv_bfloat16 *>(args->c);\n");
    has(wrapper, "gemmgate_explain, 2};");
    assert_null(strstr(wrapper, "half *"));
    free(wrapper);
}

/* What is not said has no function, and of a C source there is none of C++. */
TEST(the_wrapper_has_no_more_than_is_said) {
    struct call call = {.call = {{"gemm(a)", 2}}, .call_count = 1, .accumulate = GEMM_F32};
    char *wrapper = write_wrapper(&call, false);
    has(wrapper, "\"my-kernel\", 1, 2, {0, 0, 0}, NULL,\n"
                 "    NULL, gemmgate_launch, NULL, gemmgate_explain, 1};");
    assert_null(strstr(wrapper, "allocate"));
    assert_null(strstr(wrapper, "std::"));
    free(wrapper);
}
