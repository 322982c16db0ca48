#include "reports/compare/field_page.h"

#include <math.h>

#include "reports/page/place_label.h"
#include "reports/page/shape_columns.h"

/* Lines of the table of shapes that pages show. */
enum { SHAPES_SHOWN = 200 };

static const char *run_name(const struct field_run *runs, size_t run) {
    return run < FIELD_RUNS ? runs[run].name : "";
}

static void put_totals(struct document *page, const struct field_run *runs,
                       const struct field_total *totals, size_t count) {
    static const struct document_column columns[] = {
        {.name = "mode", .type = DOCUMENT_CODE},
        {.name = "lens", .type = DOCUMENT_CODE},
        {.name = "rank", .type = DOCUMENT_COUNT},
        {.name = "kernel or library", .type = DOCUMENT_CODE, .key = "name"},
        {.name = "set", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "ratio", .type = DOCUMENT_RATIO},
        {.name = "shapes", .type = DOCUMENT_COUNT},
        {.name = "first on", .type = DOCUMENT_COUNT, .key = "first"},
        {.name = "traffic", .type = DOCUMENT_SECONDS, .key = "seconds"},
        {.name = "native", .type = DOCUMENT_COUNT, .omit = DOCUMENT_OMIT_ZERO},
    };
    DOCUMENT_TABLE(page, "ranks", NULL, columns);
    for (size_t i = 0; i < count; i++) {
        const struct field_total *total = &totals[i];
        document_row(page);
        document_cell(page, total->mode);
        document_cell(page, total->lens);
        if (total->rank > 0)
            document_count(page, total->rank);
        else
            document_empty(page, NULL);
        document_cell(page, total->name);
        document_cell(page, run_name(runs, total->run));
        document_ratio(page, total->ratio.ratio, total->ratio.low, total->ratio.high);
        document_count(page, total->shapes);
        document_count(page, total->first);
        document_number(page, total->common > 0 ? total->seconds : NAN);
        document_count(page, total->native);
    }
}

static void put_entries(struct document *page, const struct field *field,
                        const struct field_run *runs) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
    static const struct document_column columns[] = {
        {.name = "shape", .formats = PAGES},
        SHAPE_COLUMNS,
        {.name = "mode", .type = DOCUMENT_CODE},
        {.name = "lens", .type = DOCUMENT_CODE},
        {.name = "cache", .formats = DATA},
        {.name = "place", .formats = DATA},
        {.name = "rank", .type = DOCUMENT_COUNT},
        {.name = "kernel or library", .type = DOCUMENT_CODE, .key = "name"},
        {.name = "set", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "kind", .formats = DATA},
        {.name = "strongest library", .key = "library", .formats = DATA},
        {.name = "ratio", .type = DOCUMENT_RATIO},
        {.name = "time", .type = DOCUMENT_SECONDS, .key = "seconds"},
        {.name = "rounds", .type = DOCUMENT_COUNT, .formats = DATA},
    };
    char shape[SHAPE_TEXT];
    DOCUMENT_TABLE(page, "shapes", NULL, columns);
    document_most(page, DOCUMENT_PAGES, SHAPES_SHOWN);
    document_where(page, "all are in [compare.csv](compare.csv)");
    for (size_t i = 0; i < field->count; i++)
        for (size_t j = 0; j < field->rows[i].count; j++) {
            const struct field_row *row = &field->rows[i];
            const struct field_entry *entry = &row->entries[j];
            document_row(page);
            document_cell(page, shape_format(row->shape, shape));
            shape_cells(page, row->shape);
            document_cell(page, row->mode);
            document_cell(page, row->lens);
            document_cell(page, row->cache);
            document_cell(page, entry->place);
            document_count(page, entry->rank);
            document_cell(page, entry->name);
            document_cell(page, run_name(runs, entry->run));
            document_cell(page, entry->is_library ? "library" : "kernel");
            document_cell(page, row->entries[row->anchor].name);
            document_ratio(page, entry->ratio.ratio, entry->ratio.low, entry->ratio.high);
            place_label(page, entry->place);
            document_number(page, entry->seconds);
            document_count(page, entry->rounds);
        }
    place_explain(page);
}

static void put_lone(struct document *page, const struct field *field) {
    if (field->lone > 0)
        document_paragraph(page,
                           "On %zu shapes, by mode and lens, the runs have no library in common: "
                           "these are left out.",
                           field->lone);
}

struct document *field_page(const struct field *field, const struct field_run *runs,
                            const struct field_total *totals, size_t total_count) {
    struct document *page = document_new("Comparison of several sets");
    document_only(page, DOCUMENT_PAGES);
    document_paragraph(page, "The ratio is the time of the strongest library of a shape / the time "
                             "of the kernel: **above 1 the kernel is faster**. In parentheses "
                             "stands its 95 %% interval over rounds.");
    put_lone(page, field);
    document_section(page, 2, "ranks", "Ranks");
    document_only(page, DOCUMENT_ALL);
    put_totals(page, runs, totals, total_count);
    document_only(page, DOCUMENT_PAGES);
    document_paragraph(
        page,
        "Entries of one rank are **not distinguishable**: none of them is "
        "shown to be slower than the first of the rank, or the difference is "
        "shown to be within the margin. Ratio and traffic are over the shapes that all ranked "
        "entries have. An entry without a rank has fewer than half of the "
        "shapes.");
    document_only(page, DOCUMENT_DATA | DOCUMENT_MARKDOWN | DOCUMENT_HTML);
    document_section(page, 2, "shapes", "Shapes");
    put_entries(page, field, runs);
    return page;
}

