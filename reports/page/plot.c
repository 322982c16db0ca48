#include "reports/page/plot.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/assets.h"
#include "timing/stats.h"

/* A page's figures take a second each. */
#define LIMIT_SECONDS 600

int plot_open(struct plot *plot, const char *folder, const char *name, const char *kind) {
    char file[NAME_MAX + 1], quoted[PLOT_QUOTED];
    *plot = (struct plot){.rows = 0};
    snprintf(file, sizeof file, "%.200s.gp", name);
    if (file_open(&plot->script, folder, file) < 0)
        return -1;
    snprintf(file, sizeof file, "%.200s.dat", name);
    if (file_open(&plot->data, folder, file) < 0) {
        file_abandon(&plot->script);
        return -1;
    }
    plot_set(plot, "name = %s; kind = '%s'; few = %d", plot_quote(name, quoted), kind, PLOT_FEW);
    plot_set(plot, "set encoding utf8\nset border 3 lc rgb '#404040'\nset tics nomirror out\n"
                   "set grid ytics lc rgb '#d8d8d8' lw 1 lt 1\n"
                   "set key outside bottom center horizontal maxrows 1 spacing 1.2 samplen 3\n"
                   "set style fill solid 0.9 noborder");
    plot_size(plot, 1200, 700, 12);
    return 0;
}

int plot_close(struct plot *plot) {
    plot_set(plot, "panels = %zu\n%s", plot->panels, assets_plot_gp);
    const int data = file_commit(&plot->data), script = file_commit(&plot->script);
    return data < 0 || script < 0 ? -1 : 0;
}

void plot_abandon(struct plot *plot) {
    file_abandon(&plot->data);
    file_abandon(&plot->script);
}

void plot_size(struct plot *plot, unsigned width, unsigned height, unsigned font) {
    plot_set(plot, "width = %u; height = %u; font = '%u'", width, height, font);
}

/* A line of a file. */
static void put_line(FILE *out, const char *format, va_list args) {
    vfprintf(out, format, args);
    fputc('\n', out);
}

void plot_row(struct plot *plot, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_line(plot->data.stream, format, args);
    va_end(args);
    plot->rows++;
}

/* gnuplot counts no block that is empty, and the next one would take its number: such a one gets a
 * line that is left of every axis. */
void plot_end(struct plot *plot) {
    fputs(plot->rows ? "\n\n" : "-9 0 0 0 \"\"\n\n\n", plot->data.stream);
    plot->rows = 0;
}

void plot_set(struct plot *plot, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_line(plot->script.stream, format, args);
    va_end(args);
}

const char *plot_quote(const char *text, char quoted[PLOT_QUOTED]) {
    size_t used = 0;
    quoted[used++] = '"';
    for (; *text && used + 4 < PLOT_QUOTED; text++)
        if (*text == '\n') {
            quoted[used++] = '\\';
            quoted[used++] = 'n';
        } else {
            quoted[used++] = (unsigned char)*text < ' ' || strchr("\"\\`", *text) ? '\'' : *text;
        }
    quoted[used++] = '"';
    quoted[used] = 0;
    return quoted;
}

void plot_title(struct plot *plot, const char *title, const char *below) {
    enum { LINE = 140 };
    char text[PLOT_QUOTED], quoted[PLOT_QUOTED];
    const size_t used = (size_t)snprintf(text, sizeof text, "%.512s%s", title, *below ? "\n" : "");
    char *start = text + used;
    snprintf(start, sizeof text - used, "%s", below);
    while (strlen(start) > LINE) {
        char *end = memchr(start, '\n', LINE), *space = end ? end : memrchr(start, ' ', LINE);
        if (!space)
            break;
        *space = '\n';
        start = space + 1;
    }
    plot_quote(text, quoted);
    plot_set(plot, "title = %s\nset title title", quoted);
}

void plot_panel(struct plot *plot, const char *words, size_t points) {
    char quoted[PLOT_QUOTED];
    plot_set(plot, "title%zu = %s; points%zu = %zu", plot->panels, plot_quote(words, quoted),
             plot->panels, points);
    plot->panels++;
}

void plot_tick(struct plot *plot, const char *words, double at) {
    char quoted[PLOT_QUOTED];
    plot_set(plot, "set ytics %s(%s %.9g)", plot->ticks ? "add " : "scale 0 ",
             plot_quote(words, quoted), at);
    plot->ticks = true;
}

