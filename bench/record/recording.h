/* A kernel's work on a device in a sequence of calls, as bytes that another process can carry out.
 * The process that writes them runs a kernel's code, so whoever reads them must not trust them.
 *
 * The bytes are a head, then one table behind the other in the order of recording_tables, then the
 * blob: everything of variable size. A span is a part of the blob. */
#ifndef BENCH_RECORD_RECORDING_H
#define BENCH_RECORD_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_MAGIC 0x594c50524d4d4547u /* "GEMMRPLY" */
#define RECORDING_VERSION 9

/* More than this is not recordable. */
#define RECORDING_MOST_BYTES (UINT64_C(256) << 20)
#define RECORDING_MOST_CALLS 64
#define RECORDING_MOST_ENTRIES 65536 /* of any table */
#define RECORDING_MOST_NAME 8192
#define RECORDING_MOST_PARAMETERS 32764 /* bytes, of one launch */

#define RECORDING_NONE UINT32_MAX

/* Room for the words why something cannot be recorded. */
#define RECORDING_WHY 240

struct recording_span {
    uint64_t at, size;
};

/* On the device: in the fixed range, or in a variable of the kernel. */
struct recording_address {
    uint32_t variable; /* RECORDING_NONE: offset is an address */
    uint32_t unused;
    uint64_t offset;
};

/* A module as the driver had loaded it: an ELF file. */
struct recording_image {
    struct recording_span bytes;
};

struct recording_function {
    uint32_t image;
    int32_t most_dynamic_shared; /* bytes per block that a launch may ask for */
    int32_t carveout;            /* per cent of shared memory preferred, -1: none */
    int32_t large_clusters;      /* 1 where clusters of more than 8 blocks are allowed */
    int32_t cache;               /* CUfunc_cache: L1 or shared memory preferred, 0: neither */
    uint32_t unused;
    struct recording_span name; /* with its NUL */
};

/* A variable of a module, and what it held before the first call. */
struct recording_variable {
    uint32_t image;
    uint32_t unused;
    struct recording_span name; /* with its NUL */
    struct recording_span held;
};

/* The content of a part of the arena before the first call; the rest was zero. */
struct recording_memory {
    uint64_t address;
    struct recording_span held;
};

/* Eight bytes of the blob that are an address in a variable, which is elsewhere in each process:
 * of a launch's parameters, or of what memory or a variable held. */
struct recording_pointer {
    uint64_t at; /* in the blob */
    uint32_t variable, unused;
    uint64_t addend;
};

/* X(name, number): attributes that mean the same in another process. CU_LAUNCH_ATTRIBUTE_name has
 * that number. Others are not recordable. */
#define RECORDING_ATTRIBUTES(X)                                                                    \
    X(COOPERATIVE, 2)                                                                              \
    X(CLUSTER_DIMENSION, 4)                                                                        \
    X(CLUSTER_SCHEDULING_POLICY_PREFERENCE, 5)                                                     \
    X(PROGRAMMATIC_STREAM_SERIALIZATION, 6)                                                        \
    X(PRIORITY, 8)                                                                                 \
    X(MEM_SYNC_DOMAIN_MAP, 9)                                                                      \
    X(MEM_SYNC_DOMAIN, 10)                                                                         \
    X(PREFERRED_CLUSTER_DIMENSION, 11)                                                             \
    X(PREFERRED_SHARED_MEMORY_CARVEOUT, 14)

enum recording_attribute_id {
#define X(name, number) RECORDING_##name = number,
    RECORDING_ATTRIBUTES(X)
#undef X
};

#define RECORDING_ATTRIBUTE_BYTES 64
struct recording_attribute {
    uint32_t id; /* enum recording_attribute_id */
    uint32_t unused;
    unsigned char value[RECORDING_ATTRIBUTE_BYTES];
};

enum recording_kind { RECORDING_LAUNCH = 1, RECORDING_FILL, RECORDING_COPY, RECORDING_KINDS };

struct recording_launch {
    uint32_t function;
    uint32_t grid[3], block[3], shared_bytes;
    uint32_t first_attribute, attributes;
    struct recording_span bytes; /* of the parameters, where the driver says that they lie */
};

/* So many elements of 1, 2 or 4 bytes. */
struct recording_fill {
    struct recording_address to;
    uint32_t value, element;
    uint64_t count;
};

struct recording_copy {
    struct recording_address to, from;
    uint64_t width, height, to_pitch, from_pitch; /* all but height in bytes */
};

/* Steps run one behind the other, on the stream of the call. */
struct recording_step {
    uint32_t kind; /* enum recording_kind */
    uint32_t unused;
    union {
        struct recording_launch launch;
        struct recording_fill fill;
        struct recording_copy copy;
    };
};

/* One call of the kernel, and the operands that it was given. Calls share no steps, and have them
 * in their own order. */
struct recording_call {
    uint32_t first_step, steps;
    uint64_t a, b_row, b_col, c;
};

/* X(type, name), in the order of the file. */
#define RECORDING_TABLES(X)                                                                        \
    X(image, images)                                                                               \
    X(function, functions)                                                                         \
    X(variable, variables)                                                                         \
    X(memory, memories)                                                                            \
    X(pointer, pointers)                                                                           \
    X(attribute, attributes)                                                                       \
    X(step, steps)                                                                                 \
    X(call, calls)

enum recording_table {
#define X(type, name) RECORDING_TABLE_##name,
    RECORDING_TABLES(X)
#undef X
        RECORDING_TABLE_COUNT
};

extern const size_t recording_entry_bytes[RECORDING_TABLE_COUNT];

struct recording_head {
    uint64_t magic;
    uint32_t version, unused;
    uint64_t base, base_bytes; /* the fixed range */
    uint64_t arena, arena_bytes;
    uint64_t blob_bytes;
    uint32_t counts[RECORDING_TABLE_COUNT];
};

/* One that has been read and found sound: every index, span, size and address is within bounds. Its
 * fills and copies write no operand but the C of their own call. Its images are code for a GPU,
 * which does not print, allocate or launch. A zero stands behind the blob. */
struct recording {
    struct recording_head head;
#define X(type, name) const struct recording_##type *name;
    RECORDING_TABLES(X)
#undef X
    const unsigned char *blob;
    void *memory; /* that all of these point into */
};

/* Copies the bytes, which somebody may go on writing to, and looks them over. 0; 1 with *why
 * (static storage) where they make no sense; -1 after error(). Only after 0 is there something to
 * free. */
int recording_read(const void *bytes, size_t size, struct recording *recording, const char **why);
void recording_free(struct recording *recording);

/* Whether it is one of RECORDING_ATTRIBUTES. */
bool recording_knows_attribute(uint32_t id);

int recording_calls(const struct recording *recording);

/* Where the name of a span begins. */
const char *recording_name(const struct recording *recording, struct recording_span name);

#endif
