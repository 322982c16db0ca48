#include "reports/rows/unserved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"

/* Shapes that are named where there are more. */
enum { NAMED = 3 };

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

static const char *name_at(const json_t *list, size_t i) {
    const char *name = json_string_value(json_array_get(list, i));
    return name ? name : "";
}

static void add(json_t *kernels, const char *shape, int more) {
    const json_int_t there = json_integer_value(json_object_get(kernels, shape));
    json_object_set_new(kernels, shape, json_integer(there + more));
}

/* How many kernels a shape has. The plan's units are its kernels on shapes; of these some are not
 * served when it comes to it. */
static json_t *count_kernels(const struct rows *rows, const json_t *units) {
    json_t *kernels = json_object();
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < json_array_size(units); i++) {
        const char *name = name_at(units, i);
        snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "."), name);
        add(kernels, text, 1);
    }
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->kernel, row->candidate) == 0 && rows_fate(row) == ROWS_UNSUPPORTED)
            add(kernels, shape_format(row->shape, text), -1);
    }
    return kernels;
}

void unserved_find(const struct rows *rows, const json_t *plan, struct unserved *unserved) {
    const json_t *shapes = json_object_get(plan, "shapes");
    *unserved = (struct unserved){.shapes = json_array_size(shapes)};
    if (json_array_size(json_object_get(plan, "candidates")) == 0 ||
        json_is_true(json_object_get(plan, "only")))
        return;
    json_t *kernels = count_kernels(rows, json_object_get(plan, "units"));
    unserved->list = need(unserved->shapes, sizeof *unserved->list);
    for (size_t i = 0; i < unserved->shapes; i++)
        if (json_integer_value(json_object_get(kernels, name_at(shapes, i))) <= 0 &&
            !shape_parse(name_at(shapes, i), &unserved->list[unserved->count]))
            unserved->count++;
    json_decref(kernels);
    qsort(unserved->list, unserved->count, sizeof *unserved->list, compare_shapes);
}

void unserved_text(const struct unserved *unserved, char *text, size_t size) {
    char shape[SHAPE_TEXT];
    text_append(text, size, "%zu of %zu shape%s no kernel: ", unserved->count, unserved->shapes,
                unserved->count == 1 ? unserved->shapes == 1 ? " has" : "s has" : "s have");
    for (size_t i = 0; i < unserved->count && i < NAMED; i++)
        text_append(text, size, "%s%s", i ? ", " : "", shape_format(unserved->list[i], shape));
    if (unserved->count > NAMED)
        text_append(text, size, " and %zu more", unserved->count - NAMED);
}

void unserved_free(struct unserved *unserved) {
    free(unserved->list);
    *unserved = (struct unserved){0};
}
