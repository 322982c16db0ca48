/* Kernels of libraries, told by their names. */
#include <ctype.h>
#include <string.h>

#include "bench/base/text.h"
#include "correctness/contract/facts.h"

/* The start is followed by a digit: an architecture's number. */
static bool numbered(const char *name, const char *start) {
    return text_begins(name, start) && isdigit((unsigned char)name[strlen(start)]);
}

/* ampere_h16816gemm_..., volta_fp16_s884gemm_...: the digits are the instruction's shape. Written
 * without a compiler, so without parameters. */
static bool is_assembled(const char *name) {
    static const char *const generations[] = {"volta_", "turing_", "ampere_"};
    const char *gemm = strstr(name, "gemm_");
    bool known = false;
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        known |= text_begins(name, generations[i]);
    return known && gemm && isdigit((unsigned char)gemm[-1]) && !strchr(name, '(');
}

/* By the kernels that libcublas and libcublasLt 13.1 hold. */
bool facts_is_library(const char *name) {
    static const char *const starts[] = {"nvjet_",
                                         "cublasLt::",
                                         "cublas::",
                                         "cudnn::",
                                         "xmma::gemm::",
                                         "internal::gemvx::",
                                         "gemmSN_",
                                         "gemmk1_kernel",
                                         "gemv2N_kernel",
                                         "gemv2T_kernel",
                                         "gemvNSP_kernel",
                                         "gemm_kernel1x1_core",
                                         "batch_gemm_kernel1x1_core",
                                         "magma_hgemmEx_kernel",
                                         "magma_sgemmEx_kernel",
                                         "splitKreduce_kernel<",
                                         "reduce_1Block_kernel<"};
    const char *result = strstr(name, "::type "); /* std::enable_if<...>::type */
    if (text_begins(name, "void "))
        name += strlen("void ");
    else if (text_begins(name, "std::enable_if<") && result)
        name = result + strlen("::type ");
    /* A user's own instance of CUTLASS has cutlass::gemm::... as its parameter. */
    if (text_begins(name, "cutlass::Kernel") || text_begins(name, "cutlass::device_kernel")) {
        const char *parameter = strchr(name, '<');
        name = parameter ? parameter + 1 : name;
    }
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (text_begins(name, starts[i]))
            return true;
    return numbered(name, "cutlass_") || numbered(name, "cutlass3x_sm") || is_assembled(name) ||
           (numbered(name, "sm") && strstr(name, "_xmma_"));
}
