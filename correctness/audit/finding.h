/* What audits find in a kernel: data for a policy to judge, never an error of the program.
 * The one list that gives names, CSV words, sentences and what is made of each by default. */
#ifndef CORRECTNESS_AUDIT_FINDING_H
#define CORRECTNESS_AUDIT_FINDING_H

#include <stddef.h>

/* X(identifier, csv word, sentence for people whose subject is the kernel). */

/* An honest kernel may well do it. */
#define FINDINGS_INFO(X)                                                                           \
    X(CUDA_ALLOC, "cuda-alloc", "allocates or frees memory of the device")                         \
    X(ENVIRONMENT_READ, "environment-read", "reads the environment's variables")                   \
    X(FIRST_CALL_WORK, "first-call-work", "does more on the device in its first call than later")  \
    X(CHANGING_KERNELS, "changing-kernels", "does not launch the same kernels in every call")      \
    X(DEPENDENT_LAUNCH, "dependent-launch",                                                        \
      "launches kernels that may begin before the work in front of them has ended")

/* An honest kernel has little need of it, or what was seen is no proof. */
#define FINDINGS_WARN(X)                                                                           \
    X(UNEXPECTED_SYMBOL, "unexpected-symbol", "needs a symbol that kernels are not known to need") \
    X(SYSCALL_BYTES, "syscall-bytes", "holds bytes that may be a system call instruction")         \
    X(STATIC_RUNTIME, "static-runtime", "holds a CUDA runtime of its own, which hides its calls")  \
    X(SEARCH_PATH, "search-path", "names folders in which libraries are looked for")               \
    X(IFUNC, "ifunc", "chooses functions by code that runs when it is loaded")                     \
    X(THREAD, "thread", "starts threads")                                                          \
    X(WORKER_POOL, "worker-pool", "uses a pool of threads")                                        \
    X(EXIT, "exit", "can end its process or leave a call without returning")                       \
    X(CLOCK, "clock", "reads a clock or sleeps")                                                   \
    X(CUDA_EVENT, "cuda-event", "makes or records CUDA events")                                    \
    X(CUDA_GRAPH, "cuda-graph", "captures or launches CUDA graphs")                                \
    X(CUDA_STREAM, "cuda-stream", "makes streams or contexts of its own")                          \
    X(CUDA_SYNC, "cuda-sync", "waits for the device")                                              \
    X(CUDA_HOST_CALL, "cuda-host-call", "makes the device's queue call functions of the host")     \
    X(DRIVER_ENTRY, "driver-entry", "looks up functions of the CUDA driver by name")               \
    X(CODE_LOADING, "code-loading", "loads device code also after its first call")                 \
    X(HOST_COPY, "host-copy", "copies between host and device while it is called")                 \
    X(ALLOC_PER_CALL, "alloc-per-call", "allocates or frees memory also after its first call")     \
    X(SYNC_PER_CALL, "sync-per-call", "waits for the device also after its first call")            \
    X(SELF_TUNING, "self-tuning", "tries many kernels in its first call, to keep a few")           \
    X(MEMOISES, "memoises",                                                                        \
      "is clearly slower in a row when all of A and B is new for each call: it keeps products")    \
    X(SLOWS_LIBRARY, "slows-library",                                                              \
      "has a library beside it take longer for a call than its work on the device explains")

/* No honest kernel does it. */
#define FINDINGS_REJECT(X)                                                                         \
    X(INPUT_OUTPUT, "input-output", "reads or writes files, pipes or sockets")                     \
    X(DYNAMIC_LOADING, "dynamic-loading", "loads libraries or inspects those that are loaded")     \
    X(NEEDED_LIBRARY, "needed-library", "brings along a library that kernels do not need")         \
    X(MEMORY_PROTECTION, "memory-protection", "maps memory or changes its protection")             \
    X(WRITABLE_CODE, "writable-code", "has memory that is both writable and executable")           \
    X(TEXT_RELOCATION, "text-relocation", "has its code patched when it is loaded")                \
    X(PROCESS, "process", "starts or controls processes")                                          \
    X(RAW_SYSCALL, "raw-syscall", "makes system calls by number")                                  \
    X(SIGNAL, "signal", "sends signals or handles them")                                           \
    X(TRACE, "trace", "traces processes or interferes with tools that watch it")                   \
    X(ENVIRONMENT_WRITE, "environment-write", "changes the environment's variables")               \
    X(LIBRARY_GEMM, "library-gemm", "calls a library of linear algebra")                           \
    X(CUDA_LIMIT, "cuda-limit", "changes limits or settings of the device that outlast a call")    \
    X(OTHER_STREAM, "other-stream", "works on another stream than the one it was given")           \
    X(WORKSPACE, "workspace", "holds more memory than the workspace that it was given")            \
    X(NO_KERNEL, "no-kernel", "runs no kernel in some of its calls")                               \
    X(UNRECORDED, "unrecorded", "does not let its calls of CUDA be recorded")                      \
    X(HARNESS_SHADOW, "harness-shadow", "defines a symbol that the harness uses")                  \
    X(MALFORMED, "malformed", "is not a well-formed library")

/* Order is severity: later is worse. */
#define FINDINGS(X) FINDINGS_INFO(X) FINDINGS_WARN(X) FINDINGS_REJECT(X)

#define FINDING_ENUM(id, word, sentence) FINDING_##id,
enum finding_kind { FINDINGS(FINDING_ENUM) FINDING_COUNT };
#undef FINDING_ENUM

enum finding_level { LEVEL_INFO, LEVEL_WARN, LEVEL_REJECT };

struct finding {
    enum finding_kind kind;
    char text[192]; /* what was found, printable ASCII; names in it are the kernel's own words */
};

/* What is kept of one kind: a kernel cannot hide one finding behind a flood of others. */
#define FINDINGS_A_KIND 16

/* Starts zeroed. Large: not for a deep stack. */
struct finding_list {
    struct finding items[FINDING_COUNT * FINDINGS_A_KIND];
    size_t count;
    size_t seen[FINDING_COUNT]; /* of each kind, kept or not */
};

/* The word for CSV files. */
const char *finding_word(enum finding_kind kind);

/* The sentence for people, without its subject and final stop. */
const char *finding_sentence(enum finding_kind kind);

/* What a policy that says nothing makes of it. */
enum finding_level finding_default(enum finding_kind kind);

/* info, warn or reject. */
const char *finding_level_word(enum finding_level level);

/* Counts it, and appends it unless there are FINDINGS_A_KIND of it. */
void finding_add(struct finding_list *list, enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct audit_policy {
    enum finding_level level[FINDING_COUNT];
};

void audit_policy_default(struct audit_policy *policy);

/* Reads an INI file: section [findings], a line "word = info|warn|reject" for each that differs
 * from the default. Sections that begin with "gate" belong to another reader and are
 * skipped. Anything else that is unknown, and any line that is too long, is an error with file and
 * line. 0, or -1 after error(). */
int audit_policy_read(const char *path, struct audit_policy *policy);

#endif
