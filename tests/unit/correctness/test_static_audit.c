/* What audits of a library find. */

#include "bench/base/place.h"
#include "tests/support/audited.h"
#include "tests/support/test.h"

/* A source that needs each of the symbols, whatever they are. */
static char *source_needing(const char *const *names, size_t count) {
    static char source[1 << 16];
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(source + at, sizeof source - at,
                               "extern char s%zu[] __asm__(\"%s\"); void *p%zu = s%zu;\n", i,
                               names[i], i, i);
    return source;
}

TEST(what_is_forbidden_is_found) {
    static const struct {
        const char *name;
        enum finding_kind kind;
    } needs[] = {
        {"dlopen", FINDING_DYNAMIC_LOADING},
        {"dlmopen", FINDING_DYNAMIC_LOADING},
        {"dlsym", FINDING_DYNAMIC_LOADING},
        {"dl_iterate_phdr", FINDING_DYNAMIC_LOADING},
        {"mprotect", FINDING_MEMORY_PROTECTION},
        {"__mprotect", FINDING_MEMORY_PROTECTION},
        {"mmap", FINDING_MEMORY_PROTECTION},
        {"fork", FINDING_PROCESS},
        {"__libc_fork", FINDING_PROCESS},
        {"execve", FINDING_PROCESS},
        {"posix_spawn", FINDING_PROCESS},
        {"posix_spawnp", FINDING_PROCESS},
        {"system", FINDING_PROCESS},
        {"popen", FINDING_PROCESS},
        {"__clone", FINDING_PROCESS},
        {"pthread_create", FINDING_THREAD},
        {"thrd_create", FINDING_THREAD},
        {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
         FINDING_THREAD},
        {"GOMP_parallel", FINDING_WORKER_POOL},
        {"mremap", FINDING_MEMORY_PROTECTION},
        {"syscall", FINDING_RAW_SYSCALL},
        {"signal", FINDING_SIGNAL},
        {"sigaction", FINDING_SIGNAL},
        {"kill", FINDING_SIGNAL},
        {"ptrace", FINDING_TRACE},
        {"cuptiFinalize", FINDING_TRACE},
        {"exit", FINDING_EXIT},
        {"_exit", FINDING_EXIT},
        {"quick_exit", FINDING_EXIT},
        {"abort", FINDING_EXIT},
        {"longjmp", FINDING_EXIT},
        {"clock_gettime", FINDING_CLOCK},
        {"gettimeofday", FINDING_CLOCK},
        {"_ZNSt6chrono3_V212steady_clock3nowEv", FINDING_CLOCK},
        {"getenv", FINDING_ENVIRONMENT_READ},
        {"setenv", FINDING_ENVIRONMENT_WRITE},
        {"putenv", FINDING_ENVIRONMENT_WRITE},
        {"write", FINDING_INPUT_OUTPUT},
        {"send", FINDING_INPUT_OUTPUT},
        {"fopen64", FINDING_INPUT_OUTPUT},
        {"_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1Ev", FINDING_INPUT_OUTPUT},
        {"cublasGemmEx", FINDING_LIBRARY_GEMM},
        {"cublasLtMatmul", FINDING_LIBRARY_GEMM},
        {"cudnnCreate", FINDING_LIBRARY_GEMM},
        {"cblas_sgemm", FINDING_LIBRARY_GEMM},
        {"sgemm_", FINDING_LIBRARY_GEMM},
        {"_ZN2at6matmulERKNS_6TensorES2_", FINDING_LIBRARY_GEMM},
        {"cudaDeviceSetLimit", FINDING_CUDA_LIMIT},
        {"cudaDeviceReset", FINDING_CUDA_LIMIT},
        {"cudaStreamSetAttribute", FINDING_CUDA_LIMIT},
        {"cudaStreamCreate", FINDING_CUDA_STREAM},
        {"cudaStreamCreateWithPriority", FINDING_CUDA_STREAM},
        {"cuStreamCreate", FINDING_CUDA_STREAM},
        {"cuCtxCreate_v2", FINDING_CUDA_STREAM},
        {"cudaGraphLaunch", FINDING_CUDA_GRAPH},
        {"cudaStreamBeginCapture", FINDING_CUDA_GRAPH},
        {"cudaEventRecord", FINDING_CUDA_EVENT},
        {"cudaStreamWaitEvent", FINDING_CUDA_EVENT},
        {"cudaDeviceSynchronize", FINDING_CUDA_SYNC},
        {"cudaStreamSynchronize", FINDING_CUDA_SYNC},
        {"cudaLaunchHostFunc", FINDING_CUDA_HOST_CALL},
        {"cudaMalloc", FINDING_CUDA_ALLOC},
        {"cudaMallocAsync", FINDING_CUDA_ALLOC},
        {"cudaFree", FINDING_CUDA_ALLOC},
        {"cudaGetDriverEntryPointByVersion", FINDING_DRIVER_ENTRY},
        {"cudaFrobnicate", FINDING_UNEXPECTED_SYMBOL},
        {"no_such_thing", FINDING_UNEXPECTED_SYMBOL},
        {"cudaLaunchKernel_ptsz", FINDING_UNEXPECTED_SYMBOL},
    };
    enum { COUNT = sizeof needs / sizeof *needs };
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        names[i] = needs[i].name;
    /* Lazy binding of functions and the words of data: both ways to need a symbol. */
    audit(compile("needs.so", source_needing(names, COUNT), ""));
    for (size_t i = 0; i < COUNT; i++)
        finds(needs[i].kind, needs[i].name);
    assert_int_equal(list.count, COUNT);
}

