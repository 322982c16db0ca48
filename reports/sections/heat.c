/* Speedup by M, N and K as a picture of HTML: a panel a K, its rows M, its columns N. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sections/sections.h"

#include "bench/base/need.h"

/* More distinct sizes than this are put together by the nearest power of two. */
enum { AXIS = 16 };

/* Shapes that fill less of the grid of all sizes are better read as a list, the table of shapes. */
static const double least_share = 0.15;

enum { CELL = 18, LEFT = 44, TOP = 20, FOOT = 40 };

struct axis {
    int64_t values[AXIS + 1]; /* in order; one more than fits: too many */
    size_t count;
    bool rounded;
};

/* What a picture is of. */
struct source {
    const struct rows *rows;
    const struct unit_series *series;
    size_t lens;
};

/* The candidate was refused there. */
static bool is_refused(const struct source *source, const struct check_row *row) {
    return strcmp(row->kernel, source->series->candidate) == 0 && rows_fate(row) == ROWS_REFUSED;
}

static int64_t size_of(struct shape shape, int which) {
    return which == 0 ? shape.m : which == 1 ? shape.n : shape.k;
}

static int64_t round_size(int64_t size) {
    return (int64_t)1 << lround(log2((double)size));
}

static void add_value(struct axis *axis, int64_t value) {
    size_t i = 0;
    while (i < axis->count && axis->values[i] < value)
        i++;
    if (axis->count > AXIS || (i < axis->count && axis->values[i] == value))
        return;
    memmove(axis->values + i + 1, axis->values + i, (axis->count - i) * sizeof *axis->values);
    axis->values[i] = value;
    axis->count++;
}

static void add_size(struct axis *axis, int64_t size) {
    add_value(axis, axis->rounded ? round_size(size) : size);
}

/* There may be more powers of two up to SHAPE_MAX_SIZE than AXIS: what is beyond falls in the last.
 */
static void make_axis(const struct source *source, int which, struct axis *axis) {
    *axis = (struct axis){0};
    for (int rounded = 0; rounded < 2; rounded++) {
        axis->count = 0;
        axis->rounded = rounded != 0;
        for (size_t i = 0; i < source->series->count; i++)
            add_size(axis, size_of(source->series->units[i].shape, which));
        for (size_t i = 0; i < source->rows->check_count; i++)
            if (is_refused(source, &source->rows->checks[i]))
                add_size(axis, size_of(source->rows->checks[i].shape, which));
        if (axis->count <= AXIS)
            return;
    }
    axis->count = AXIS;
}

static size_t place_of(const struct axis *axis, int64_t size) {
    const int64_t value = axis->rounded ? round_size(size) : size;
    size_t i = 0;
    while (i + 1 < axis->count && axis->values[i] < value)
        i++;
    return i;
}

struct cell {
    double sum; /* of the ratio's logarithm */
    size_t count;
    const char *refused; /* the outcome of a kernel that was refused; NULL: none was */
};

/* 0, slowest, to 8, fastest. Even steps of the logarithm to either side of "the same". */
static int colour_of(double ratio) {
    static const double edges[] = {1 / 2.0, 1 / 1.5, 1 / 1.25, 1 / 1.05, 1.05, 1.25, 1.5, 2};
    int colour = 0;
    while (colour < 8 && ratio >= edges[colour])
        colour++;
    return colour;
}

static void put_label(FILE *out, const char *class, size_t x, size_t y, int64_t size) {
    fprintf(out, "<text class=\"%s\" x=\"%zu\" y=\"%zu\">%lld</text>", class, x, y,
            (long long)size);
}

/* A cross: there is a kernel, and it has no number. */
static void put_refused(FILE *out, const char *outcome, size_t x, size_t y) {
    fprintf(out,
            "<g class=\"x\"><title>refused: %s</title><rect x=\"%zu\" y=\"%zu\" width=\"%d\" "
            "height=\"%d\"/><path d=\"M%zu %zul%d %dm0 -%dl-%d %d\"/></g>\n",
            outcome, x, y, CELL - 1, CELL - 1, x + 4, y + 4, CELL - 9, CELL - 9, CELL - 9, CELL - 9,
            CELL - 9);
}

static void put_panel(FILE *out, const struct axis axes[3], size_t k, const struct cell *cells) {
    const struct axis *rows = &axes[0], *columns = &axes[1];
    const size_t width = LEFT + columns->count * CELL + 4, height = TOP + rows->count * CELL + FOOT;
    const long long size_k = axes[2].values[k];
    fprintf(out,
            "<svg class=\"heat\" viewBox=\"0 0 %zu %zu\" width=\"%zu\" height=\"%zu\" "
            "role=\"img\" aria-label=\"Speedup by M and N for K = %lld; the numbers are in the "
            "table of shapes\"><text class=\"k\" x=\"%d\" y=\"13\">K = %s%lld</text>\n",
            width, height, width, height, size_k, LEFT, axes[2].rounded ? "about " : "", size_k);
    for (size_t m = 0; m < rows->count; m++) {
        put_label(out, "e", LEFT - 4, TOP + m * CELL + CELL - 5, rows->values[m]);
        for (size_t n = 0; n < columns->count; n++) {
            const struct cell *cell = &cells[m * columns->count + n];
            const size_t x = LEFT + n * CELL, y = TOP + m * CELL;
            if (cell->count == 0 && cell->refused)
                put_refused(out, cell->refused, x, y);
            if (cell->count == 0)
                continue;
            const double ratio = exp(cell->sum / (double)cell->count);
            fprintf(out,
                    "<rect class=\"h%d\" x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\"><title>"
                    "%lldx%lldx%lld: %.3f",
                    colour_of(ratio), x, y, CELL - 1, CELL - 1, (long long)rows->values[m],
                    (long long)columns->values[n], size_k, ratio);
            if (cell->count > 1)
                fprintf(out, ", mean of %zu", cell->count);
            fputs("</title></rect>\n", out);
        }
    }
    for (size_t n = 0; n < columns->count; n++) {
        const size_t x = LEFT + n * CELL + CELL / 2 + 3, y = TOP + rows->count * CELL + 4;
        fprintf(out, "<text class=\"e\" transform=\"translate(%zu %zu) rotate(-60)\">%lld</text>",
                x, y + 4, (long long)columns->values[n]);
    }
    fputs("</svg>\n", out);
}

