/* An expression of a recipe. */
#include "candidates/recipe/expression.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

void fuzz_expression(const uint8_t *data, size_t size) {
    struct expression_scope scope = {.count = 0};
    char why[EXPRESSION_WHY] = "";
    int64_t value, again;
    char *text = calloc(1, size + 1);
    if (!text)
        return;
    memcpy(text, data, size);
    expression_add(&scope, "m", 4096);
    expression_add(&scope, "n", 0);
    expression_add(&scope, "k", -1);
    const bool sound = expression_check(text, &scope, why);
    fuzz_promise(sound || *why);
    if (expression_value(text, &scope, &value, why)) {
        fuzz_promise(sound);
        fuzz_promise(expression_value(text, &scope, &again, why) && value == again);
        fuzz_read++;
    } else {
        fuzz_promise(*why && strlen(why) < EXPRESSION_WHY);
    }
    free(text);
}
