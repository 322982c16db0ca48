#include "bench/base/timed_inputs.h"

#include <stddef.h>
#include <string.h>

const char *const timed_inputs_words[] = {"normal", "uniform", "integers", "zeros", NULL};

/* A look at C shows nothing where less work than a product's gives the same bits. A few elements tell
 * a kernel that it may do less: in the checks they are others. */
const char *timed_inputs_unjudged(const char *word) {
    if (strcmp(word, timed_inputs_words[INPUTS_INTEGERS]) == 0)
        return "a kernel that has seen a few elements can multiply in 8 bits, and C is right to "
               "the bit";
    if (strcmp(word, timed_inputs_words[INPUTS_ZEROS]) == 0)
        return "a kernel that has seen a few elements can leave out all products, and C is right "
               "to the bit";
    return NULL;
}
