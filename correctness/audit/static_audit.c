#include "correctness/audit/static_audit.h"

#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "correctness/audit/elf_image.h"
#include "correctness/audit/finding.h"

/* What it means that a kernel uses a function.
 *
 * Names are separated by blanks. A name that ends in * stands for all names with that beginning. */
struct symbol_rule {
    bool allowed;
    enum finding_kind kind; /* unless allowed */
    const char *reason;     /* why kernels need them, or what they could do with them */
    const char *names;
};

#define FORBID(kind, reason, names)                                                                \
    { false, FINDING_##kind, reason, names }
#define ALLOW(reason, names)                                                                       \
    { true, FINDING_COUNT, reason, names }

/* The first that matches counts: what is rejected comes before patterns that allow much. */
static const struct symbol_rule rules[] = {
    FORBID(DYNAMIC_LOADING, "reaches any function past this audit",
           "dlopen dlmopen dlsym dlvsym dlclose dlinfo dladdr* dl_iterate_phdr __libc_dl* _dl_* "
           "_r_debug _rtld_global*"),
    FORBID(MEMORY_PROTECTION, "can patch code, tables of functions or the judge's data",
           "mprotect pkey_* mmap mmap64 mremap munmap remap_file_pages memfd_create shm_open "
           "shm_unlink shmat shmget shmctl shmdt process_vm_readv process_vm_writev mincore"),
    FORBID(PROCESS, "work or lies outside the watched process",
           "fork vfork _Fork clone clone2 clone3 execl execle execlp execv execve execvp execvpe "
           "execveat fexecve posix_spawn* system popen pclose wait wait3 wait4 waitid waitpid "
           "daemon setsid setpgid setns unshare prctl personality __libc_fork __libc_system "
           "forkpty"),
    FORBID(THREAD, "that a host kernel may share its work among; work that outlives a call",
           "pthread_create thrd_create _ZNSt6thread* _ZNKSt6thread* timer_create timer_settime "
           "aio_* lio_listio mq_notify getaddrinfo_a"),
    FORBID(WORKER_POOL, "threads that a host kernel may share its work among",
           "GOMP_* GOACC_* omp_* __kmpc_* kmp_*"),
    FORBID(RAW_SYSCALL, "does anything past this audit", "syscall io_uring_*"),
    FORBID(SIGNAL, "runs code at times of its own, or stops the harness",
           "signal sigaction sigprocmask pthread_sigmask sigaltstack sigvec bsd_signal "
           "sysv_signal sigset ssignal kill killpg raise gsignal tgkill pthread_kill sigqueue "
           "pthread_sigqueue sigsuspend sigwait* signalfd alarm ualarm setitimer pthread_cancel "
           "pthread_atfork __register_atfork siginterrupt"),
    FORBID(TRACE, "watches the harness, or blinds what watches the kernel",
           "ptrace process_madvise pidfd_* cupti* cudaProfiler* cuProfiler* nvtx* nvml* "
           "perf_event_open"),
    FORBID(EXIT, "cuts the measurement short",
           "exit _exit _Exit quick_exit abort at_quick_exit on_exit longjmp _longjmp siglongjmp "
           "__longjmp_chk setjmp _setjmp __sigsetjmp getcontext setcontext makecontext swapcontext "
           "error error_at_line err errx verr verrx"),
    FORBID(CLOCK, "a kernel that knows the time can tune itself or tell who watches",
           "clock_* clock gettimeofday time times getrusage ftime timespec_get nanosleep "
           "usleep sleep thrd_sleep localtime* gmtime* _ZNSt6chrono*"),
    FORBID(ENVIRONMENT_READ, "a kernel can tell by it where it runs",
           "getenv secure_getenv environ _environ __environ getauxval gethostname uname getpid "
           "getppid program_invocation_name program_invocation_short_name"),
    FORBID(ENVIRONMENT_WRITE, "steers libraries loaded later",
           "setenv putenv unsetenv clearenv chdir fchdir chroot setrlimit* prlimit* "
           "sched_setaffinity sched_setscheduler setpriority nice pthread_setaffinity_np "
           "setlocale umask setuid setgid"),
    FORBID(INPUT_OUTPUT, "forges results on the pipe, keeps them in files, or writes /proc",
           "open open64 openat openat64 creat creat64 read pread pread64 readv __read_chk write "
           "pwrite pwrite64 writev close close_range dup dup2 dup3 pipe pipe2 fcntl fcntl64 ioctl "
           "lseek lseek64 ftruncate truncate sendfile splice vmsplice tee socket socketpair "
           "connect bind listen accept accept4 send sendto sendmsg recv recvfrom recvmsg shutdown "
           "setsockopt poll select epoll_* eventfd inotify_* fopen fopen64 fdopen freopen "
           "freopen64 fopencookie dprintf vdprintf __dprintf_chk __vdprintf_chk unlink unlinkat "
           "remove rename renameat link symlink mkdir rmdir mkfifo mknod mkstemp* mkostemp* "
           "tmpfile* opendir readdir* scandir* nftw* ftw* chmod fchmod stat fstat lstat __xstat* "
           "__fxstat* __lxstat* access readlink realpath _ZNSt13basic_filebuf* "
           "_ZNSt14basic_ifstream* _ZNSt14basic_ofstream* _ZNSt13basic_fstream* "
           "_ZNSt10filesystem* _ZNSt12__basic_file* _ZTVSt13basic_filebuf* "
           "_ZTVSt14basic_ifstream* _ZTVSt14basic_ofstream* _ZTVSt13basic_fstream*"),
    FORBID(LIBRARY_GEMM, "another's product, not the kernel's own",
           "cublas* cudnn* cusparse* cusolver* cutensor* cutlass_* nvblas* cblas_* openblas_* "
           "mkl_* MKL_* bli_* hgemm* sgemm* dgemm* shgemm* sbgemm* rocblas* hipblas* _ZN2at* "
           "_ZN5torch* _ZN7cutlass7library* dnnl_*"),
    /* Found on an H200: kernels of the CUDA-L2 release refer to an assertion of c10 that never
     * fires. Its library would be DT_NEEDED. */
    ALLOW("PyTorch's checks",
          "_ZN3c106detail23torchInternalAssertFail* _ZN3c106detail14torchCheckFail* "
          "_ZN3c105Error*"),
    /* Shared-memory banks and the preferred cache mean nothing since Maxwell. */
    ALLOW("settings without effect", "cudaDeviceSetSharedMemConfig cudaDeviceSetCacheConfig"),
    FORBID(CUDA_LIMIT, "changes what other kernels run under",
           "cudaDeviceSet* cudaThreadSet* cudaDeviceReset cudaThreadExit cudaSetDeviceFlags "
           "cudaInitDevice cudaCtxResetPersistingL2Cache cudaStreamSetAttribute* "
           "cudaStreamCopyAttributes* cudaMemPoolSet* cudaDeviceGraphMem* cuCtxSet* "
           "cuCtxResetPersistingL2Cache cuDevicePrimaryCtxReset* cuDevicePrimaryCtxSetFlags* "
           "cuStreamSetAttribute* "
           "cuStreamCopyAttributes* cudaDeviceEnablePeerAccess cudaMemAdvise*"),
    FORBID(CUDA_STREAM, "work that the timer does not see",
           "cudaStreamCreate* cuStreamCreate* cuCtxCreate* cuGreenCtx* cudaExecutionCtx* "
           "cudaGreenCtx* cuCtxPushCurrent* cuCtxSetCurrent"),
    FORBID(
        CUDA_GRAPH, "replays launches with the pointers of an earlier call",
        "cudaGraph* cuGraph* cudaStreamBeginCapture* cudaStreamEndCapture* cuStreamBeginCapture* "
        "cuStreamEndCapture* cudaThreadExchangeStreamCaptureMode "
        "cuThreadExchangeStreamCaptureMode cudaStreamUpdateCapture* cuStreamUpdateCapture*"),
    FORBID(CUDA_EVENT, "times itself, or joins streams of its own",
           "cudaEvent* cuEvent* cudaStreamWaitEvent* cuStreamWaitEvent* cudaStreamWaitValue* "
           "cuStreamWaitValue* cuStreamWriteValue* cuStreamBatchMemOp*"),
    FORBID(CUDA_SYNC, "a launch waits for nothing",
           "cudaDeviceSynchronize cudaThreadSynchronize cudaStreamSynchronize* cudaStreamQuery* "
           "cuCtxSynchronize* cuStreamSynchronize* cuStreamQuery*"),
    FORBID(CUDA_HOST_CALL, "host work from the device's queue",
           "cudaLaunchHostFunc* cudaStreamAddCallback* cuLaunchHostFunc* cuStreamAddCallback*"),
    FORBID(CUDA_ALLOC, "belongs into setup; a launch allocates nothing",
           "cudaMalloc* cudaFree* cudaHostAlloc cudaHostRegister cudaHostUnregister "
           "cudaHostGetDevicePointer cudaMemPool* cuMem* cudaMemGetInfo"),
    FORBID(DRIVER_ENTRY, "CUTLASS looks up cuTensorMapEncodeTiled; others are not seen here",
           "cudaGetDriverEntryPoint* cuGetProcAddress* cudaGetFuncBySymbol cudaGetExportTable "
           "cuGetExportTable"),

    ALLOW("what the compiler's own start files and code need",
          "__gmon_start__ _ITM_* __cxa_* _Jv_RegisterClasses __stack_chk_fail __stack_chk_guard "
          "__tls_get_addr __errno_location __assert_fail __cpu_model __cpu_indicator_init "
          "__cpu_features2 atexit _GLOBAL_OFFSET_TABLE_"),
    ALLOW("scratch memory of a host kernel, and clearing and copying it",
          "malloc calloc realloc free aligned_alloc posix_memalign memalign malloc_usable_size "
          "memcpy memmove memset memcmp memchr bcmp bzero __memcpy_chk __memmove_chk "
          "__memset_chk madvise posix_madvise"),
    ALLOW("words for errors, and printing them",
          "str* __str* printf __printf_chk fprintf __fprintf_chk vprintf vfprintf __vfprintf_chk "
          "snprintf __snprintf_chk vsnprintf __vsnprintf_chk sprintf __sprintf_chk puts putchar "
          "fputs fputc putc fwrite fflush perror sscanf __isoc* stdout stderr atoi atol atof abs "
          "labs qsort bsearch toupper tolower isdigit isalpha isspace __ctype_*"),
    ALLOW("mathematics",
          "exp* log logf log2* log10* log1p* logb* pow powf sqrt* fma fmaf fmaxf fmax fminf fmin "
          "floor* ceil* round* lround* llround* rint* lrint* nearbyint* trunc* ldexp* frexp* "
          "scalbn* scalbln* modf* fabs* fmod* remainder* sin* cos* tan* asin* acos* atan* erf* "
          "tgamma* lgamma* hypot* cbrt* copysign* nextafter* isnan* isinf* fdim* _ZGV*"),
    ALLOW("how many cores there are, and how large caches", "sysconf get_nprocs*"),
    ALLOW("locks, and waiting for other threads",
          "pthread_mutex_* pthread_cond_* pthread_join pthread_detach pthread_attr_* sem_init "
          "sem_wait sem_post sem_destroy cnd_* thrd_join thrd_detach sched_yield pthread_once "
          "pthread_key_create "
          "pthread_key_delete pthread_getspecific pthread_setspecific "
          "__pthread_key_create pthread_self pthread_rwlock_* mtx_* "
          "call_once"),
    ALLOW("the C++ and the compiler's runtime",
          "_Zn* _Zd* _ZS* _ZNS* _ZNKS* _ZTV* _ZTI* _ZTS* _ZTT* _ZNK10__cxxabiv* _ZN10__cxxabiv* "
          "_ZN9__gnu_cxx* __gxx_personality_v0 __gcc_personality_v0 _Unwind_* __dynamic_cast "
          "__once_proxy __libc_single_threaded"),
    ALLOW("half and quad arithmetic of the compiler",
          "__extendhf* __truncsf* __truncdf* __gnu_* __mul* __div* __udiv* __mod* __umod* "
          "__float* __fix* __extend* __trunc* __popcount*"),
    ALLOW("registering and launching kernels",
          "__cuda* cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel "
          "cudaConfigureCall cudaSetupArgument cudaLaunch cuLaunchKernel cuLaunchKernelEx "
          "cuLaunchCooperativeKernel"),
    ALLOW("attributes of kernels and the device",
          "cudaFuncGet* cudaFuncSet* cudaOccupancy* cudaGetDevice cudaGetDeviceCount "
          "cudaGetDeviceProperties* cudaDeviceGet* cudaGetError* cudaGetLastError "
          "cudaPeekAtLastError cudaSetDevice cudaStreamDestroy cudaRuntimeGetVersion "
          "cudaDriverGetVersion cudaGetSymbol* "
          "cudaPointerGetAttributes cudaStreamGet* cudaStreamIsCapturing cudaGetKernel "
          "cudaKernelGet* cudaKernelSet* cuGetError* cuDeviceGet* cuCtxGet* cuFuncGet* cuFuncSet* "
          "cuOccupancy* cuDriverGetVersion cuPointerGet*"),
    ALLOW("clearing and copying on the stream; descriptors of tensors",
          "cudaMemset* cudaMemcpy* cudaMemPrefetchAsync* cuTensorMap*"),
};

/* What a CUDA runtime linked into a library needs for itself, though no kernel might. */
static const char symbols_of_static_runtime[] =
    "__getdelim __xstat __fxstat bind calloc chmod clock_gettime close closedir connect dlclose "
    "dlerror dlmopen dlopen dlsym dlvsym fchmod fclose fcntl fdopen feof ferror fflush fgetc "
    "fileno fopen fread free fscanf fseek ftell ftruncate fwrite get_nprocs getcwd getegid getenv "
    "geteuid gethostname getpid gettimeofday getuid gnu_get_libc_version kill listen localtime_r "
    "lseek madvise malloc memcmp memcpy memmove memset mkdir mkfifo mmap mprotect munmap nanosleep "
    "nftw open opendir pipe poll pthread_* read readdir realloc realpath recvmsg remove rmdir "
    "sched_yield sem_* sendmsg setenv setsockopt shm_open shm_unlink shmat shmctl shmdt shmget "
    "snprintf socket socketpair sscanf strcpy strdup strlen strncat strncmp strncpy strstr strtol "
    "strtoul syscall sysconf sysinfo time uname unlink usleep vsnprintf write";

static bool lists(const char *names, const char *name, bool patterns) {
    const size_t length = strlen(name);
    while (*names) {
        const size_t width = strcspn(names, " ");
        if (patterns && names[width - 1] == '*'
                ? strncmp(names, name, width - 1) == 0
                : width == length && memcmp(names, name, width) == 0)
            return true;
        names += width;
        names += strspn(names, " ");
    }
    return false;
}

/* Whether the list of names holds this one. */
static bool symbol_in(const char *names, const char *name) {
    return lists(names, name, true);
}

/* By its exact name, or by a prefix that is someone's own: a kernel may well call a function of its
 * own hgemm_tile or round_up. */
/* Whether the harness itself calls a symbol of this name, so that a library that defines it would
 * be called instead. */
static bool symbol_of_harness(const char *name) {
    /* nvcc defines one for each file that it links as relocatable device code. */
    if (symbol_in("__cudaRegisterLinkedBinary_*", name))
        return false;
    if (symbol_in("cuda* __cuda* cublas* cupti* nvml* pthread_* clock_* __libc_* dl_*", name))
        return true;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strncmp(name, "_Z", 2) != 0 && lists(rules[i].names, name, false))
            return true;
    return false;
}

