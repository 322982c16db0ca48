#include <ctype.h>
#include <string.h>

#include "candidates/gemmgate.h"
#include "candidates/set/call.h"

/* A function that returns an expression of gemmgate.ini, or where that is not said `otherwise`. The
 * compiler takes the lines of the expression for those of the file. */
static void put_function(FILE *out, const char *head, const char *status,
                         const struct call_text *expression, const char *otherwise) {
    fprintf(out, "static %s {\n", head);
    if (expression->line)
        fprintf(out, "#line %d \"gemmgate.ini\"\n", expression->line);
    fprintf(out, "    return %s(%s);\n#line 1 \"gemmgate-wrapper\"\n}\n", status,
            *expression->text ? expression->text : otherwise);
}

/* Kernels' names have small letters and no '_'. */
static void put_kernel(FILE *out, const struct call *call, const char *label, bool cuda) {
    fputs("#define GEMMGATE_KERNEL \"", out);
    for (const char *p = label; *p; p++)
        fputc(*p == '_' ? '-' : tolower((unsigned char)*p), out);
    fprintf(out, "\", %d, %d, {%d, %d, %d}\n",
            call->device ? (int)call->device
            : cuda       ? GEMM_CUDA
                         : GEMM_HOST,
            (int)call->accumulate, (int)call->tile[0], (int)call->tile[1], (int)call->tile[2]);
}

void call_write_wrapper(FILE *out, const struct call *call, const char *label, bool cuda,
                        enum element element) {
    put_kernel(out, call, label, cuda);
    fprintf(out, "#define GEMMGATE_ELEMENTS %d\n", 1 << element);
    if (cuda)
        fprintf(out, "#define GEMMGATE_TYPE %s\n", element_cuda_type(element));
    if (cuda && strstr(call->call.text, "tensor("))
        fputs("#define GEMMGATE_TENSOR\n", out);
    fprintf(out, "#include \"wrapper/%s\"\n", cuda ? "cuda.h" : "c.h");
    put_function(out, "int gemmgate_call(GEMMGATE_OPERANDS)", "GEMMGATE_STATUS", &call->call, "");
    put_function(out, "int gemmgate_serves(GEMMGATE_SIZES)", "!!", &call->can_do, "1");
    put_function(out, "size_t gemmgate_workspace(GEMMGATE_SIZES)", "(size_t)", &call->workspace,
                 "0");
    fputs("#include \"wrapper/kernel.h\"\n", out);
}
