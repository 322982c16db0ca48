#include "bench/base/hash.h"

#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

static void put_hex(XXH128_hash_t hash, char hex[33]) {
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

void hash_bytes(const void *bytes, size_t size, char hex[33]) {
    put_hex(XXH3_128bits(bytes, size), hex);
}

uint64_t hash_number(uint64_t before, const void *bytes, size_t size) {
    return XXH3_64bits_withSeed(bytes, size, before);
}

static XXH3_state_t *open_state(void) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        abort(); /* a few hundred bytes; nothing would work after this */
    XXH3_128bits_reset(state);
    return state;
}

/* 0, or -1 with errno. */
static int hash_at_most(const char *path, uint64_t most, char hex[33]) {
    FILE *file = files_open(path, most);
    if (!file)
        return -1;
    XXH3_state_t *state = open_state();
    char chunk[1 << 16];
    uint64_t read = 0;
    setvbuf(file, NULL, _IONBF, 0); /* the chunk is its buffer */
    errno = 0;
    for (size_t n = sizeof chunk; read <= most && n == sizeof chunk; read += n) {
        n = fread(chunk, 1, sizeof chunk, file);
        XXH3_128bits_update(state, chunk, n);
    }
    const int cause = ferror(file) ? (errno ? errno : EIO) : read > most ? EFBIG : 0;
    put_hex(XXH3_128bits_digest(state), hex);
    XXH3_freeState(state);
    fclose(file);
    errno = cause;
    return cause ? -1 : 0;
}

int hash_file_quietly(const char *path, char hex[33]) {
    return hash_at_most(path, UINT64_MAX, hex);
}

int hash_file(const char *path, char hex[33]) {
    return hash_file_quietly(path, hex) == 0 ? 0 : error("%s: %s", path, files_explain(errno));
}

/* Far more than a header has; what the kernel makes up below /proc can be longer. */
#define MOST_HEADER_BYTES ((uint64_t)1 << 30)

struct header {
    char *path;
    char hex[33];
};

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct header *)a)->path, ((const struct header *)b)->path);
}

int hash_header(const char *path, char hex[33]) {
    static void *tree;
    struct header key = {.path = (char *)path};
    struct header **found = tfind(&key, &tree, by_path);
    if (found) {
        memcpy(hex, (*found)->hex, 33);
        return 0;
    }
    if (hash_at_most(path, MOST_HEADER_BYTES, hex) < 0)
        return -1;
    struct header *header = need(1, sizeof *header);
    header->path = need_copy(path);
    memcpy(header->hex, hex, 33);
    tsearch(header, &tree, by_path);
    return 0;
}

void hash_strings(const char *const *strings, char hex[33]) {
    XXH3_state_t *state = open_state();
    for (; *strings; strings++)
        XXH3_128bits_update(state, *strings, strlen(*strings) + 1);
    put_hex(XXH3_128bits_digest(state), hex);
    XXH3_freeState(state);
}
