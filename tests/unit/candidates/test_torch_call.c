/* Calls that are guessed from the signatures of torch functions. */
#include "candidates/set/torch_call.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

#define TORCH "#include <torch/extension.h>\n"
#define AB "tensor(a, m, k), tensor(b_row, k, n)"

static void is_called(const char *source, const char *wanted) {
    char text[2000], call[TORCH_CALL];
    snprintf(text, sizeof text, TORCH "%s", source);
    assert_true(torch_call_propose(text, call));
    if (strcmp(call, wanted) != 0)
        fail_msg("%s\n   of %s\n   and not %s", call, source, wanted);
}

TEST(arguments_are_told_by_types_and_names) {
    static const char *const cases[][2] = {
        {"torch::Tensor f(torch::Tensor A, torch::Tensor B) {", "f(" AB ")"},
        {"at::Tensor f(const at::Tensor &x,\n  const at::Tensor& w)\n{", "f(" AB ")"},
        {"void f(torch::Tensor a, torch::Tensor b, torch::Tensor c) {",
         "f(" AB ", tensor(c, m, n))"},
        {"void f(Tensor x, Tensor w, Tensor xw, int M, int64_t n, const int K) {",
         "f(" AB ", tensor(c, m, n), m, n, k)"},
        {"void f(torch::Tensor &out, torch::Tensor const &a, torch::Tensor const &b) {",
         "f(tensor(c, m, n), " AB ")"},
        {"void f(torch::Tensor a, torch::Tensor b, torch::Tensor b_col_major, torch::Tensor out) {",
         "f(" AB ", tensor(b_col, k, n), tensor(c, m, n))"},
        {"Tensor f(Tensor a, Tensor b_t, std::optional<Tensor> bias, float alpha, double beta) {",
         "f(tensor(a, m, k), tensor(b_col, n, k), {}, one, zero)"},
        {"Tensor f(Tensor a, Tensor b, int stages, cudaStream_t stream, bool fast = true) {",
         "f(" AB ", ?, stream)"},
        {"Tensor f(Tensor a, Tensor b, int &) {", "f(" AB ", ?)"},
        {"Tensor f(Tensor a, Tensor b, int kind = Tensor::plain) {", "f(" AB ")"},
        {"static void f(std::vector<Tensor> all, Tensor a, Tensor b, Tensor d) noexcept {", ""},
        {"auto f(Tensor a, Tensor b) -> Tensor {", "f(" AB ")"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_called(cases[i][0], cases[i][1]);
}

TEST(the_function_is_the_one_that_is_registered_or_else_the_last) {
    static const char *const cases[][2] = {
        {"Tensor f(Tensor a, Tensor b) { } Tensor g(Tensor a, Tensor b) { return f(a, b); }",
         "g(" AB ")"},
        {"Tensor f(Tensor a, Tensor b) { } Tensor g(Tensor a, Tensor b) { }\n"
         "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"g\", &f, \"&g\"); }",
         "f(" AB ")"},
        {"namespace x { namespace { int i() { return 1; } }\nnamespace y {\n"
         "void f(Tensor a, Tensor b, Tensor c) {} } }\nTORCH_LIBRARY_IMPL(x, CUDA, m) {"
         " m.impl(\"f\", TORCH_FN(x::y::f)); } Tensor g(Tensor a, Tensor b) { }",
         "x::y::f(" AB ", tensor(c, m, n))"},
        {"Tensor f(Tensor a, Tensor b);\nTensor one(Tensor a) { }", ""},
        {"// Tensor f(Tensor a, Tensor b) {\n/* Tensor f(Tensor a, Tensor b) { */\n"
         "const char *s = \"Tensor f(Tensor a, Tensor b) {\";\n#define F Tensor f(Tensor a, \\\n"
         "  Tensor b) {\n",
         ""},
        {"template <class T> Tensor f(Tensor a, Tensor b) { }\n"
         "__global__ void g(Tensor a, Tensor b) { } struct s { void h(Tensor a, Tensor b) { } };",
         ""},
        {"Tensor f(Tensor a, Tensor b", ""},
        {"static const auto f = [](Tensor a, Tensor b) { };", ""},
        {"(((((", ""},
        {"}}}{{{ \"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_called(cases[i][0], cases[i][1]);
}

TEST(other_files_have_none) {
    char call[TORCH_CALL];
    assert_false(torch_call_propose("void f(half *a, half *b) {", call));
    assert_false(torch_call_propose(TORCH "Tensor f(Tensor a, Tensor b) { }\n"
                                          "const struct kernel_ops gemmgate_kernel = {",
                                    call));
    assert_true(torch_call_propose("void f(at::Tensor a, at::Tensor b) {", call));
}
