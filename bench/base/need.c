#include "bench/base/need.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

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

void *need_room(void *bytes, size_t wanted, size_t *room) {
    if (wanted <= *room)
        return bytes;
    *room = 2 * wanted;
    return had(realloc(bytes, *room), *room, 1);
}

char *need_copy(const char *text) {
    return had(strdup(text), 1, strlen(text) + 1);
}

/* The bytes that a stream has written. open_memstream drops bytes that it has no memory for, and
 * does not say so. */
struct written {
    char **text;
    size_t *size, room;
};

static ssize_t take_bytes(void *context, const char *bytes, size_t count) {
    struct written *to = context;
    if (to->room - *to->size <= count) {
        to->room = 2 * (to->room + count);
        *to->text = had(realloc(*to->text, to->room), to->room, 1);
    }
    memcpy(*to->text + *to->size, bytes, count);
    *to->size += count;
    (*to->text)[*to->size] = 0;
    return (ssize_t)count;
}

static int end_stream(void *context) {
    free(context);
    return 0;
}

FILE *need_stream(char **text, size_t *size) {
    struct written *to = need(1, sizeof *to);
    *to = (struct written){text, size, 1};
    *text = need(1, 1);
    *size = 0;
    return had(
        fopencookie(to, "w", (cookie_io_functions_t){.write = take_bytes, .close = end_stream}), 1,
        BUFSIZ);
}

static void *bytes(size_t size) {
    return had(malloc(size), 1, size);
}

void need_json(void) {
    json_set_alloc_funcs(bytes, free);
}