/* The rule for a linker symbol, with or without its leading underscores, or NULL for an unknown. */
static const struct symbol_rule *symbol_rule_of(const char *name) {
    const char *bare = name + strspn(name, "_");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (symbol_in(rules[i].names, name) || symbol_in(rules[i].names, bare))
            return &rules[i];
    return NULL;
}

static void judge_needed(struct image *image, const char *name) {
    static const char usual[] = "libc.so.6 libm.so.6 libmvec.so.1 libstdc++.so.6 libgcc_s.so.1 "
                                "libpthread.so.0 librt.so.1 libdl.so.2 libcuda.so.1 "
                                "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1";
    if (symbol_in("libcudart.so.11.0 libcudart.so.12 libcudart.so.13", name))
        image->shared_runtime = true;
    else if (symbol_in("libgomp.so.1 libomp.so.5 libiomp5.so", name))
        finding_add(image->list, FINDING_WORKER_POOL, "%s", name);
    else if (symbol_in("libcublas* libcudnn* libcusparse* libcusolver* libcutensor* libopenblas* "
                       "libblas* libcblas* libmkl* libtorch* libc10*",
                       name))
        finding_add(image->list, FINDING_LIBRARY_GEMM, "%s", name);
    else if (!symbol_in(usual, name))
        finding_add(image->list, FINDING_NEEDED_LIBRARY, "%s", name);
}

