#include "bench/base/words.h"

#include <stddef.h>

#define X(id, word) word,
const char *const words_modes[MODE_COUNT + 1] = {WORDS_MODES(X) NULL};
const char *const words_lenses[LENS_COUNT + 1] = {WORDS_LENSES(X) NULL};
const char *const words_caches[CACHE_COUNT + 1] = {WORDS_CACHES(X) NULL};
#undef X
