/* Hashes that fuzzing would never guess. */
#ifndef TESTS_FUZZ_HASH_H
#define TESTS_FUZZ_HASH_H

#include "tests/fuzz/fuzz.h"

/* Each `word` in the text becomes `hash`. The text moves to memory that is returned, the caller's
 * to free. */
uint8_t *hash_put(struct fuzz_part *text, const char *word, const char *hash);

/* The same with HASH and the XXH128 of the bytes. */
uint8_t *hash_put_of(struct fuzz_part *text, const struct fuzz_part *bytes);

#endif
