#include "reports/rows/kept_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"

/* A hash table with open addressing: a text stands at its hash, or in the next free place. It is at
 * most half full. */
static struct {
    const char **places;
    size_t size, used;
} kept;

/* FNV-1a. */
static size_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

static const char **place_of(const char *text) {
    size_t at = hash_of(text) % kept.size;
    while (kept.places[at] && strcmp(kept.places[at], text) != 0)
        at = (at + 1) % kept.size;
    return &kept.places[at];
}

static void grow(void) {
    const char **before = kept.places;
    const size_t size = kept.size;
    kept.size = size ? 2 * size : 256;
    kept.places = need(kept.size, sizeof *kept.places);
    for (size_t i = 0; i < size; i++)
        if (before[i])
            *place_of(before[i]) = before[i];
    free(before);
}

const char *kept_text(const char *text) {
    if (2 * kept.used >= kept.size)
        grow();
    const char **place = place_of(text);
    if (!*place) {
        *place = need_copy(text);
        kept.used++;
    }
    return *place;
}
