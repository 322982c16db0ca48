#include "bench/base/need.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

static void *had(void *memory, size_t count, size_t size) {
    if (memory)
        return memory;
    error("no memory for %zu times %zu bytes", count, size);
    exit(EXIT_TROUBLE);
}

void *need(size_t count, size_t size) {
    return had(calloc(count ? count : 1, size), count, size);
}

/* It grows at powers of two. */
void *need_more(void *list, size_t count, size_t size) {
    if (list && count & (count - 1))
        return list;
    const size_t room = count ? 2 * count : 1;
    return had(reallocarray(list, room, size), room, size);
}

char *need_copy(const char *text) {
    return had(strdup(text), 1, strlen(text) + 1);
}