void plot_widen(struct plot_range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void plot_ratio_axis(struct plot *plot, char axis, struct plot_range range, double label) {
    static const double fine[] = {1.02, 1.05, 1.1, 1.15, 1.2, 1.3}, middle[] = {1.1, 1.25, 1.5, 2},
                        coarse[] = {1.5, 2, 3, 4, 6}, octaves[] = {2, 4, 8, 16, 32, 64, 128, 256};
    static const struct {
        double below;
        const double *ticks;
        size_t count;
    } steps[] = {{1.3, fine, sizeof fine / sizeof *fine},
                 {2.2, middle, sizeof middle / sizeof *middle},
                 {7, coarse, sizeof coarse / sizeof *coarse},
                 {INFINITY, octaves, sizeof octaves / sizeof *octaves}};
    const double most = 1.04 * fmax(1.05, fmax(range.high, range.low > 0 ? 1 / range.low : 1));
    size_t step = 0;
    while (most >= steps[step].below)
        step++;
    const double apart = pow(most, 2 * label);
    double last = 1;
    plot_set(plot, "set logscale %c 2\nset %crange [%.9g:%.9g]\nset %ctics (\"1\" 1)", axis, axis,
             1 / most, most, axis);
    for (size_t i = 0; i < steps[step].count; i++) {
        const double tick = steps[step].ticks[i];
        if (tick < last * apart)
            continue;
        plot_set(plot, "set %ctics add (\"%.3g\" %.9g, \"%.3g\" %.9g)", axis, tick, tick, 1 / tick,
                 1 / tick);
        last = tick;
    }
}

void plot_size_axis(struct plot *plot, struct plot_range range, const char *more) {
    plot_set(plot, "set xlabel \"size of the product, log2(M·N·K)%s\"\nset xrange [%.9g:%.9g]",
             more, floor(range.low) - 0.5, ceil(range.high) + 0.5);
}

static int compare_points(const void *left, const void *right) {
    const struct plot_point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

/* The bins are centred on whole numbers. */
static double bin_of(double x) {
    return floor(x + 0.5);
}

void plot_bins(struct plot *plot, struct plot_point *points, size_t count) {
    double *y = need(count, sizeof *y);
    plot_end(plot);
    if (count > 0)
        qsort(points, count, sizeof *points, compare_points);
    for (size_t first = 0, end; first < count; first = end) {
        const double bin = bin_of(points[first].x);
        for (end = first; end < count && bin_of(points[end].x) <= bin; end++)
            y[end - first] = points[end].y;
        const size_t n = end - first;
        stats_sort(y, n);
        plot_row(plot, "%.9g %.9g %.9g %.9g %zu", bin, stats_quantile_sorted(y, n, 0.25),
                 stats_quantile_sorted(y, n, 0.5), stats_quantile_sorted(y, n, 0.75), n);
    }
    plot_end(plot);
    free(y);
}

/* Whether the picture ends as its format ends: gnuplot does not tell of a full disk. */
static bool is_whole(const char *folder, const char *name, const char *ending, const char *last,
                     size_t length) {
    char file[NAME_MAX + 1], path[PATH_MAX], end[16] = "";
    snprintf(file, sizeof file, "%.200s%s", name, ending);
    FILE *in = files_join(path, folder, file) < 0 ? NULL : fopen(path, "r");
    const bool whole = in && fseek(in, -(long)length, SEEK_END) == 0 &&
                       fread(end, length, 1, in) == 1 && memcmp(end, last, length) == 0;
    if (in)
        fclose(in);
    if (in && !whole)
        unlink(path);
    return whole;
}

int plot_draw(const char *folder, const char *name) {
    static const char png[] = "IEND\xae"
                              "B`\x82",
                      svg[] = "</svg>\n\n";
    char path[PATH_MAX], script[NAME_MAX + 1];
    snprintf(script, sizeof script, "%.200s.gp", name);
    const char *const arguments[] = {path, script, NULL};
    /* The scripts' encoding: of another one gnuplot 6 warns. */
    const struct child_program program = {
        .arguments = arguments, .folder = folder, .locale = "C.UTF-8", .output = -1};
    struct child child;
    static bool told;
    if (!child_find("gnuplot", NULL, path)) {
        if (!told)
            warning("gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, "
                    "then try again");
        told = true;
        return 0;
    }
    if (child_run(&child, &program, LIMIT_SECONDS) < 0)
        return -1;
    const bool drawn = child.fate == CHILD_ENDED && child.status == 0;
    const bool pixels = is_whole(folder, name, ".png", png, sizeof png - 1);
    const bool lines = is_whole(folder, name, ".svg", svg, sizeof svg - 1);
    return drawn && pixels && lines
               ? 1
               : error("gnuplot did not draw what %s/%s asks for: see what it says above; is "
                       "the disk full?",
                       folder, script);
}
