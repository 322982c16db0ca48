/* Findings in a recording of a kernel's calls: data, never an error of the program.
 * The one list that gives names, CSV words and sentences. */
#ifndef CORRECTNESS_CONTRACT_FINDING_H
#define CORRECTNESS_CONTRACT_FINDING_H

#include <stdbool.h>

/* X(identifier, csv word, sentence for people whose subject is the kernel). */

/* Told, and never judged. */
#define FINDINGS_FACT(X)                                                                           \
    X(CUDA_ALLOC, "cuda-alloc", "allocates or frees memory of the device")                         \
    X(FIRST_CALL_WORK, "first-call-work", "does more on the device in its first call than later")  \
    X(CHANGING_KERNELS, "changing-kernels", "does not launch the same kernels in every call")      \
    X(DEPENDENT_LAUNCH, "dependent-launch",                                                        \
      "launches kernels that may begin before the work in front of them has ended")                \
    X(CUDA_SYNC, "cuda-sync", "waits for the device")                                              \
    X(ALLOC_PER_CALL, "alloc-per-call", "allocates or frees memory also after its first call")     \
    X(SYNC_PER_CALL, "sync-per-call", "waits for the device also after its first call")            \
    X(SELF_TUNING, "self-tuning", "tries many kernels in its first call, to keep a few")

/* A call that does it is no recording: the kernel's outcome is UNRECORDED. */
#define FINDINGS_REFUSED(X)                                                                        \
    X(LIBRARY_GEMM, "library-gemm", "calls a library of linear algebra")                           \
    X(WORKSPACE, "workspace", "holds more memory than the workspace that it was given")            \
    X(NO_KERNEL, "no-kernel", "runs no kernel in some of its calls")                               \
    X(UNRECORDED, "unrecorded", "cannot be recorded")

#define FINDINGS(X) FINDINGS_FACT(X) FINDINGS_REFUSED(X)

#define FINDING_ENUM(id, word, sentence) FINDING_##id,
enum finding_kind { FINDINGS(FINDING_ENUM) FINDING_COUNT };
#undef FINDING_ENUM

/* The word for CSV files; the sentence for people, without its subject and final stop; and the level,
 * "fact" or "refused". */
struct finding_words {
    const char *word, *sentence, *level;
};
extern const struct finding_words finding_words[FINDING_COUNT];

bool finding_is_refused(enum finding_kind kind);

#endif
