#include "reports/store/store_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/document.h"

struct document *store_page_list(const struct store_entry *entries, size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(store_entry, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(promoted, "promoted", TEXT, .unbroken = true),
        OF(name, "entry", TEXT, .unbroken = true),
        OF(key, "fingerprint", TEXT, .unbroken = true),
        {.name = "commit", .unbroken = true},
        {.name = "kernels", .unbroken = true},
        {.name = "set", .unbroken = true},
        OF(shapes, "shapes", COUNT),
        OF(visits, "visits", COUNT),
        OF(device, "device", TEXT, .unbroken = true),
        OF(forced, "forced", TEXT),
    };
#undef OF
    struct document *page = document_new("");
    DOCUMENT_TABLE(page, "entries", NULL, columns);
    for (size_t i = 0; i < count; i++) {
        const struct store_entry *entry = &entries[i];
        document_row_of(page, entry);
        document_cell_marked(page, "%.12s", *entry->commit ? entry->commit : "-");
        document_cell_marked(page, "%.12s", *entry->kernels ? entry->kernels : "-");
        document_cell(page, *entry->set ? entry->set : "-");
    }
    return page;
}

static void put_points(struct document *page, const struct history_series *series) {
    char commits[HISTORY_SERIES_COMMITS];
#define OF(member, title, ...) DOCUMENT_OF(history_series_point, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(speed.shape, "shape", TEXT, .formats = DOCUMENT_DATA),
        OF(speed.candidate, "candidate", TEXT, .formats = DOCUMENT_DATA),
        OF(speed.mode, "mode", TEXT, .formats = DOCUMENT_DATA),
        OF(speed.lens, "lens", TEXT, .formats = DOCUMENT_DATA),
        OF(speed.unrecorded, "unrecorded", COUNT, .formats = DOCUMENT_DATA),
        OF(speed.reference, "reference", TEXT, .formats = DOCUMENT_DATA),
        OF(entry.key, "fingerprint", TEXT, .formats = DOCUMENT_DATA),
        OF(entry.promoted, "promoted", TEXT, .unbroken = true),
        OF(entry.name, "entry", TEXT, .unbroken = true),
        {.name = "kernels", .unbroken = true},
        OF(ratio.ratio, "ratio", RATIO, .digits = 4,
           .unrecorded = DOCUMENT_IN(history_series_point, speed.unrecorded)),
        OF(entry.forced, "forced", TEXT, .omit = DOCUMENT_OMIT_EMPTY),
        {.name = "change", .unbroken = true},
    };
#undef OF
    DOCUMENT_TABLE(page, "history", NULL, columns);
    for (size_t i = 0; i < series->count; i++) {
        const struct history_series_point *point = &series->points[i];
        document_row_of(page, point);
        document_cell_marked(page, "%.8s", *point->entry.kernels ? point->entry.kernels : "-");
        if (!isnan(point->before)) {
            document_cell_marked(page, "\\* new level: %.4f -> %.4f (%+.1f %%)%s%s", point->before,
                                 point->after, 100 * (point->after / point->before - 1),
                                 *history_series_commits(point, commits) ? ", kernels " : "",
                                 commits);
        }
    }
    unrecorded_explain(page);
}

struct document *store_page_history(const struct history_series_set *set) {
    struct document *page = document_new("History of a shape");
    for (size_t i = 0; i < set->count; i++) {
        const struct history_series *series = &set->list[i];
        const struct history_series_point *first = series->points;
        const struct pair *speed = &first->speed;
        char heading[5 * RUNDIR_NAME + SHAPE_TEXT + 32], shape[SHAPE_TEXT];
        snprintf(heading, sizeof heading, "%s %s, %s, %s: time of %s / time of %s",
                 shape_format(speed->shape, shape), speed->candidate, speed->mode, speed->lens,
                 speed->reference, speed->candidate);
        document_section(page, 2, NULL, heading);
        document_paragraph(page, "%s, fingerprint %s", first[series->count - 1].entry.device,
                           first->entry.key);
        put_points(page, series);
    }
    return page;
}
