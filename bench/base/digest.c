#include "bench/base/digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "bench/base/error.h"

static void put_hex(XXH128_hash_t hash, char hex[33]) {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, hash);
    for (size_t i = 0; i < sizeof bytes.digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes.digest[i]);
}

void digest_bytes(const void *bytes, size_t size, char hex[33]) {
    put_hex(XXH3_128bits(bytes, size), hex);
}

int digest_file(const char *path, char hex[33]) {
    char buffer[65536];
    size_t got;
    FILE *in = fopen(path, "r");
    XXH3_state_t *state = XXH3_createState();
    int status = in && state && XXH3_128bits_reset(state) == XXH_OK ? 0 : -1;
    while (status == 0 && (got = fread(buffer, 1, sizeof buffer, in)) > 0)
        status = XXH3_128bits_update(state, buffer, got) == XXH_OK ? 0 : -1;
    if (status < 0 || ferror(in))
        status = error("%s: cannot take its hash: %s", path, strerror(errno));
    else
        put_hex(XXH3_128bits_digest(state), hex);
    XXH3_freeState(state);
    if (in)
        fclose(in);
    return status;
}
