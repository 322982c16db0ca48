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

/* The shapes of the plan's units, which are its kernels on shapes. Some of these say that they do not
 * serve the shape when it comes to it. */
static json_t *served_shapes(const struct rows *rows, const json_t *units) {
    json_t *served = json_object(), *unit;
    char text[SHAPE_TEXT];
    size_t i;
    json_array_foreach(units, i, unit) {
        const char *name = json_string_value(unit), *dot = name ? strchr(name, '.') : NULL;
        struct shape shape;
        if (!dot)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)(dot - name), name);
        const struct check_row *row =
            shape_parse(text, &shape) ? NULL : rows_check(rows, shape, dot + 1, dot + 1);
        if (!row || rows_fate(row) != ROWS_UNSUPPORTED)
            json_object_set_new(served, text, json_true());
    }
    return served;
}

void unserved_find(const struct rows *rows, const json_t *plan, struct unserved *unserved) {
    json_t *shapes = json_object_get(plan, "shapes"), *shape;
    size_t i;
    *unserved = (struct unserved){.shapes = json_array_size(shapes)};
    if (json_array_size(json_object_get(plan, "candidates")) == 0 ||
        json_is_true(json_object_get(plan, "only")))
        return;
    json_t *served = served_shapes(rows, json_object_get(plan, "units"));
    unserved->list = need(unserved->shapes, sizeof *unserved->list);
    json_array_foreach(shapes, i, shape) {
        const char *name = json_string_value(shape);
        if (name && !json_object_get(served, name) &&
            !shape_parse(name, &unserved->list[unserved->count]))
            unserved->count++;
    }
    json_decref(served);
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
