/* What audits of a library and of a source find, and that no file harms them. */
#include "correctness/audit/static_audit.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "candidates/build/build.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

static struct finding_list list;

static const char *const plain = "int kernel(int x); int kernel(int x) { return x + 1; }\n";

/* Compiles the source with further flags into the named library. */
static const char *compile(const char *so, const char *source, const char *flags) {
    char command[2048];
    const char *path = scratch_path(so);
    scratch_put("kernel.c", "%s", source);
    snprintf(command, sizeof command, "cc -w -O1 %s -o '%s' '%s' -L'%s' %s",
             strstr(flags, "-no-pie") ? "" : "-shared -fPIC", path, scratch_path("kernel.c"),
             scratch, flags);
    assert_int_equal(system(command), 0);
    return path;
}

static void audit(const char *so) {
    memset(&list, 0, sizeof list);
    assert_int_equal(static_audit(so, &list), 0);
}

static void audit_source(const char *source) {
    memset(&list, 0, sizeof list);
    scratch_put("source.cu", "%s", source);
    assert_int_equal(static_audit_source(scratch_path("source.cu"), &list), 0);
}

static bool found(enum finding_kind kind, const char *text) {
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].kind == kind && strstr(list.items[i].text, text))
            return true;
    return false;
}

static void print_findings(void) {
    for (size_t i = 0; i < list.count; i++)
        print_message("found %s: %s\n", finding_word(list.items[i].kind), list.items[i].text);
}

static void finds(enum finding_kind kind, const char *text) {
    if (found(kind, text))
        return;
    print_findings();
    fail_msg("%s was not found with \"%s\"", finding_word(kind), text);
}

static void finds_only(enum finding_kind kind, const char *text) {
    finds(kind, text);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].kind != kind)
            fail_msg("found %s: %s", finding_word(list.items[i].kind), list.items[i].text);
}

static void finds_nothing(void) {
    print_findings();
    assert_int_equal(list.count, 0);
}

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

static void what_is_forbidden_is_found(void **state) {
    (void)state;
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
        {"GOMP_parallel_start", FINDING_THREAD},
        {"madvise", FINDING_MEMORY_PROTECTION},
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

static void a_call_is_found_as_an_address_is(void **state) {
    (void)state;
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
static void symbols_are_found_by_their_relocations(void **state) {
    (void)state;
    audit(compile("hidden.so",
                  "int fork(void); __attribute__((visibility(\"hidden\"), used)) int kernel(void) "
                  "{ return fork(); }",
                  ""));
    finds_only(FINDING_PROCESS, "fork");
}

static void what_kernels_need_is_allowed(void **state) {
    (void)state;
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

static void honest_host_kernels_pass(void **state) {
    (void)state;
    static const char *const files[] = {"blocked", "simd"};
    struct build_options options;
    build_defaults(&options, 2);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512], include[1024];
        snprintf(path, sizeof path, "%s/examples/host/%s.c", options.include, files[i]);
        snprintf(include, sizeof include, "#include \"%s\"\n", path);
        char flags[600];
        snprintf(flags, sizeof flags, "-O3 -std=gnu11 -I'%s'", options.include);
        audit(compile("honest.so", include, flags));
        finds_nothing();
        memset(&list, 0, sizeof list);
        assert_int_equal(static_audit_source(path, &list), 0);
        finds_nothing();
    }
}

/* nvcc's own constructor is known, and so is the runtime that it links unless told otherwise. */
static void honest_cuda_kernels_pass(void **state) {
    (void)state;
    char command[2048], path[512];
    struct build_options options;
    if (system("command -v nvcc >/dev/null") != 0)
        skip();
    build_defaults(&options, 2);
    snprintf(path, sizeof path, "%s/examples/cuda/splitk.cu", options.include);
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        snprintf(command, sizeof command,
                 "nvcc -O3 -std=c++17 --shared -cudart %s -Xcompiler -fPIC -gencode "
                 "arch=compute_80,code=sm_80 -I'%s' '%s' -o '%s'",
                 is_shared ? "shared" : "static", options.include, path, scratch_path("cuda.so"));
        assert_int_equal(system(command), 0);
        audit(scratch_path("cuda.so"));
        if (is_shared)
            finds_only(FINDING_CUDA_ALLOC, "cudaMalloc");
        else
            finds_only(FINDING_STATIC_RUNTIME, "-cudart shared");
    }
    memset(&list, 0, sizeof list);
    assert_int_equal(static_audit_source(path, &list), 0);
    for (size_t i = 0; i < list.count; i++)
        assert_true(finding_default(list.items[i].kind) < LEVEL_REJECT);
}

