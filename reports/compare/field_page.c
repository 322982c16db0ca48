#include "reports/compare/field_page.h"

#include "reports/page/place_label.h"
#include "reports/page/shape_columns.h"

static void put_lone(struct document *page, const struct field *field) {
    if (field->lone > 0)
        document_paragraph(page,
                           "On %zu shapes the runs have no library in common: these are left out.",
                           field->lone);
}

/* The time of the traffic with the strongest library of each shape, and with the winners. */
static void put_traffic(struct document *page, const struct field *field) {
    double library = 0, best = 0;
    size_t won = 0, passed_over = 0;
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const double seconds = row->weight * row->library_seconds;
        library += seconds;
        best += seconds / (row->wins ? row->kernels[row->best].ratio.ratio : 1);
        won += row->wins;
        passed_over += row->passed_over;
    }
    document_section(page, 2, "verdict", "Verdict");
    document_note(
        page, won ? DOCUMENT_GOOD : DOCUMENT_PLAIN,
        "**On %zu of %zu shapes a kernel wins**: it is shown to be faster than the strongest "
        "library.%s",
        won, field->count, won < field->count ? " On the others the library wins." : "");
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
        document_paragraph(
            page,
            "Mode `%s`, lens `%s`. The ratio is the time of the strongest "
            "library / the time of the fastest kernel; the 95 %% intervals of "
            "a shape's kernels hold together. Which library is the strongest is told by "
            "the same visits: of libraries that are equally fast the one that was "
            "lucky stands here, a little too fast.",
            field->rows[0].mode, field->rows[0].lens);
    put_lone(page, field);
    document_section(page, 2, "shapes", "Shapes");
    document_only(page, DOCUMENT_ALL);
    DOCUMENT_TABLE(page, "winners", NULL, columns);
    for (size_t i = 0; i < field->count; i++) {
        const struct field_row *row = &field->rows[i];
        const struct field_kernel *kernel = &row->kernels[row->best];
        document_row(page);
        document_cell(page, shape_format(row->shape, shape));
        shape_cells(page, row->shape);
        document_cell(page, row->mode);
        document_cell(page, row->lens);
        document_cell(page, kernel->place);
        document_cell(page, row->wins ? kernel->name : row->library);
        document_cell(page, row->wins ? "kernel" : "library");
        document_cell(page, row->wins ? runs[kernel->run].name : "");
        document_cell(page, row->library);
        document_cell(page, kernel->name);
        document_ratio(page, kernel->ratio.ratio, kernel->ratio.low, kernel->ratio.high);
        place_label(page, kernel->place);
        document_cell(page, verdict_word(kernel->verdict));
        document_number(page, row->margin);
        document_number(page, row->library_seconds);
        document_number(page, row->weight);
        document_count(page, row->passed_over);
    }
    document_only(page, PAGES);
    place_explain(page);
    return page;
}
