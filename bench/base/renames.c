#include "bench/base/renames.h"

#include <string.h>

#include "bench/base/error.h"

/* Copies a name that ends before `end`; whether it fits. */
static int copy_name(const char *from, const char *end, char name[64]) {
    const size_t length = (size_t)(end - from);
    if (length == 0 || length >= 64)
        return 0;
    memcpy(name, from, length);
    name[length] = 0;
    return 1;
}

int renames_parse(const char *text, struct renames *renames) {
    renames->count = 0;
    for (const char *at = text; at && *at;) {
        const char *end = at + strcspn(at, ","), *equals = memchr(at, '=', (size_t)(end - at));
        if (renames->count == RENAMES_MOST)
            return error("--renamed: more than %d names", RENAMES_MOST);
        struct renames_pair *pair = &renames->list[renames->count++];
        if (!equals || !copy_name(at, equals, pair->old) || !copy_name(equals + 1, end, pair->new_))
            return error("--renamed %s: OLD=NEW,OLD=NEW... is wanted, names of kernels", text);
        at = *end ? end + 1 : end;
    }
    return 0;
}
