/* Makes a recording entry by entry. */
#ifndef BENCH_RECORD_RECORDING_WRITER_H
#define BENCH_RECORD_RECORDING_WRITER_H

#include "bench/record/recording.h"
#include "candidates/gemmgate.h"

struct recording_list {
    unsigned char *bytes;
    uint64_t count, room; /* of bytes */
};

struct recording_writer {
    struct recording_head head;
    struct recording_list tables[RECORDING_TABLE_COUNT], blob;
    bool full; /* something did not fit; nothing is added from then on */
};

/* Adds an entry of a table, and returns its number. */
#define X(type, name)                                                                              \
    uint32_t recording_add_##type(struct recording_writer *writer,                                 \
                                  const struct recording_##type *entry);
RECORDING_TABLES(X)
#undef X

/* Adds a call on these operands. Steps that are added from now on are to be its own.
 */
void recording_begin_call(struct recording_writer *writer, const struct gemm_args *args);

/* Adds a step to the last call, and returns its number. */
uint32_t recording_append_step(struct recording_writer *writer, const struct recording_step *step);

/* Adds bytes to the blob; NULL: zeros. They begin at a multiple of RECORDING_ALIGNMENT, from
 * which a device copies fast. */
#define RECORDING_ALIGNMENT 64
struct recording_span recording_add_bytes(struct recording_writer *writer, const void *bytes,
                                          uint64_t size);

/* The number that the next entry of a table gets. */
uint32_t recording_next(const struct recording_writer *writer, enum recording_table table);

/* The entry of that number, good until the next is added. */
void *recording_entry(struct recording_writer *writer, enum recording_table table, uint32_t number);

/* Writes it all. The number of bytes, or 0 where something did not fit. */
uint64_t recording_write(struct recording_writer *writer, void *to, uint64_t room);

void recording_writer_free(struct recording_writer *writer);

#endif