/* An entry that is judged by itself; strings are there once every tag is known. */
static bool judge_entry(struct image *image, const Elf64_Dyn *d) {
    const char *name = "";
    if (d->d_tag == DT_NEEDED || d->d_tag == DT_RPATH || d->d_tag == DT_RUNPATH ||
        d->d_tag == DT_AUXILIARY || d->d_tag == DT_FILTER || d->d_tag == DT_AUDIT ||
        d->d_tag == DT_DEPAUDIT) {
        name = image_string(image, d->d_un.d_val);
        if (!name)
            return image_malformed(image, "the name of a needed library lies outside its strings");
    }
    switch (d->d_tag) {
    case DT_NEEDED:
        judge_needed(image, name);
        break;
    case DT_RPATH:
    case DT_RUNPATH:
        finding_add(image->list, FINDING_SEARCH_PATH, "%s", name);
        break;
    case DT_AUXILIARY:
    case DT_FILTER:
    case DT_AUDIT:
    case DT_DEPAUDIT:
        finding_add(image->list, FINDING_NEEDED_LIBRARY, "%s, to stand in for this one", name);
        break;
    case DT_TEXTREL:
        finding_add(image->list, FINDING_TEXT_RELOCATION, "DT_TEXTREL");
        break;
    case DT_FLAGS:
        if (d->d_un.d_val & DF_TEXTREL)
            finding_add(image->list, FINDING_TEXT_RELOCATION, "DF_TEXTREL");
        break;
    case DT_FLAGS_1:
        if (d->d_un.d_val & (DF_1_GLOBAL | DF_1_INTERPOSE))
            finding_add(image->list, FINDING_HARNESS_SHADOW,
                        "it asks that its symbols serve other libraries");
        break;
    }
    return true;
}

