#include "bench/base/element.h"

#include <stddef.h>

#define X(id, word, ...) word,
const char *const element_words[ELEMENT_COUNT + 1] = {ELEMENTS(X) NULL};
#undef X

const char *element_cuda_type(enum element element) {
    static const char *const types[ELEMENT_COUNT] = {
#define X(id, word, type, ...) type,
        ELEMENTS(X)
#undef X
    };
    return types[element];
}

const char *element_list(int elements) {
    for (int element = 0; element < ELEMENT_COUNT; element++)
        if (elements == 1 << element)
            return element_words[element];
    return "f16, bf16";
}