static void symbols_of_the_harness_are_not_defined(void **state) {
    (void)state;
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

static void constructors_are_found(void **state) {
    (void)state;
#define V "static volatile int v; " /* an idle constructor is left out by the compiler */
    audit(
        compile("ctor.so", V "__attribute__((constructor)) static void mine(void) { v = 1; }", ""));
    finds_only(FINDING_CONSTRUCTOR, "mine");
    audit(compile("early.so",
                  V "__attribute__((constructor(101))) static void mine(void) { v = 1; }", ""));
    finds_only(FINDING_CONSTRUCTOR, "mine");
    audit(compile("public.so", V "__attribute__((constructor)) void mine(void) { v = 1; }", ""));
    finds_only(FINDING_CONSTRUCTOR, "mine");
    audit(compile("init.so", V "void mine(void) { v = 1; }", "-Wl,-init=mine"));
    finds_only(FINDING_CONSTRUCTOR, "mine");
    audit(compile("section.so", "__asm__(\".section .init,\\\"ax\\\"; nop\");", ""));
#ifdef __x86_64__
    /* Its name is that of the compiler's own. */
    finds_only(FINDING_CONSTRUCTOR, "_init");
    audit(compile("named.so", V "__attribute__((constructor)) static void _init(void) { v = 1; }",
                  "-nostartfiles"));
    finds_only(FINDING_CONSTRUCTOR, "_init");
#endif
    audit(compile("twice.so",
                  V "__attribute__((constructor)) static void frame_dummy(void) { v = 1; }", ""));
    finds_only(FINDING_CONSTRUCTOR, "frame_dummy");
    audit(compile("alias.so",
                  V "__attribute__((constructor)) static void mine(void) { v = 1; }"
                    "static void a(void) __asm__(\"_ZL24__sti____cudaRegisterAllv\") "
                    "__attribute__((alias(\"mine\"), used));",
                  ""));
    finds_only(FINDING_CONSTRUCTOR, "mine");
    audit(compile("stripped.so", V "__attribute__((constructor)) static void mine(void) { v = 1; }",
                  "-s"));
    finds_only(FINDING_CONSTRUCTOR, "without a name");
    audit(compile("cxx.so",
                  V "__attribute__((constructor)) static void f(void) "
                    "__asm__(\"_GLOBAL__sub_I_kernel\"); static void f(void) { v = 1; }",
                  ""));
    finds_only(FINDING_STATIC_INIT, "_GLOBAL__sub_I_kernel");
#undef V
}

static void code_that_changes_is_found(void **state) {
    (void)state;
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

static void libraries_that_come_along_are_found(void **state) {
    (void)state;
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

static unsigned char image[1 << 17];
static size_t image_size;

static void read_image(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    image_size = fread(image, 1, sizeof image, file);
    assert_true(image_size > sizeof(Elf64_Ehdr) && image_size < sizeof image);
    fclose(file);
}

/* Audits the first so many bytes of the image. */
static void audit_image(size_t size) {
    FILE *file = fopen(scratch_path("image.so"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    audit(scratch_path("image.so"));
}

static void *section(uint32_t type) {
    const Elf64_Ehdr *h = (const void *)image;
    Elf64_Shdr *s = (void *)(image + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == type)
            return &s[i];
    fail_msg("no section of type %u", type);
    return NULL;
}

static void what_cannot_be_read_is_our_fault(void **state) {
    (void)state;
    memset(&list, 0, sizeof list);
    assert_says(static_audit(scratch_path("none.so"), &list), -1, "none.so: No such file");
    assert_says(static_audit(scratch_path(""), &list), -1, "no regular file");
    assert_int_equal(mkfifo(scratch_path("fifo.so"), 0600), 0);
    assert_says(static_audit(scratch_path("fifo.so"), &list), -1, "no regular file");
    assert_says(static_audit_source(scratch_path("none.cu"), &list), -1, "none.cu: No such file");
    assert_int_equal(list.count, 0);
}

static void other_files_are_malformed(void **state) {
    (void)state;
    scratch_put("empty.so", "%s", "");
    audit(scratch_path("empty.so"));
    finds_only(FINDING_MALFORMED, "no ELF file");
    scratch_put("text.so", "This is no library, though it is longer than the header of one is.");
    audit(scratch_path("text.so"));
    finds_only(FINDING_MALFORMED, "no ELF file");
    audit(compile("program", "int main(void) { return 0; }", "-no-pie"));
    finds_only(FINDING_MALFORMED, "no shared library");
}

/* Everything that is loaded lies before the section headers. */
static void truncated_files_are_malformed(void **state) {
    (void)state;
    read_image(compile("whole.so", plain, ""));
    const Elf64_Ehdr *h = (const void *)image;
    const Elf64_Phdr *p = (const void *)(image + h->e_phoff);
    size_t loaded = 0;
    for (unsigned i = 0; i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD)
            loaded = p[i].p_offset + p[i].p_filesz;
    for (size_t size = 0; size < image_size; size += size < 1024 ? 1 : 61) {
        audit_image(size);
        if (size < loaded)
            finds(FINDING_MALFORMED, "");
        else
            assert_false(found(FINDING_MALFORMED, ""));
    }
}

/* Whatever a byte becomes, the audit ends and says something or nothing. */
static void flipped_bytes_do_no_harm(void **state) {
    (void)state;
    static const unsigned char masks[] = {0xff, 0x01, 0x80, 0x10};
    const char *path =
        compile("whole.so",
                "int fork(void); __attribute__((constructor)) static void mine(void) {}"
                "int kernel(void) { return fork(); }",
                "");
    size_t malformed = 0;
    read_image(path);
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t i = 0; i < image_size; i++)
        for (size_t k = 0; k < sizeof masks; k++) {
            const unsigned char byte = image[i] ^ masks[k];
            if (k > 0 && i >= 1024)
                break; /* headers, hash table, symbols and their strings come first */
            assert_int_equal(pwrite(file, &byte, 1, (off_t)i), 1);
            audit(path);
            malformed += found(FINDING_MALFORMED, "");
            assert_int_equal(pwrite(file, &image[i], 1, (off_t)i), 1);
        }
    close(file);
    audit(path);
    finds(FINDING_PROCESS, "fork");
    assert_true(malformed > 500);
}

/* Whole words of the tables that the loader goes by. */
static void wild_words_do_no_harm(void **state) {
    (void)state;
    static const uint32_t tables[] = {SHT_DYNAMIC, SHT_DYNSYM, SHT_RELA, SHT_GNU_HASH, SHT_SYMTAB};
    static const uint64_t wild[] = {
        0, 1, UINT64_MAX, INT64_MAX, UINT32_MAX, 0x80000000, UINT64_MAX / 24, 0x1000, 0x2fff};
    read_image(compile("whole.so", plain, ""));
    static unsigned char good[sizeof image];
    memcpy(good, image, image_size);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const Elf64_Shdr s = *(const Elf64_Shdr *)section(tables[t]);
        for (uint64_t i = 0; i + 8 <= s.sh_size; i += 8)
            for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
                memcpy(image + s.sh_offset + i, &wild[k], 8);
                audit_image(image_size);
                memcpy(image, good, image_size);
            }
    }
    const uint64_t headers =
        sizeof(Elf64_Ehdr) + ((Elf64_Ehdr *)image)->e_phnum * sizeof(Elf64_Phdr);
    for (uint64_t i = 16; i < headers; i += 8)
        for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
            memcpy(image + i, &wild[k], 8);
            audit_image(image_size);
            memcpy(image, good, image_size);
        }
    audit_image(image_size);
    finds_nothing();
}

/* What the loader would read otherwise than the audit is not let by. */
static void tricks_on_the_loader_are_malformed(void **state) {
    (void)state;
    const char *path = compile("whole.so", "int f(void); void *p = f;", "");
    read_image(path);
    Elf64_Rela *r = (void *)(image + ((Elf64_Shdr *)section(SHT_RELA))->sh_offset);
    const Elf64_Addr symbols = ((Elf64_Shdr *)section(SHT_DYNSYM))->sh_addr;
    const Elf64_Addr array = ((Elf64_Shdr *)section(SHT_INIT_ARRAY))->sh_addr;
    Elf64_Phdr *p = (void *)(image + ((Elf64_Ehdr *)image)->e_phoff);
    const Elf64_Rela last = r[2];

    r[2].r_offset = 0x7f0000000000;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the library");
    r[2].r_offset = symbols;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "tables of the loader");
    r[2].r_offset = array + 2;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "a part of a constructor");
    const Elf64_Phdr *top = p;
    while (top->p_type != PT_LOAD || !(top->p_flags & PF_W))
        top++;
    r[2].r_offset = top->p_vaddr + top->p_memsz - 4;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the library");
    r[2] = last;
    audit_image(image_size);
    assert_false(found(FINDING_MALFORMED, ""));

    const Elf64_Phdr first = p[1];
    assert_true(p[0].p_type == PT_LOAD && p[1].p_type == PT_LOAD);
    p[1].p_vaddr = p[0].p_vaddr + p[1].p_offset % 4096;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "overlap");
    p[1] = first;
    p[1].p_vaddr += 8;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the file");
    p[1] = first;
    p[1].p_memsz = p[1].p_filesz - 1;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "outside the file");
    p[1] = first;

    for (unsigned i = 0; i < ((Elf64_Ehdr *)image)->e_phnum; i++)
        if (p[i].p_type == PT_GNU_STACK)
            p[i].p_type = PT_NULL;
    audit_image(image_size);
    finds(FINDING_WRITABLE_CODE, "does not say");
}

