#include "tests/fuzz/hash.h"

#include <stdlib.h>
#include <string.h>

#include "reports/digest.h"

uint8_t *hash_filled(struct fuzz_part *text, const struct fuzz_part *bytes) {
    static const char word[] = "HASH";
    enum { WORD = sizeof word - 1 };
    char hex[33];
    /* At most a word every WORD bytes, and it grows to 32. */
    uint8_t *filled = malloc(text->size * (32 / WORD) + 1), *to = filled;
    fuzz_promise(filled);
    digest_bytes(bytes->size ? bytes->data : (const uint8_t *)"", bytes->size, hex);
    for (size_t i = 0; i < text->size;) {
        const int here = text->size - i >= WORD && memcmp(text->data + i, word, WORD) == 0;
        memcpy(to, here ? (const uint8_t *)hex : text->data + i, here ? 32 : 1);
        to += here ? 32 : 1;
        i += here ? WORD : 1;
    }
    *text = (struct fuzz_part){filled, (size_t)(to - filled)};
    return filled;
}
