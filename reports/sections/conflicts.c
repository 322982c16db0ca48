/* Where the lenses of a run contradict each other. */
#include <string.h>

#include "reports/sections/sections.h"

/* Shapes with a candidate and a mode. */
struct conflicts {
    size_t compared; /* timed by two lenses or more */
    size_t count;    /* of these, faster by one and slower by another */
    size_t faster_slower[UNITS_LENSES][UNITS_LENSES];
};

static bool has_verdict(const struct ratio_row *row, const char *verdict) {
    return row && strcmp(row->verdict, verdict) == 0;
}

static void add(struct conflicts *found, const struct unit *unit, size_t lens_count) {
    size_t lenses = 0;
    bool conflict = false;
    for (size_t i = 0; i < lens_count; i++) {
        lenses += unit->by_lens[i] != NULL;
        for (size_t j = 0; j < lens_count; j++) {
            const bool both =
                has_verdict(unit->by_lens[i], "faster") && has_verdict(unit->by_lens[j], "slower");
            found->faster_slower[i][j] += both;
            conflict = conflict || both;
        }
    }
    found->compared += lenses > 1;
    found->count += conflict;
}

void sections_conflicts(struct document *page, const struct units *units) {
    struct conflicts found = {0};
    for (size_t s = 0; s < units->count; s++)
        for (size_t u = 0; u < units->series[s].count; u++)
            add(&found, &units->series[s].units[u], units->lens_count);
    if (found.compared == 0)
        return;
    document_fact_marked(page, "lenses", "one says faster and one slower on %zu of %zu shapes",
                         found.count, found.compared);
    for (size_t i = 0; i < units->lens_count; i++)
        for (size_t j = 0; j < units->lens_count; j++)
            if (found.faster_slower[i][j] > 0)
                document_add(page, "; %zu faster by `%s`, slower by `%s`",
                             found.faster_slower[i][j], units->lenses[i], units->lenses[j]);
}