static void tables_end_where_they_should(void **state) {
    (void)state;
    read_image(compile("whole.so", "int f(void); void *p = f;", "-nostdlib"));
    const Elf64_Shdr *symbols = section(SHT_DYNSYM), *dynamics = section(SHT_DYNAMIC);
    const Elf64_Sym *symbol = (void *)(image + symbols->sh_offset);
    Elf64_Dyn *d = (void *)(image + dynamics->sh_offset);
    uint32_t last = 0;
    for (size_t i = 0; i < symbols->sh_size / sizeof *symbol; i++)
        if (symbol[i].st_name > last)
            last = symbol[i].st_name;
    for (size_t i = 0; i < dynamics->sh_size / sizeof *d; i++)
        if (d[i].d_tag == DT_STRSZ) {
            const Elf64_Xword size = d[i].d_un.d_val;
            d[i].d_un.d_val = last + 1; /* one letter and no end */
            audit_image(image_size);
            finds(FINDING_MALFORMED, "name of a symbol");
            d[i].d_un.d_val = size;
        }
    audit_image(image_size);
    assert_false(found(FINDING_MALFORMED, ""));
    for (size_t i = 0; i < dynamics->sh_size / sizeof *d; i++)
        if (d[i].d_tag == DT_NULL)
            d[i].d_tag = DT_DEBUG;
    audit_image(image_size);
    finds(FINDING_MALFORMED, "has no end");
}

