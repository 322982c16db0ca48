#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/text.h"
#include "reports/gate/making.h"
#include "reports/rows/unserved.h"

void making_add_missing(struct making *making, struct shape shape, const char *candidate,
                        const char *why) {
    struct gate_row *row = making_begin(making, shape, candidate, GATE_MISSING);
    snprintf(row->text, sizeof row->text, "%s", why);
}

void making_mark_served(const struct making *making, struct shape shape, bool *served, size_t *at) {
    const size_t shapes = making_list_length(making, "shapes");
    struct shape planned;
    for (size_t i = 0; i < shapes; i++, *at = (*at + 1) % shapes)
        if (!shape_parse(making_list_name(making, "shapes", *at), &planned) &&
            shape_compare(planned, shape) == 0) {
            served[*at] = true;
            return;
        }
}

void making_add_removed(struct making *making) {
    size_t count;
    struct unserved_removed *removed = unserved_removed(making->of->run.plan, &count);
    for (size_t i = 0; i < count; i++)
        making_add_missing(making, removed[i].shape, removed[i].label,
                           "the earlier set had this kernel");
    free(removed);
}

static bool is_planned(const struct making *making, struct shape shape) {
    struct shape planned;
    for (size_t i = 0; i < making_list_length(making, "shapes"); i++)
        if (!shape_parse(making_list_name(making, "shapes", i), &planned) &&
            shape_compare(planned, shape) == 0)
            return true;
    return false;
}

/* What the earlier run timed on a shape of this one, and this one does not serve. */
void making_add_unserved(struct making *making) {
    const struct pairs *old = &making->of->base.speeds;
    for (size_t i = 0; i < old->count; i++) {
        const struct pair *speed = &old->list[i];
        if (i > 0 && shape_compare(speed[-1].shape, speed->shape) == 0 &&
            strcmp(speed[-1].candidate, speed->candidate) == 0)
            continue;
        const struct check_row *check =
            rows_check(&making->of->run.rows, speed->shape, speed->candidate, speed->candidate);
        if ((!check || strcmp(check->outcome, "unsupported") == 0) &&
            is_planned(making, speed->shape))
            making_add_missing(making, speed->shape, speed->candidate, "the earlier run had it");
    }
}

/* The row of another kernel that serves the shape and was timed, or NULL. */
static const struct gate_row *find_other(const struct gate *gate, struct shape shape) {
    for (size_t i = 0; i < gate->count; i++)
        if (*gate->rows[i].lens && shape_compare(gate->rows[i].shape, shape) == 0)
            return &gate->rows[i];
    return NULL;
}

size_t making_ease_missing(struct gate *gate) {
    size_t eased = 0;
    for (size_t i = 0; i < gate->count; i++) {
        struct gate_row *row = &gate->rows[i];
        const struct gate_row *other =
            row->status == GATE_MISSING ? find_other(gate, row->shape) : NULL;
        if (!other)
            continue;
        row->status = GATE_UNDECIDED;
        text_append(row->text, sizeof row->text,
                    "; %.95s serves the shape, and nothing shows whether it is as fast",
                    other->candidate);
        eased++;
    }
    return eased;
}
