/* Facts of a kernel's calls: which functions of the CUDA driver each asks for, and which kernels it
 * launches. The recorder counts them in the kernel's process (facts.c). The judge copies them and
 * says them (facts_judge.c). Pure: no CUDA. */
#ifndef CORRECTNESS_CONTRACT_FACTS_H
#define CORRECTNESS_CONTRACT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correctness/contract/finding.h"

/* A kernel does the same in every call from the second on. Its earlier work is its warm-up. */
enum facts_when { FACTS_SETUP, FACTS_FIRST, FACTS_LATER, FACTS_WHENS };

#define FACTS_NAME 96
#define FACTS_MOST 512 /* functions and kernels that are told apart */

/* A function of the driver, or a kernel that was launched. */
struct facts_seen {
    char name[FACTS_NAME]; /* a kernel's is demangled, and cut */
    uint32_t is_kernel;
    uint32_t times[FACTS_WHENS];
    /* Of a kernel: launches that may begin before the work in front of them has ended, and what the
     * last launch was. */
    uint32_t dependent, grid[3], block[3], shared_bytes;
};

/* The launches of one call. */
struct facts_work {
    uint32_t kernels, others; /* others: fills and copies */
    uint64_t digest;          /* facts_digest of its launches; 0 without any */
    /* Of all that its launches, fills and copies are given, and how many of these are in it. */
    uint64_t exact;
    uint32_t known;
};

/* Starts zeroed. Calls are numbered from 1; setup is 0. */
struct facts {
    int32_t calls;
    int32_t idle, first_idle;       /* calls that launched no kernel */
    int32_t changed, first_changed; /* calls that launched other kernels than the second */
    /* most: of a call from the second on. last: of the last call. */
    struct facts_work first, second, most, last;
    uint64_t held_bytes; /* of memory, at most, ... */
    int32_t held_call;   /* ... in that call */
    uint32_t seen_count;
    struct facts_seen seen[FACTS_MOST];
};

/* Counting. Counts between begin and end belong to setup, or to a call of its own. */
void facts_begin(struct facts *facts, bool call);
void facts_end(struct facts *facts);

void facts_add_function(struct facts *facts, const char *name);

/* name: demangled. launch: its kernel's mangled name is the symbol. */
struct facts_launch {
    const char *name, *symbol;
    uint32_t grid[3], block[3], shared_bytes;
    bool dependent;
};
void facts_add_launch(struct facts *facts, const struct facts_launch *launch);

/* Adds the hash of all that the last launch, fill or copy was given to the call's `exact`. */
void facts_add_exact(struct facts *facts, uint64_t hash);

/* Bytes of the device's memory that the kernel holds now. */
void facts_hold(struct facts *facts, uint64_t bytes);

/* The digest of launches, by the one in front of the last; 0 in front of the first. Two calls with
 * the same digest do the same work, as far as can be told without parameters. */
uint64_t facts_digest(uint64_t before, const char *symbol, const uint32_t grid[3],
                      const uint32_t block[3]);

/* A hash of bytes and of what was hashed before them. */
uint64_t facts_hash(uint64_t before, const void *bytes, size_t size);

/* Of a call that has the same work each time: a hash of that work, parameters too, by its first two
 * calls. 0 where it is not known. */
uint64_t facts_exact(const struct facts *facts);

/* The kind of a function of the driver, by its name ("cuMemAlloc_v2"). */
enum facts_kind {
    FACTS_OTHER,
    FACTS_FILL,
    FACTS_COPY,
    FACTS_ALLOC, /* memory allocated or freed */
    FACTS_SYNC,  /* the host waits for the device, a stream or an event */
    FACTS_KINDS
};
enum facts_kind facts_function_kind(const char *function);

/* Whether a kernel is cuBLAS's, cuBLASLt's or cuDNN's own, by its demangled name
 * (cutlass_80_..., sm90_xmma_gemm_..., ampere_h..., nvjet_..., cublasLt::splitKreduce_kernel). */
bool facts_is_library(const char *kernel);

/* Copies facts that a kernel's process can write, so that they no longer change. Its names end
 * then, and its counts are within bounds. */
void facts_take(const void *from, struct facts *to);

/* Lists what they show. The texts are clean (bench/base/text.h); names in them are the kernel's own
 * words. Memory is a fact where more is held than the workspace. Returns how many there are. */
#define FACTS_TEXT 192
#define FACTS_FINDINGS (2 * FACTS_MOST + 4)
struct finding {
    enum finding_kind kind;
    char text[FACTS_TEXT];
};
int facts_judge(const struct facts *facts, uint64_t workspace_bytes,
                struct finding list[FACTS_FINDINGS]);

/* A line: what a call from the second on does, and its main kernel. */
void facts_summary(const struct facts *facts, char *text, int size);

#endif