static bool judge_dynamic(struct image *image) {
    const uint64_t count = image->dynamic_count;
    const unsigned char *entries =
        image_at(image, image->dynamic.p_vaddr, count * sizeof(Elf64_Dyn));
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Dyn d;
        memcpy(&d, entries + i * sizeof d, sizeof d);
        if (!judge_entry(image, &d))
            return false;
    }
    return true;
}

/* Where the loader writes: into writable memory of the library, and not into what it reads by. */
static bool judge_target(struct image *image, uint64_t target) {
    const uint64_t *tags = image->tags;
    const Elf64_Phdr *load = image_load(image, target, 8);
    if (!load)
        return image_malformed(image, "a relocation reaches outside the library");
    if (!(load->p_flags & PF_W) && image->list->seen[FINDING_TEXT_RELOCATION] == 0)
        finding_add(image->list, FINDING_TEXT_RELOCATION, "at 0x%" PRIx64, target);
    if (image_overlap(target, 8, tags[DT_STRTAB], tags[DT_STRSZ]) ||
        image_overlap(target, 8, tags[DT_SYMTAB], image->symbol_count * sizeof(Elf64_Sym)) ||
        image_overlap(target, 8, tags[DT_RELA], tags[DT_RELASZ]) ||
        image_overlap(target, 8, tags[DT_JMPREL], tags[DT_PLTRELSZ]) ||
        image_overlap(target, 8, image->dynamic.p_vaddr, image->dynamic.p_memsz))
        return image_malformed(image, "a relocation changes the tables of the loader");
    return true;
}