static struct cell *cell_of(const struct axis axes[3], struct cell *cells, struct shape shape) {
    const size_t m = place_of(&axes[0], shape.m), n = place_of(&axes[1], shape.n),
                 k = place_of(&axes[2], shape.k);
    return &cells[(k * axes[0].count + m) * axes[1].count + n];
}

static void fill_cells(const struct source *source, const struct axis axes[3], struct cell *cells) {
    for (size_t i = 0; i < source->series->count; i++) {
        const struct ratio_row *row = source->series->units[i].by_lens[source->lens];
        if (!row)
            continue;
        const double ratio = isnan(row->ratio) ? 1 + row->speedup : row->ratio;
        if (!(ratio > 0))
            continue;
        struct cell *cell = cell_of(axes, cells, row->shape);
        cell->sum += log(ratio);
        cell->count++;
    }
    for (size_t i = 0; i < source->rows->check_count; i++)
        if (is_refused(source, &source->rows->checks[i]))
            cell_of(axes, cells, source->rows->checks[i].shape)->refused =
                source->rows->checks[i].outcome;
}

/* How the cells of one lens stand, K by K, all in one array. */
static void put_lens(FILE *out, const struct source *source, const struct axis axes[3],
                     struct cell *cells) {
    const size_t panel = axes[0].count * axes[1].count;
    memset(cells, 0, panel * axes[2].count * sizeof *cells);
    fill_cells(source, axes, cells);
    fputs("<div class=\"panels\">\n", out);
    for (size_t k = 0; k < axes[2].count; k++) {
        bool filled = false;
        for (size_t i = 0; i < panel; i++)
            filled = filled || cells[k * panel + i].count || cells[k * panel + i].refused;
        if (filled)
            put_panel(out, axes, k, cells + k * panel);
    }
    fputs("</div>\n", out);
}

static void put_legend(FILE *out) {
    static const char *const names[] = {"below 0.50", "0.50–0.67", "0.67–0.80",
                                        "0.80–0.95",  "0.95–1.05", "1.05–1.25",
                                        "1.25–1.50",  "1.50–2.00", "2.00 and more"};
    fputs("<ul class=\"legend\" aria-label=\"Colours: time of the baseline over time of the "
          "candidate\">",
          out);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(out,
                "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"h%zu\" "
                "width=\"14\" height=\"14\"/></svg> %s</li>",
                i, names[i]);
    fputs("<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><g class=\"x\"><rect x=\"1\" "
          "y=\"1\" width=\"12\" height=\"12\"/><path d=\"M3 3l8 8m0 -8l-8 8\"/></g></svg> "
          "refused</li><li>empty: not measured</li></ul>\n",
          out);
}

/* A panel a K, as HTML. The caller frees. */
static char *draw_lens(const struct source *source) {
    struct axis axes[3];
    char *text;
    size_t size;
    for (int which = 0; which < 3; which++)
        make_axis(source, which, &axes[which]);
    struct cell *cells = need(axes[0].count * axes[1].count * axes[2].count, sizeof *cells);
    FILE *out = need_stream(&text, &size);
    put_lens(out, source, axes, cells);
    fclose(out);
    free(cells);
    return text;
}

static bool is_worth_drawing(const struct source *source) {
    struct axis axes[3];
    double cells = 1;
    for (int which = 0; which < 3; which++) {
        make_axis(source, which, &axes[which]);
        cells *= (double)axes[which].count;
    }
    return (double)source->series->count >= least_share * cells;
}

static void add_series(struct document *page, const struct report *report, size_t at) {
    const struct units *units = report->units;
    const struct unit_series *series = &units->series[at];
    char heading[5 * RUNDIR_NAME], id[48];
    for (size_t lens = 0; lens < units->lens_count; lens++) {
        if (!units_has_lens(series, lens))
            continue;
        snprintf(heading, sizeof heading, "%s over %s, %s, lens %s", series->candidate,
                 series->baseline, series->mode, units->lenses[lens]);
        snprintf(id, sizeof id, "heat-%zu-%zu", at + 1, lens + 1);
        document_section(page, 3, id, heading);
        char *picture = draw_lens(&(struct source){report->rows, series, lens});
        document_raw(page, DOCUMENT_HTML, picture);
        free(picture);
    }
}

static void begin(struct document *page) {
    char *legend;
    size_t size;
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "heat", "Speedup by M, N and K");
    document_paragraph(page, "The ratio to the reference library: rows are M, columns N, a "
                             "panel is one K. Blue is faster than the baseline, orange slower. "
                             "Point at a cell for its number. Where a run has too many sizes, a "
                             "cell is the geometric mean of those nearest to a power of two.");
    FILE *out = need_stream(&legend, &size);
    put_legend(out);
    fclose(out);
    document_raw(page, DOCUMENT_HTML, legend);
    free(legend);
}

void section_heat(struct document *page, const struct report *report) {
    bool begun = false;
    for (size_t s = 0; s < report->units->count; s++) {
        if (!is_worth_drawing(&(struct source){report->rows, &report->units->series[s], 0}))
            continue;
        if (!begun)
            begin(page);
        begun = true;
        add_series(page, report, s);
    }
}