TEST(a_call_is_found_as_an_address_is) {
    audit(compile("call.so", "int fork(void); int kernel(void) { return fork(); }", ""));
    finds_only(FINDING_PROCESS, "fork");
    audit(compile("now.so", "int fork(void); int kernel(void) { return fork(); }",
                  "-Wl,-z,now -Wl,--hash-style=sysv"));
    finds_only(FINDING_PROCESS, "fork");
    audit(compile("weak.so",
                  "__attribute__((weak)) int fork(void); int kernel(void) { return fork(); }", ""));
    finds_only(FINDING_PROCESS, "fork");
}

/* No hash table lists what a library without exports needs. */
TEST(symbols_are_found_by_their_relocations) {
    audit(compile("hidden.so",
                  "int fork(void); __attribute__((visibility(\"hidden\"), used)) int kernel(void) "
                  "{ return fork(); }",
                  ""));
    finds_only(FINDING_PROCESS, "fork");
}

TEST(what_kernels_need_is_allowed) {
    static const char *const names[] = {
        "malloc",
        "free",
        "aligned_alloc",
        "memcpy",
        "__memcpy_chk",
        "memset",
        "strlen",
        "snprintf",
        "printf",
        "fwrite",
        "stderr",
        "expf",
        "sqrtf",
        "fmaf",
        "_Znwm",
        "_ZdlPvm",
        "_ZSt20__throw_length_errorPKc",
        "_ZNSt8ios_base4InitC1Ev",
        "__cxa_throw",
        "__gxx_personality_v0",
        "_Unwind_Resume",
        "__stack_chk_fail",
        "__tls_get_addr",
        "pthread_mutex_lock",
        "__cudaRegisterFatBinary",
        "__cudaLaunchKernel",
        "cudaLaunchKernel",
        "cudaLaunchKernelExC",
        "cudaFuncSetAttribute",
        "cudaGetLastError",
        "cudaGetErrorString",
        "cudaGetDevice",
        "cudaDeviceGetAttribute",
        "cudaMemsetAsync",
        "cudaMemcpyAsync",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "cuTensorMapEncodeTiled",
        "cuGetErrorString",
        "__extendhfsf2",
        "__truncsfhf2",
    };
    audit(compile("allowed.so", source_needing(names, sizeof names / sizeof *names), ""));
    finds_nothing();
}

TEST(honest_host_kernels_pass) {
    static const char *const files[] = {"blocked", "simd"};
    char own[PATH_MAX];
    assert_int_equal(place_find("candidates", own), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PATH_MAX + 64], include[PATH_MAX + 128];
        snprintf(path, sizeof path, "%s/examples/host/%s.c", own, files[i]);
        snprintf(include, sizeof include, "#include \"%s\"\n", path);
        char flags[PATH_MAX + 64];
        snprintf(flags, sizeof flags, "-O3 -std=gnu11 -I'%s'", own);
        audit(compile("honest.so", include, flags));
        finds_nothing();
    }
}

/* The runtime that nvcc links unless told otherwise is known. */
TEST(honest_cuda_kernels_pass) {
    char command[4 * PATH_MAX], path[PATH_MAX + 64];
    char own[PATH_MAX];
    if (system("command -v nvcc >/dev/null") != 0)
        skip();
    assert_int_equal(place_find("candidates", own), 0);
    snprintf(path, sizeof path, "%s/examples/cuda/splitk.cu", own);
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        snprintf(command, sizeof command,
                 "nvcc -O3 -std=c++17 --shared -cudart %s -Xcompiler -fPIC -gencode "
                 "arch=compute_80,code=sm_80 -I'%s' '%s' -o '%s'",
                 is_shared ? "shared" : "static", own, path, scratch_path("cuda.so"));
        assert_int_equal(system(command), 0);
        audit(scratch_path("cuda.so"));
        if (is_shared)
            finds_only(FINDING_CUDA_ALLOC, "cudaMalloc");
        else
            finds_only(FINDING_STATIC_RUNTIME, "-cudart shared");
    }
}

