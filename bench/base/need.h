/* Memory without which a program ends: for the judge and the commands on results, which lose nothing
 * by it. Runs are stored unit by unit, and go on with --resume. Not for the runner: it answers for a
 * kernel and says in its reply what it lacks.
 *
 * Each returns memory that the caller frees with free(), or prints a message and exits with
 * EXIT_TROUBLE. */
#ifndef BENCH_BASE_NEED_H
#define BENCH_BASE_NEED_H

#include <stddef.h>

/* So many elements of so many bytes, all zero; of none, too, it is not NULL. */
void *need(size_t count, size_t size);

/* The list of `count` elements, or NULL of none, with room for one more at least. */
void *need_more(void *list, size_t count, size_t size);

char *need_copy(const char *text);

#endif
