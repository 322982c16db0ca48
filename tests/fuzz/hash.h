/* Hashes that fuzzing would never guess. */
#ifndef TESTS_FUZZ_HASH_H
#define TESTS_FUZZ_HASH_H

#include "tests/fuzz/fuzz.h"

/* Each HASH in the text becomes the XXH128 of the bytes. The text moves to memory that is returned,
 * the caller's to free. */
uint8_t *hash_filled(struct fuzz_part *text, const struct fuzz_part *bytes);

#endif
