#include "bench/plan/suite_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"

void suite_keep(struct suite *suite, size_t index, size_t *kept) {
    suite->shapes[*kept] = suite->shapes[index];
    if (suite->counts)
        suite->counts[*kept] = suite->counts[index];
    ++*kept;
}

void suite_free(struct suite *suite) {
    free(suite->shapes);
    free(suite->counts);
    *suite = (struct suite){0};
}

int suite_list_room(struct suite *suite, const char *name, size_t count, bool with_counts) {
    *suite = (struct suite){.shapes = malloc(count * sizeof *suite->shapes),
                            .counts = with_counts ? malloc(count * sizeof *suite->counts) : NULL,
                            .count = count};
    if (!suite->shapes || (with_counts && !suite->counts)) {
        suite_free(suite);
        return error("no memory for %zu shapes", count);
    }
    snprintf(suite->name, sizeof suite->name, "%s", name);
    return 0;
}

static int compare_shapes(const void *left, const void *right) {
    const struct suite_item *a = left, *b = right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int compare_places(const void *left, const void *right) {
    const struct suite_item *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

static int refuse_twins(struct suite_item *list, size_t count, const char *prefix) {
    char text[SHAPE_TEXT];
    qsort(list, count, sizeof *list, compare_shapes);
    for (size_t i = 1; i < count; i++)
        if (shape_compare(list[i - 1].shape, list[i].shape) == 0)
            return error("%s%zu: %s is named already at %s%zu; remove one", prefix, list[i].place,
                         shape_format(list[i].shape, text), prefix, list[i - 1].place);
    return 0;
}

int suite_list_make(struct suite *suite, const char *name, struct suite_item *list, size_t count,
                    const char *prefix) {
    if (suite_list_room(suite, name, count, false) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        suite->shapes[i] = list[i].shape;
    if (refuse_twins(list, count, prefix) == 0)
        return 0;
    suite_free(suite);
    return -1;
}

int suite_list_add_up(struct suite *suite, const char *name, struct suite_item *list,
                      size_t count) {
    size_t kept = 0;
    qsort(list, count, sizeof *list, compare_shapes);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && shape_compare(list[kept - 1].shape, list[i].shape) == 0)
            list[kept - 1].count += list[i].count;
        else
            list[kept++] = list[i];
    qsort(list, kept, sizeof *list, compare_places);
    if (suite_list_room(suite, name, kept, true) < 0)
        return -1;
    for (size_t i = 0; i < kept; i++) {
        suite->shapes[i] = list[i].shape;
        suite->counts[i] = list[i].count;
    }
    return 0;
}
