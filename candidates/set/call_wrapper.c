/* The wrapper around a function: what is the same in all of them is text, and the expressions of
 * gemmgate.ini stand on lines that the compiler takes for its. */
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "candidates/set/call.h"

static const char cuda_names[] =
    "namespace gemmgate_wrapper {\n"
    "static char message[512];\n"
    "/* A number as whatever type is wanted, and its address as whatever pointer. */\n"
    "template <int value> struct number {\n"
    "    struct address {\n"
    "        template <class T> operator const T *() const {\n"
    "            static const T pointed(static_cast<float>(value));\n"
    "            return &pointed;\n"
    "        }\n"
    "    };\n"
    "    template <class T> operator T() const { return T(static_cast<float>(value)); }\n"
    "    address operator&() const { return address(); }\n"
    "};\n"
    "/* (EXPRESSION, done()) is its status: 0 where its type is no status. */\n"
    "struct done {\n"
    "    operator int() const { return 0; }\n"
    "};\n"
    "template <class T> int operator,(const T &status, done) {\n"
    "    if constexpr (std::is_same<T, int>::value || std::is_enum<T>::value) {\n"
    "        std::snprintf(message, sizeof message, \"its call gave a status\");\n"
    "        if constexpr (std::is_same<T, cudaError_t>::value)\n"
    "            std::snprintf(message, sizeof message, \"%s\", cudaGetErrorString(status));\n"
    "        return static_cast<int>(status);\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "}\n";

static const char cuda_tensor[] =
    "#include \"torch/extension.h\"\n"
    "static at::Tensor tensor(const void *data, int64_t rows, int64_t cols) {\n"
    "    return at::Tensor(const_cast<void *>(data), {rows, cols}, at::%s);\n"
    "}\n";

/* Four times the element's type twice. */
static const char cuda_operands[] =
    "static int gemmgate_launch(void *state, const struct gemm_args *args) {\n"
    "    %s *const a = static_cast<%s *>(const_cast<void *>(args->a));\n"
    "    %s *const b_row = static_cast<%s *>(const_cast<void *>(args->b_row));\n"
    "    %s *const b_col = static_cast<%s *>(const_cast<void *>(args->b_col));\n"
    "    %s *const c = static_cast<%s *>(args->c);\n";

static const char cuda_launch[] =
    "    const int64_t m = args->problem.m, n = args->problem.n, k = args->problem.k;\n"
    "    const cudaStream_t stream = static_cast<cudaStream_t>(args->stream);\n"
    "    void *const workspace = state;\n"
    "    const gemmgate_wrapper::number<1> one{};\n"
    "    const gemmgate_wrapper::number<0> zero{};\n"
    "    (void)a, (void)b_row, (void)b_col, (void)c, (void)m, (void)n, (void)k;\n"
    "    (void)stream, (void)workspace, (void)one, (void)zero;\n"
    "#ifdef GEMMGATE_STANDIN_TORCH_EXTENSION_H\n"
    "    c10::cuda::standin_stream() = stream;\n"
    "#endif\n"
    "    try {\n";

static const char cuda_launch_end[] =
    "    } catch (const std::exception &e) {\n"
    "        std::snprintf(gemmgate_wrapper::message, sizeof gemmgate_wrapper::message,\n"
    "                      \"it threw: %s\", e.what());\n"
    "        return 1;\n"
    "    }\n"
    "}\n"
    "static const char *gemmgate_explain(int) { return gemmgate_wrapper::message; }\n";

static const char cuda_memory[] =
    "#define GEMMGATE_SAY(...) \\\n"
    "    std::snprintf(gemmgate_wrapper::message, sizeof gemmgate_wrapper::message, __VA_ARGS__)\n"
    "static void *gemmgate_allocate(size_t bytes) {\n"
    "    void *memory = NULL;\n"
    "    return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : NULL;\n"
    "}\n"
    "static void gemmgate_teardown(void *memory) { cudaFree(memory); }\n";

/* The status of an expression of type int or of an enumeration, which C has as unsigned, is its
 * value, of any other type 0. */
static const char c_launch[] =
    "#if defined __GNUC__\n"
    "#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n"
    "#pragma GCC diagnostic error \"-Wint-conversion\"\n"
    "#pragma GCC diagnostic error \"-Wincompatible-pointer-types\"\n"
    "#endif\n"
    "#define GEMMGATE_STATUS(...) \\\n"
    "    __builtin_choose_expr( \\\n"
    "        __builtin_types_compatible_p(__typeof__(__VA_ARGS__), int) || \\\n"
    "            __builtin_types_compatible_p(__typeof__(__VA_ARGS__), unsigned), \\\n"
    "        (__VA_ARGS__), ((__VA_ARGS__), 0))\n"
    "static char gemmgate_message[512];\n"
    "#define GEMMGATE_SAY(...) \\\n"
    "    snprintf(gemmgate_message, sizeof gemmgate_message, __VA_ARGS__)\n"
    "static int gemmgate_launch(void *state, const struct gemm_args *args) {\n"
    "    void *const a = (void *)args->a, *const b_row = (void *)args->b_row;\n"
    "    void *const b_col = (void *)args->b_col, *const c = args->c;\n"
    "    const int64_t m = args->problem.m, n = args->problem.n, k = args->problem.k;\n"
    "    void *const stream = args->stream, *const workspace = state;\n"
    "    const float one = 1, zero = 0;\n"
    "    (void)a, (void)b_row, (void)b_col, (void)c, (void)m, (void)n, (void)k;\n"
    "    (void)stream, (void)workspace, (void)one, (void)zero;\n";

