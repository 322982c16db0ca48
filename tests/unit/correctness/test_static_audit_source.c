/* What audits of a source find. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "correctness/audit/static_audit.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"

static void audit_source(const char *source) {
    memset(&list, 0, sizeof list);
    scratch_put("source.cu", "%s", source);
    assert_int_equal(static_audit_source(scratch_path("source.cu"), &list), 0);
}

static void sources_are_read(void **state) {
    (void)state;
    static const struct {
        const char *source;
        enum finding_kind kind;
        const char *text;
    } bad[] = {
        {"\n\ncudaStreamCreate(&s);", FINDING_CUDA_STREAM, "line 3: cudaStreamCreate"},
        {"cudaStreamCreateWithFlags(&s, 1)", FINDING_CUDA_STREAM, "WithFlags"},
        {"k<<<1, 1, 0, cudaStreamPerThread>>>();", FINDING_CUDA_STREAM, "cudaStreamPerThread"},
        {"/* a\n * b */ cudaGraph_t g;", FINDING_CUDA_GRAPH, "line 2: cudaGraph_t"},
        {"// quiet\npthread_create(&t, 0, f, 0);", FINDING_THREAD, "line 2: pthread_create"},
        {"std::thread t(f);", FINDING_THREAD, "line 1: std::thread"},
        {"::std :: thread t(f);", FINDING_THREAD, "std::thread"},
        {"h = dlopen(\"libc.so\", 2);", FINDING_DYNAMIC_LOADING, "dlopen"},
        {"if (fork () == 0)", FINDING_PROCESS, "fork"},
        {"std::system(\"true\");", FINDING_PROCESS, "std::system"},
        {"cudaDeviceSetLimit(cudaLimitStackSize, 1);", FINDING_CUDA_LIMIT, "cudaDeviceSetLimit"},
        {"a.accessPolicyWindow.num_bytes = 1;", FINDING_CUDA_LIMIT, "accessPolicyWindow"},
        {"cublasHandle_t h;", FINDING_LIBRARY_GEMM, "cublasHandle_t"},
        {"c = torch::matmul(a, b);", FINDING_LIBRARY_GEMM, "torch::matmul"},
        {"x = 1'000 + fork();", FINDING_PROCESS, "fork"},
        {"c = '\\''; fork();", FINDING_PROCESS, "fork"},
        {"s = \"\\\"\"; fork();", FINDING_PROCESS, "fork"},
        {"s = R\"x( )\" )x\"; fork();", FINDING_PROCESS, "fork"},
        {"#define F fork()\n", FINDING_PROCESS, "line 1: fork"},
        {"/* never ended \"*/fork()", FINDING_PROCESS, "fork"},
    };
    static const char *const good[] = {
        "",
        "/",
        "// cudaStreamCreate(&s)",
        "// a backslash goes on \\\n fork();",
        "/* cudaGraphLaunch */",
        "/* never ended fork()",
        "/*/ fork() */",
        "s = \"pthread_create\";",
        "s = \"never ended fork()",
        "s = \"a \\\n fork()\";",
        "s = R\"(fork() \" fork() )\";",
        "s = u8R\"ab( )\" fork() )ab\";",
        "s = R\"never ended(fork() )\"",
        "s = R\"longer_than_any_delimiter_may_be(fork())\"",
        "#include <cublas_v2.h>\n",
        "#  include <cublas_v2.h>\n",
        "int fork; system = 1; x.system(1); p->fork(); cuda::thread_scope_system; mine::fork(1);",
        "cudaStream_t s = args->stream; k<<<1, 1, 0, s>>>(); cudaGetLastError();",
        "myfork(); fork_(); 0xfork(); cudaFuncSetAttribute(k, a, 1);",
        "std::thread_local_thing x; std::",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        audit_source(bad[i].source);
        finds_only(bad[i].kind, bad[i].text);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        audit_source(good[i]);
        if (list.count > 0)
            fail_msg("\"%s\": found %s", good[i], list.items[0].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
