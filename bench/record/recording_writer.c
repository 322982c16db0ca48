#include "bench/record/recording_writer.h"

#include <stdlib.h>
#include <string.h>

/* Room for `size` bytes more at the end of the list, or NULL. */
static unsigned char *extend(struct recording_writer *writer, struct recording_list *list,
                             uint64_t size, uint64_t most) {
    if (writer->full || size > most || list->count > most - size) {
        writer->full = true;
        return NULL;
    }
    if (list->room - list->count < size) {
        uint64_t room = 2 * (list->count + size);
        unsigned char *bytes = realloc(list->bytes, room);
        if (!bytes) {
            writer->full = true;
            return NULL;
        }
        list->bytes = bytes;
        list->room = room;
    }
    list->count += size;
    return list->bytes + (list->count - size);
}

static uint32_t add_entry(struct recording_writer *writer, enum recording_table table,
                          const void *entry) {
    const uint32_t number = recording_next(writer, table);
    const size_t size = recording_entry_bytes[table];
    unsigned char *at = extend(writer, &writer->tables[table], size, RECORDING_MOST_ENTRIES * size);
    if (at)
        memcpy(at, entry, size);
    return number;
}

#define X(type, name)                                                                              \
    uint32_t recording_add_##type(struct recording_writer *writer,                                 \
                                  const struct recording_##type *entry) {                          \
        return add_entry(writer, RECORDING_TABLE_##name, entry);                                   \
    }
RECORDING_TABLES(X)
#undef X

struct recording_span recording_add_bytes(struct recording_writer *writer, const void *bytes,
                                          uint64_t size) {
    const uint64_t padding = -writer->blob.count % RECORDING_ALIGNMENT;
    const struct recording_span span = {writer->blob.count + padding, size};
    unsigned char *at = extend(writer, &writer->blob, padding + size, RECORDING_MOST_BYTES);
    if (!at)
        return span;
    memset(at, 0, padding + size);
    if (bytes)
        memcpy(at + padding, bytes, size);
    return span;
}

uint32_t recording_next(const struct recording_writer *writer, enum recording_table table) {
    return (uint32_t)(writer->tables[table].count / recording_entry_bytes[table]);
}

void *recording_entry(struct recording_writer *writer, enum recording_table table,
                      uint32_t number) {
    return writer->tables[table].bytes + number * recording_entry_bytes[table];
}

/* How many bytes it has so far, written. */
static uint64_t size_of(const struct recording_writer *writer) {
    uint64_t size = sizeof writer->head + writer->blob.count;
    for (int i = 0; i < RECORDING_TABLE_COUNT; i++)
        size += writer->tables[i].count;
    return size;
}

void recording_begin_call(struct recording_writer *writer, const struct gemm_args *args) {
    const struct recording_call call = {.first_step = recording_next(writer, RECORDING_TABLE_steps),
                                        .a = (uint64_t)(uintptr_t)args->a,
                                        .b_row = (uint64_t)(uintptr_t)args->b_row,
                                        .b_col = (uint64_t)(uintptr_t)args->b_col,
                                        .c = (uint64_t)(uintptr_t)args->c};
    recording_add_call(writer, &call);
}

uint32_t recording_append_step(struct recording_writer *writer, const struct recording_step *step) {
    const uint32_t number = recording_add_step(writer, step);
    if (writer->full)
        return number;
    struct recording_call *call = recording_entry(
        writer, RECORDING_TABLE_calls, recording_next(writer, RECORDING_TABLE_calls) - 1);
    call->steps++;
    return number;
}

uint64_t recording_write(struct recording_writer *writer, void *to, uint64_t room) {
    unsigned char *at = to;
    const uint64_t size = size_of(writer);
    struct recording_head *head = &writer->head;
    for (int i = 0; i < RECORDING_TABLE_COUNT; i++)
        head->counts[i] = recording_next(writer, (enum recording_table)i);
    head->magic = RECORDING_MAGIC;
    head->version = RECORDING_VERSION;
    head->blob_bytes = writer->blob.count;
    if (writer->full || size > room || size > RECORDING_MOST_BYTES)
        return 0;
    memcpy(at, head, sizeof *head);
    at += sizeof *head;
    for (int i = 0; i < RECORDING_TABLE_COUNT; i++) {
        if (writer->tables[i].count > 0)
            memcpy(at, writer->tables[i].bytes, writer->tables[i].count);
        at += writer->tables[i].count;
    }
    if (writer->blob.count > 0)
        memcpy(at, writer->blob.bytes, writer->blob.count);
    return size;
}

void recording_writer_free(struct recording_writer *writer) {
    for (int i = 0; i < RECORDING_TABLE_COUNT; i++)
        free(writer->tables[i].bytes);
    free(writer->blob.bytes);
    memset(writer, 0, sizeof *writer);
}