TEST(symbols_of_the_harness_are_not_defined) {
    static const char *const shadows[] = {"clock_gettime",
                                          "cudaEventRecord",
                                          "malloc",
                                          "write",
                                          "cudaDeviceSynchronize",
                                          "cublasGemmEx",
                                          "send",
                                          "read",
                                          "dlopen",
                                          "memcpy"};
    for (size_t i = 0; i < sizeof shadows / sizeof *shadows; i++) {
        char source[256];
        snprintf(source, sizeof source, "int f(void) __asm__(\"%s\"); int f(void) { return 0; }",
                 shadows[i]);
        audit(compile("shadow.so", source, ""));
        finds_only(FINDING_HARNESS_SHADOW, shadows[i]);
    }
    audit(compile("own.so",
                  "int hgemm_tile(void) { return 1; } int round_up(void) { return 2; }"
                  "int exponent(void) { return 3; } static int send(void) { return 4; }"
                  "__attribute__((visibility(\"hidden\"))) int read(void) { return send(); }"
                  "int kernel(void) { return read(); }",
                  ""));
    finds_nothing();
    audit(compile("sysv.so", "int send(void) { return 0; }", "-Wl,--hash-style=sysv"));
    finds_only(FINDING_HARNESS_SHADOW, "send");
    audit(compile("interpose.so", plain, "-Wl,-z,interpose"));
    finds_only(FINDING_HARNESS_SHADOW, "other libraries");
}

/* What they do setup may do as well. */
TEST(constructors_are_no_finding) {
    audit(compile("constructor.so",
                  "static volatile int v; "
                  "__attribute__((constructor)) static void mine(void) { v = 1; }",
                  ""));
    finds_nothing();
    audit(compile("fast.so", plain, "-ffast-math"));
    finds_nothing();
}

TEST(code_that_changes_is_found) {
    audit(compile("stack.so", plain, "-z execstack"));
    finds_only(FINDING_WRITABLE_CODE, "stack");
    audit(compile("wx.so", "__asm__(\".section .wx,\\\"awx\\\"; .byte 0; .text\");", ""));
    finds_only(FINDING_WRITABLE_CODE, "segment");
    audit(compile("textrel.so",
                  "__asm__(\".text; .balign 8; .quad there; .data; there: .quad 0; .text\");",
                  "-Wl,-z,notext"));
    finds_only(FINDING_TEXT_RELOCATION, "");
    audit(compile("ifunc.so",
                  "static int one(void) { return 1; } static void *choose(void) { return one; }"
                  "int kernel(void) __attribute__((ifunc(\"choose\")));",
                  ""));
    finds_only(FINDING_IFUNC, "kernel");
    audit(compile("local.so",
                  "static int one(void) { return 1; } static void *choose(void) { return one; }"
                  "static int f(void) __attribute__((ifunc(\"choose\")));"
                  "int kernel(void) { return f(); }",
                  ""));
    finds_only(FINDING_IFUNC, "resolver");
#ifdef __x86_64__
    audit(compile("syscall.so", "void kernel(void) { __asm__ volatile(\"syscall\"); }", ""));
    finds_only(FINDING_SYSCALL_BYTES, "1, the first at 0x");
    audit(compile("data.so", "const unsigned short kernel[] = {0x050f, 0x050f};", ""));
    finds_nothing();
#endif
}

TEST(libraries_that_come_along_are_found) {
    static const struct {
        const char *soname;
        enum finding_kind kind;
    } needed[] = {
        {"libother.so.1", FINDING_NEEDED_LIBRARY},   {"./libc.so.6", FINDING_NEEDED_LIBRARY},
        {"libcublasLt.so.13", FINDING_LIBRARY_GEMM}, {"libopenblas.so.0", FINDING_LIBRARY_GEMM},
        {"libgomp.so.1", FINDING_WORKER_POOL},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char flags[128];
        snprintf(flags, sizeof flags, "-Wl,-soname,%s", needed[i].soname);
        compile("libneeded.so", plain, flags);
        audit(compile("needs.so", "void f(void) {}", "-Wl,--no-as-needed -lneeded"));
        finds_only(needed[i].kind, needed[i].soname);
    }
    compile("libneeded.so", plain, "-Wl,-soname,libcudart.so.13");
    audit(compile("needs.so", "void f(void) {}", "-Wl,--no-as-needed -lneeded -lm"));
    finds_nothing();
    audit(compile("path.so", plain, "-Wl,-rpath,/somewhere"));
    finds_only(FINDING_SEARCH_PATH, "/somewhere");
    audit(compile("filter.so", plain, "-Wl,-f,libm.so.6"));
    finds_only(FINDING_NEEDED_LIBRARY, "libm.so.6");
    audit(compile("filter.so", plain, "-Wl,-F,libm.so.6"));
    finds_only(FINDING_NEEDED_LIBRARY, "libm.so.6");
}

TEST(a_flood_hides_nothing) {
    static char many[100][16];
    const char *names[101];
    for (int i = 0; i < 100; i++) {
        snprintf(many[i], sizeof many[i], "odd%d", i);
        names[i] = many[i];
    }
    names[100] = "ptrace";
    audit(compile("flood.so", source_needing(names, 101), ""));
    finds(FINDING_TRACE, "ptrace");
    assert_int_equal(list.count, FINDINGS_A_KIND + 1);
    assert_int_equal(list.seen[FINDING_UNEXPECTED_SYMBOL], 100);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
