/* Memory of the host whose pages can be changed under its address. */
#ifndef BENCH_DEVICE_HOST_PAGES_H
#define BENCH_DEVICE_HOST_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Memory that begins a page, or NULL after error(). */
void *host_pages_take(size_t bytes);

/* Whether it was taken here; then it is given back. */
bool host_pages_release(void *memory);

/* Gives the pages back and keeps the address for host_pages_occupy, which takes others, all zero.
 * 0, or -1 after error(). */
int host_pages_vacate(void *memory);
int host_pages_occupy(void *memory);

#endif
