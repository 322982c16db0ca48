#include "bench/base/words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"

#define X(id, word, ...) word,
const char *const words_modes[MODE_COUNT + 1] = {WORDS_MODES(X) NULL};
const char *const words_lenses[LENS_COUNT + 1] = {WORDS_LENSES(X) NULL};
const char *const words_caches[CACHE_COUNT + 1] = {WORDS_CACHES(X) NULL};
const char *const words_places[PLACE_COUNT + 1] = {WORDS_PLACES(X) NULL};
#undef X

static const int traits[LENS_COUNT] = {
#define X(id, word, traits) traits,
    WORDS_LENSES(X)
#undef X
};

bool words_lens_is(enum lens lens, enum lens_trait trait) {
    return traits[lens] & (int)trait;
}

int words_lenses_with(enum lens_trait trait) {
    int lenses = 0;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (words_lens_is((enum lens)lens, trait))
            lenses |= 1 << lens;
    return lenses;
}

int words_find(const char *const *list, const char *word) {
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

const char *words_list(const char *const *list, char *text, size_t size) {
    *text = 0;
    for (int i = 0; list[i]; i++)
        text_append(text, size, "%s%s", i == 0 ? "" : list[i + 1] ? ", " : " or ", list[i]);
    return text;
}

int words_bits(const char *const *list, const char *text) {
    int bits = 0;
    for (;;) {
        char word[32];
        text += strspn(text, " \t");
        const size_t length = strcspn(text, ", \t");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int found = words_find(list, word);
        if (length >= sizeof word || found < 0)
            return 0;
        bits |= 1 << found;
        text += length;
        text += strspn(text, " \t");
        if (*text != ',')
            return *text ? 0 : bits;
        text++;
    }
}