static const char c_launch_end[] = "    if (status != 0)\n"
                                   "        GEMMGATE_SAY(\"its call gave a status\");\n"
                                   "    return status;\n"
                                   "}\n"
                                   "static const char *gemmgate_explain(int status) {\n"
                                   "    (void)status;\n"
                                   "    return gemmgate_message;\n"
                                   "}\n";

static const char c_memory[] = "static void *gemmgate_allocate(size_t bytes) {\n"
                               "    return aligned_alloc(256, (bytes + 255) / 256 * 256);\n"
                               "}\n"
                               "static void gemmgate_teardown(void *memory) { free(memory); }\n";

static const char sizes[] = "    const int64_t m = problem->m, n = problem->n, k = problem->k;\n"
                            "    (void)m, (void)n, (void)k;\n";

static const char setup_end[] =
    "    if (bytes > most) {\n"
    "        GEMMGATE_SAY(\"it wants a workspace of %zu bytes, and %zu are given; --workspace \"\n"
    "                     \"gives more\", bytes, most);\n"
    "        return 1;\n"
    "    }\n"
    "    *state = bytes > 0 ? gemmgate_allocate(bytes) : NULL;\n"
    "    if (bytes > 0 && !*state) {\n"
    "        GEMMGATE_SAY(\"no memory for a workspace of %zu bytes\", bytes);\n"
    "        return 1;\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

/* `before` and `after` share the lines of the expression. */
static void put_expression(FILE *out, const char *before, const struct call_text *lines, int count,
                           const char *after) {
    if (lines[0].line)
        fprintf(out, "#line %d \"" CALL_INI "\"\n", lines[0].line);
    fputs(before, out);
    for (int i = 0; i < count; i++) {
        for (int line = lines[i > 0 ? i - 1 : 0].line; line < lines[i].line; line++)
            fputc('\n', out);
        fputs(lines[i].text, out);
    }
    fprintf(out, "%s\n#line 1 \"" CALL_WRAPPER "\"\n", after);
}

static bool mentions(const struct call *call, const char *word) {
    for (int i = 0; i < call->call_count; i++)
        if (strstr(call->call[i].text, word))
            return true;
    return false;
}

static void put_sizes(FILE *out, const struct call *call, bool cuda) {
    if (call->can_do.line) {
        fprintf(out, "static int gemmgate_can_do(const struct gemm_problem *problem) {\n%s", sizes);
        put_expression(out, "    return (", &call->can_do, 1, ") ? 1 : 0;");
        fputs("}\n", out);
    }
    if (call->workspace.line) {
        fprintf(out,
                "%sstatic int gemmgate_setup(const struct gemm_problem *problem, size_t most, "
                "void **state) {\n%s",
                cuda ? cuda_memory : c_memory, sizes);
        put_expression(out, "    const size_t bytes = (size_t)(", &call->workspace, 1, ");");
        fputs(setup_end, out);
    }
}

/* Kernels' names have small letters and no '_'. */
static void put_kernel(FILE *out, const struct call *call, const char *label, bool cuda,
                       enum element element) {
    fputs("GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {\n    GEMMGATE_ABI, \"", out);
    for (const char *p = label; *p; p++)
        fputc(*p == '_' ? '-' : tolower((unsigned char)*p), out);
    fprintf(out,
            "\", %d, %d, {%d, %d, %d}, %s,\n"
            "    %s, gemmgate_launch, %s, gemmgate_explain, %d};\n",
            call->device ? (int)call->device
            : cuda       ? GEMM_CUDA
                         : GEMM_HOST,
            (int)call->accumulate, (int)call->tile[0], (int)call->tile[1], (int)call->tile[2],
            call->can_do.line ? "gemmgate_can_do" : "NULL",
            call->workspace.line ? "gemmgate_setup" : "NULL",
            call->workspace.line ? "gemmgate_teardown" : "NULL", 1 << element);
}

void call_write_wrapper(FILE *out, const struct call *call, const char *label, bool cuda,
                        enum element element) {
    if (cuda)
        fputs("#include <cstdio>\n#include <exception>\n#include <type_traits>\n"
              "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n",
              out);
    else
        fputs("#include <stdio.h>\n#include <stdlib.h>\n", out);
    fputs("#include \"gemmgate.h\"\n", out);
    if (cuda) {
        const char *type = element_cuda_type(element);
        fputs(cuda_names, out);
        if (mentions(call, "tensor("))
            fprintf(out, cuda_tensor, element == ELEMENT_BF16 ? "kBFloat16" : "kHalf");
        fprintf(out, cuda_operands, type, type, type, type, type, type, type, type);
        fputs(cuda_launch, out);
        put_expression(out, "        return (", call->call, call->call_count,
                       ", gemmgate_wrapper::done());");
        fputs(cuda_launch_end, out);
    } else {
        fputs(c_launch, out);
        put_expression(out, "    const int status = GEMMGATE_STATUS(", call->call, call->call_count,
                       ");");
        fputs(c_launch_end, out);
    }
    put_sizes(out, call, cuda);
    put_kernel(out, call, label, cuda, element);
}
