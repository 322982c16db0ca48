/* Files of shapes, and lists of them on the command line. */
#include "bench/plan/suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int compare(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

static void promise_shapes(struct suite *suite) {
    const size_t half = (suite->count + 1) / 2;
    fuzz_read++;
    fuzz_promise(suite->count > 0);
    fuzz_promise(suite_sample(suite, half, 1) == 0 && suite->count == half);
    qsort(suite->shapes, suite->count, sizeof *suite->shapes, compare);
    for (size_t i = 0; i < suite->count; i++) {
        const struct shape *shape = &suite->shapes[i];
        fuzz_promise(shape->m > 0 && shape->n > 0 && shape->k > 0 && shape->m <= SHAPE_MAX_SIZE);
        fuzz_promise(shape->n <= SHAPE_MAX_SIZE && shape->k <= SHAPE_MAX_SIZE);
        fuzz_promise(i == 0 || compare(shape - 1, shape) < 0);
    }
    suite_free(suite);
}

void fuzz_suite(const uint8_t *data, size_t size) {
    struct suite suite;
    if (suite_load(fuzz_put("shapes.csv", data, size), &suite) == 0)
        promise_shapes(&suite);
    char *list = strndup((const char *)data, size);
    if (list && suite_parse(list, &suite) == 0)
        promise_shapes(&suite);
    free(list);
}