static void a_flood_hides_nothing(void **state) {
    (void)state;
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

static void texts_are_printable(void **state) {
    (void)state;
    memset(&list, 0, sizeof list);
    finding_add(&list, FINDING_CLOCK, "a\033[31m\n%s\xc3", "b");
    assert_string_equal(list.items[0].text, "a?[31m?b?");
    char longer[400];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    finding_add(&list, FINDING_CLOCK, "%s", longer);
    assert_int_equal(strlen(list.items[1].text), sizeof list.items[1].text - 1);
}

static void kinds_have_words_of_their_own(void **state) {
    (void)state;
    for (int i = 0; i < FINDING_COUNT; i++) {
        const char *word = finding_word((enum finding_kind)i);
        assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(word));
        assert_true(strlen(finding_sentence((enum finding_kind)i)) > strlen("is odd"));
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(word, finding_word((enum finding_kind)k));
            assert_true(finding_default((enum finding_kind)k) <=
                        finding_default((enum finding_kind)i));
        }
    }
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
        cmocka_unit_test(what_is_forbidden_is_found),
        cmocka_unit_test(a_call_is_found_as_an_address_is),
        cmocka_unit_test(symbols_are_found_by_their_relocations),
        cmocka_unit_test(what_kernels_need_is_allowed),
        cmocka_unit_test(honest_host_kernels_pass),
        cmocka_unit_test(honest_cuda_kernels_pass),
        cmocka_unit_test(symbols_of_the_harness_are_not_defined),
        cmocka_unit_test(constructors_are_found),
        cmocka_unit_test(code_that_changes_is_found),
        cmocka_unit_test(libraries_that_come_along_are_found),
        cmocka_unit_test(what_cannot_be_read_is_our_fault),
        cmocka_unit_test(other_files_are_malformed),
        cmocka_unit_test(truncated_files_are_malformed),
        cmocka_unit_test(flipped_bytes_do_no_harm),
        cmocka_unit_test(wild_words_do_no_harm),
        cmocka_unit_test(tricks_on_the_loader_are_malformed),
        cmocka_unit_test(tables_end_where_they_should),
        cmocka_unit_test(a_flood_hides_nothing),
        cmocka_unit_test(texts_are_printable),
        cmocka_unit_test(kinds_have_words_of_their_own),
        cmocka_unit_test(sources_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
