#include "bench/base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define X(id, word) word,
const char *const words_modes[MODE_COUNT + 1] = {WORDS_MODES(X) NULL};
const char *const words_lenses[LENS_COUNT + 1] = {WORDS_LENSES(X) NULL};
const char *const words_caches[CACHE_COUNT + 1] = {WORDS_CACHES(X) NULL};
#undef X

int words_compare(const char *const *list, const char *left, const char *right) {
    for (; *list; list++) {
        const bool a = strcmp(*list, left) == 0, b = strcmp(*list, right) == 0;
        if (a || b)
            return b - a;
    }
    return strcmp(left, right);
}
