/* Memory without which a program ends: for the judge and the commands on results, which lose
 * nothing by it. Runs are stored unit by unit, and go on with --resume. Not for the runner: it
 * answers for a kernel and says in its reply what it lacks.
 *
 * Each returns memory that the caller frees with free(), or prints a message and exits with
 * EXIT_TROUBLE. */
#ifndef BENCH_BASE_NEED_H
#define BENCH_BASE_NEED_H

#include <stddef.h>
#include <stdio.h>

/* So many elements of so many bytes, all zero; of none, too, it is not NULL. */
void *need(size_t count, size_t size);

/* The list of `count` elements, or NULL of none, with room for one more at least. */
void *need_more(void *list, size_t count, size_t size);

/* The bytes, or NULL, with room for so many at least; *room: how many there is room for. */
void *need_room(void *bytes, size_t wanted, size_t *room);

char *need_copy(const char *text);

/* A stream into memory, which cannot fail. The written bytes are at *text, of *size bytes with a
 * NUL behind, once the stream is flushed or closed. */
FILE *need_stream(char **text, size_t *size);

/* From now on JSON values take memory in this way, too: only what is no UTF-8 makes NULL. */
void need_json(void);

#endif