static bool judge_relocations(struct image *image, uint64_t table, uint64_t size) {
    const unsigned char *entries = image_at(image, table, size);
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, entries + i * sizeof r, sizeof r);
        if (ELF64_R_TYPE(r.r_info) == 0) /* R_*_NONE */
            continue;
        if (ELF64_R_TYPE(r.r_info) == image_indirect(image))
            finding_add(image->list, FINDING_IFUNC, "a resolver at 0x%" PRIx64,
                        (uint64_t)r.r_addend);
        if (!judge_target(image, r.r_offset))
            return false;
    }
    return true;
}

/* Addresses and bitmaps of words that follow them; what they hold is already in the file. */
static bool judge_relative(struct image *image) {
    const uint64_t size = image->tags[DT_RELRSZ];
    const unsigned char *words = image_at(image, image->tags[DT_RELR], size);
    uint64_t where = 0;
    if (!image->tags[DT_RELR])
        return true;
    if (!words || size % 8 != 0)
        return image_malformed(image, "its relocations lie outside the file");
    for (uint64_t i = 0; i < size / 8; i++) {
        uint64_t word;
        memcpy(&word, words + 8 * i, 8);
        if (!(word & 1)) {
            if (!judge_target(image, word))
                return false;
            where = word + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if ((word >> bit & 1) && !judge_target(image, where + 8 * (bit - 1)))
                return false;
        where += 8 * 63;
    }
    return true;
}

static void judge_undefined(struct image *image, const char *name) {
    const struct symbol_rule *rule = symbol_rule_of(name);
    if (image_has_static_runtime(image) && symbol_in(symbols_of_static_runtime, name))
        return;
    if (!rule)
        finding_add(image->list, FINDING_UNEXPECTED_SYMBOL, "%s", name);
    else if (!rule->allowed)
        finding_add(image->list, rule->kind, "%s: %s", name, rule->reason);
}

/* The loader looks in the program first: a library's own dlopen is the program's. Templates of C++
 * are everyone's to define, and are judged as what they are for. */
static void judge_defined(struct image *image, const char *name) {
    const struct symbol_rule *rule = symbol_rule_of(name);
    if (symbol_of_harness(name))
        finding_add(image->list, FINDING_HARNESS_SHADOW, "%s", name);
    else if (rule && !rule->allowed && strncmp(name, "_Z", 2) == 0)
        finding_add(image->list, rule->kind, "%s: %s", name, rule->reason);
}

static bool judge_symbols(struct image *image) {
    if (image->symbol_count > IMAGE_SYMBOLS)
        return image_malformed(image, "it has too many symbols");
    for (uint32_t i = 1; i < image->symbol_count; i++) {
        Elf64_Sym symbol;
        if (!image_symbol(image, i, &symbol))
            return image_malformed(image, "its symbols lie outside the file");
        const char *name = image_string(image, symbol.st_name);
        if (!name)
            return image_malformed(image, "the name of a symbol lies outside its strings");
        if (symbol.st_shndx == SHN_UNDEF) {
            if (*name)
                judge_undefined(image, name);
            continue;
        }
        if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            finding_add(image->list, FINDING_IFUNC, "%s", name);
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
            judge_defined(image, name);
    }
    return true;
}

/* Bytes may be part of another instruction, so this proves nothing. */
static void judge_code(struct image *image) {
    static const unsigned char syscall_code[] = {0x0f, 0x05};
    size_t count = 0;
    uint64_t address = 0;
    if (image->header.e_machine != EM_X86_64)
        return;
    for (size_t i = 0; i < image->load_count; i++) {
        const Elf64_Phdr *load = &image->loads[i];
        const unsigned char *start = image->bytes + load->p_offset, *end = start + load->p_filesz;
        const unsigned char *p = start;
        if (!(load->p_flags & PF_X))
            continue;
        while ((p = memmem(p, (size_t)(end - p), syscall_code, sizeof syscall_code))) {
            if (count++ == 0)
                address = load->p_vaddr + (uint64_t)(p - start);
            p++;
        }
    }
    if (count > 0)
        finding_add(image->list, FINDING_SYSCALL_BYTES, "%zu, the first at 0x%" PRIx64, count,
                    address);
}

static void judge(struct image *image) {
    const uint64_t *tags = image->tags;
    if (!image_open(image) || !judge_dynamic(image) || !image_count_symbols(image) ||
        !judge_relative(image) || !judge_relocations(image, tags[DT_RELA], tags[DT_RELASZ]) ||
        !judge_relocations(image, tags[DT_JMPREL], tags[DT_PLTRELSZ]) || !judge_symbols(image))
        return;
    if (image_has_static_runtime(image))
        finding_add(image->list, FINDING_STATIC_RUNTIME,
                    "what it calls of CUDA, and what the runtime needs itself, is not seen; "
                    "link with -cudart shared");
    else
        judge_code(image);
}

int static_audit(const char *path, struct finding_list *list) {
    struct file_bytes file;
    if (file_bytes_read(path, &file) < 0)
        return -1;
    struct image *image = need(1, sizeof *image);
    image->list = list;
    image->bytes = file.bytes;
    image->size = file.size;
    judge(image);
    free(image);
    file_bytes_free(&file);
    return 0;
}
