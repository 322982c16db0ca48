/* Where the lenses of a run contradict each other. */
#include <string.h>

#include "reports/sections/sections.h"

static bool has_verdict(const struct ratio_row *row, const char *verdict) {
    return row && strcmp(row->verdict, verdict) == 0;
}

struct sections_conflicts sections_conflicts(const struct units *units) {
    struct sections_conflicts found = {0};
    for (size_t s = 0; s < units->count; s++)
        for (size_t u = 0; u < units->series[s].count; u++) {
            const struct unit *unit = &units->series[s].units[u];
            size_t lenses = 0, conflicts = 0;
            for (size_t i = 0; i < units->lens_count; i++) {
                lenses += unit->by_lens[i] != NULL;
                for (size_t j = 0; j < units->lens_count; j++) {
                    const bool both = has_verdict(unit->by_lens[i], "faster") &&
                                      has_verdict(unit->by_lens[j], "slower");
                    found.faster_slower[i][j] += both;
                    conflicts += both;
                }
            }
            found.compared += lenses > 1;
            found.count += conflicts > 0;
        }
    return found;
}

void section_conflicts(struct document *page, const struct report *report) {
    const struct units *units = report->units;
    const struct sections_conflicts found = sections_conflicts(units);
    if (found.compared == 0)
        return;
    document_section(page, 2, NULL, "Where lenses disagree");
    document_paragraph(page,
                       "Of %zu shapes with a candidate and a mode, %zu are, against the reference "
                       "library, faster by one lens and slower by another%s",
                       found.compared, found.count, found.count ? ":" : ".");
    for (size_t i = 0; i < units->lens_count; i++)
        for (size_t j = 0; j < units->lens_count; j++)
            if (found.faster_slower[i][j] > 0)
                document_item(page, "%zu faster by `%s`, slower by `%s`", found.faster_slower[i][j],
                              units->lenses[i], units->lenses[j]);
}
