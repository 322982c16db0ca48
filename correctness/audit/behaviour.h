/* What a kernel was seen to do, call by call, and what is to be thought of it. Pure: no CUDA. */
#ifndef CORRECTNESS_AUDIT_BEHAVIOUR_H
#define CORRECTNESS_AUDIT_BEHAVIOUR_H

#include <stdint.h>

#include "correctness/audit/finding.h"

enum behaviour_kind {
    BEHAVIOUR_KERNEL, /* a kernel that ran on the device */
    BEHAVIOUR_MEMSET,
    BEHAVIOUR_COPY,
    BEHAVIOUR_ALLOC,    /* device memory allocated or freed, pools included */
    BEHAVIOUR_SYNC,     /* the host waited for device, stream or event */
    BEHAVIOUR_EVENT,    /* an event was made, recorded or asked for a time */
    BEHAVIOUR_STREAM,   /* a stream was made */
    BEHAVIOUR_GRAPH,    /* a graph was captured, made or launched */
    BEHAVIOUR_LIMIT,    /* cudaDeviceSetLimit, L2 persistence, cache or scheduling flags */
    BEHAVIOUR_CALLBACK, /* a host function was put on a stream */
    BEHAVIOUR_MODULE,   /* code was loaded */
    BEHAVIOUR_OTHER     /* any other call of the runtime or driver */
};

/* The most events that are kept of one call, for each of three sorts: launches, other calls, and
 * what the device does. An honest kernel makes fewer, except in a first call in which it tunes
 * itself. */
#define BEHAVIOUR_MOST 8192

struct behaviour_event {
    int32_t call;  /* 0 setup, 1 the first launch, 2 ... */
    uint32_t kind; /* enum behaviour_kind */
    /* Kernels, memsets, copies: the stream as CUPTI numbers it, and whether it is the one that
     * launch was given (the legacy default stream). */
    uint32_t stream, given_stream;
    int32_t grid[3], block[3], registers;
    int64_t shared_bytes; /* static and dynamic */
    uint64_t symbol;      /* kernels: behaviour_symbol of the mangled name */
    uint64_t bytes;       /* memsets, copies, allocations */
    uint64_t address;     /* of what is allocated (then bytes is not 0) or freed; 0: not known */
    uint64_t start_ns, end_ns; /* device time; 0 for calls */
    int32_t in_graph;
    int32_t dependent; /* launches: programmatic dependent launch is allowed */
    char name[96]; /* demangled kernel or API function, cut; "memset", "memcpy HtoD" and so on */
};

/* A hash of a kernel's mangled name. `name` is cut, and so cannot tell templates apart. */
uint64_t behaviour_symbol(const char *mangled);

/* Copies events out of memory that the kernel's process can write, so that they no longer change,
 * and ends their names with a NUL. The caller frees. */
struct behaviour_event *behaviour_copy(const void *recorded, uint64_t count);

/* The kind of a call of the runtime or driver, by its name ("cudaMalloc", "cuMemAlloc_v2"). Copies,
 * memsets and launches are OTHER: what they do on the device is an event of its own. */
enum behaviour_kind behaviour_call_kind(const char *function);

/* Which of a process's calls were recorded: `first` of `calls`, and the rest after `between` others
 * that were not. Events carry 1 to calls. */
struct behaviour_recorded {
    int calls, first, between;
};

/* Judges the events of one kernel, ordered by call. Appends findings, each with the calls it was
 * seen in, as the process counts them, and how often. Events of calls that were not recorded whole
 * are skipped. A steady kernel does the same in every call from the second
 * on. What only the first call does is its warm-up, and the finding says so (self-tuning: many more
 * kernels in the first call than in later ones; the first call may have been cut to
 * BEHAVIOUR_MOST). What setup does is judged only where it has an effect beyond setup: streams,
 * graphs, limits, host functions and kernels of a library. A kernel is a library's if its name is
 * one of cuBLAS's, cuBLASLt's or cuDNN's own (cutlass_80_..., sm90_xmma_gemm_..., ampere_h...,
 * nvjet_..., gemmSN_..., cublasLt::splitKreduce_kernel). A launch that is dependent is told, also
 * in setup and the first call. */
void behaviour_judge(const struct behaviour_event *events, uint64_t count,
                     struct behaviour_recorded recorded, struct finding_list *list);

/* Adds a finding where what is allocated and not yet freed is more than the workspace at any time.
 * What calls have allocated may be freed by calls that are not recorded. */
void behaviour_memory(const struct behaviour_event *events, uint64_t count,
                      struct behaviour_recorded recorded, uint64_t workspace_bytes,
                      struct finding_list *list);

/* A hash of the kernels that a call launches, with their grids and blocks, in whatever order; 0 for
 * none. Of one kernel: behaviour_kernel. Two calls with the same hash do the same work, as far as
 * can be told without its parameters. */
uint64_t behaviour_kernel(uint64_t symbol, const uint32_t grid[3], const uint32_t block[3]);
uint64_t behaviour_work(const struct behaviour_event *events, uint64_t count, int call);

/* One line for audit.csv's summary: kernels a call, streams, grid and block of the main kernel,
 * registers, shared memory, memsets, copies, allocations, syncs from the second call on. */
void behaviour_summary(const struct behaviour_event *events, uint64_t count, int calls, char *text,
                       int size);

#endif
