#include "candidates/hash.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "bench/error.h"

static void digest(XXH3_state_t *state, char hex[33]) {
    XXH128_hash_t h = XXH3_128bits_digest(state);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
}

int hash_file_quietly(const char *path, char hex[33]) {
    FILE *file = fopen(path, "rb");
    XXH3_state_t *state = XXH3_createState();
    char *chunk = malloc(1 << 16);
    int status = -1;
    if (file && state && chunk) {
        XXH3_128bits_reset(state);
        for (size_t n; (n = fread(chunk, 1, 1 << 16, file)) > 0;)
            XXH3_128bits_update(state, chunk, n);
        status = ferror(file) ? -1 : 0;
        digest(state, hex);
    }
    free(chunk);
    XXH3_freeState(state);
    if (file)
        fclose(file);
    return status;
}

int hash_file(const char *path, char hex[33]) {
    errno = 0;
    if (hash_file_quietly(path, hex) < 0)
        return error("%s: %s", path, errno ? strerror(errno) : "cannot be read");
    return 0;
}

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
    if (hash_file_quietly(path, hex) < 0)
        return -1;
    struct header *header = malloc(sizeof *header);
    if (!header || !(header->path = strdup(path))) {
        free(header);
        return 0;
    }
    memcpy(header->hex, hex, 33);
    if (!tsearch(header, &tree, by_path)) {
        free(header->path);
        free(header);
    }
    return 0;
}

void hash_strings(const char *const *strings, char hex[33]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        abort(); /* a few hundred bytes; nothing would work after this */
    XXH3_128bits_reset(state);
    for (; *strings; strings++)
        XXH3_128bits_update(state, *strings, strlen(*strings) + 1);
    digest(state, hex);
    XXH3_freeState(state);
}
