#include "tests/fuzz/hash.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/hash.h"

uint8_t *hash_put(struct fuzz_part *text, const char *word, const char *hash) {
    const size_t from = strlen(word), to = strlen(hash);
    /* Each byte as it is, and at most a hash for every word. */
    uint8_t *filled = malloc(text->size + text->size / from * to + 1), *end = filled;
    fuzz_promise(filled);
    for (size_t i = 0; i < text->size;) {
        const int here = text->size - i >= from && memcmp(text->data + i, word, from) == 0;
        const size_t taken = here ? from : 1, put = here ? to : 1;
        memcpy(end, here ? (const uint8_t *)hash : text->data + i, put);
        end += put;
        i += taken;
    }
    if (text->data)
        *text = (struct fuzz_part){filled, (size_t)(end - filled)};
    return filled;
}

uint8_t *hash_put_of(struct fuzz_part *text, const struct fuzz_part *bytes) {
    char hex[33];
    hash_bytes(bytes->data ? bytes->data : (const uint8_t *)"", bytes->size, hex);
    return hash_put(text, "HASH", hex);
}