/* The time of the traffic with the strongest library of each shape, and with the winners. */
static void put_traffic(struct document *page, const struct field *field) {
    double library = 0, best = 0;
    size_t won = 0, passed_over = 0;
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const double seconds = row->weight * row->entries[row->anchor].seconds;
        library += seconds;
        best += seconds / row->entries[row->winner].ratio.ratio;
        won += row->winner == row->kernel;
        passed_over += row->passed_over;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(
        page, won ? DOCUMENT_GOOD : DOCUMENT_PLAIN,
        "**On %zu of %zu shapes a kernel wins**: it is shown to be faster than the strongest "
        "library by more than the margin. On the others the library wins.",
        won, field->count);
    if (passed_over > 0)
        document_paragraph(page,
                           "On %zu of %zu shapes the fastest kernel is *native* and was passed "
                           "over; `--native` lets such a kernel win.",
                           passed_over, field->count);
    if (library > 0)
        document_paragraph(page,
                           "With the winners the traffic, which is the sum over shapes of weight × "
                           "time, takes %.1f %% less time than with the strongest library of each "
                           "shape.",
                           100 * (1 - best / library));
}

static const char *word_of(const struct field_row *row) {
    const struct comparison_ratio best = row->entries[row->kernel].ratio;
    return comparison_word(comparison_judge(best.low, best.high, row->margin));
}

struct document *field_winners_page(const struct field *field, const struct field_run *runs) {
    enum { PAGES = DOCUMENT_PAGES, DATA = DOCUMENT_DATA };
    static const struct document_column columns[] = {
        {.name = "shape", .formats = PAGES},
        SHAPE_COLUMNS,
        {.name = "mode", .type = DOCUMENT_CODE, .formats = DATA},
        {.name = "lens", .type = DOCUMENT_CODE, .formats = DATA},
        {.name = "place", .formats = DATA},
        {.name = "winner", .type = DOCUMENT_CODE},
        {.name = "kind"},
        {.name = "set", .omit = DOCUMENT_OMIT_EMPTY},
        {.name = "strongest library", .type = DOCUMENT_CODE, .key = "library"},
        {.name = "fastest kernel", .type = DOCUMENT_CODE, .key = "kernel"},
        {.name = "ratio", .type = DOCUMENT_RATIO},
        {.name = "it is", .key = "verdict"},
        {.name = "margin", .type = DOCUMENT_NUMBER, .formats = DATA},
        {.name = "time", .type = DOCUMENT_SECONDS, .key = "library_seconds", .formats = DATA},
        {.name = "weight", .type = DOCUMENT_NUMBER, .formats = DATA},
        {.name = "passed over", .type = DOCUMENT_COUNT, .key = "passed_over", .formats = DATA},
    };
    struct document *page = document_new("Winners");
    char shape[SHAPE_TEXT];
    document_only(page, DOCUMENT_PAGES);
    put_traffic(page, field);
    if (field->count > 0)
        document_paragraph(page,
                           "Mode `%s`, lens `%s`. The ratio is the time of the strongest "
                           "library / the time of the fastest kernel; the 95 %% intervals of "
                           "a shape's kernels hold together.",
                           field->rows[0].mode, field->rows[0].lens);
    put_lone(page, field);
    document_section(page, 2, "shapes", "Shapes");
    document_only(page, DOCUMENT_ALL);
    DOCUMENT_TABLE(page, "winners", NULL, columns);
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const struct field_entry *winner = &row->entries[row->winner];
        const struct field_entry *kernel = &row->entries[row->kernel];
        const struct field_entry *library = &row->entries[row->anchor];
        document_row(page);
        document_cell(page, shape_format(row->shape, shape));
        shape_cells(page, row->shape);
        document_cell(page, row->mode);
        document_cell(page, row->lens);
        document_cell(page, kernel->place);
        document_cell(page, winner->name);
        document_cell(page, winner->is_library ? "library" : "kernel");
        document_cell(page, run_name(runs, winner->run));
        document_cell(page, library->name);
        document_cell(page, kernel->name);
        document_ratio(page, kernel->ratio.ratio, kernel->ratio.low, kernel->ratio.high);
        place_label(page, kernel->place);
        document_cell(page, word_of(row));
        document_number(page, row->margin);
        document_number(page, library->seconds);
        document_number(page, row->weight);
        document_count(page, row->passed_over);
    }
    document_only(page, PAGES);
    place_explain(page);
    return page;
}
