#include "reports/page/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/gnuplot.h"
#include "timing/stats.h"

/* Okabe & Ito's palette, which colour-blind readers can tell apart; one colour a mode. */
static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7"};
enum { COLOURS = sizeof colours / sizeof *colours, MODES = 8 };

/* A line of data left of every axis: gnuplot counts no block that is empty, and the next one would
 * take its number. */
#define OUTSIDE "-9 0"

/* What all figures of a run are drawn from. */
struct source {
    const char *folder, *where;
    const struct rows *rows;
    const struct table *table;
    const struct published *published;
};

/* Whether the line is the figure's candidate by the figure's lens. */
static bool is_of(const struct table_line *line, const struct figure *figure) {
    return strcmp(line->candidate, figure->candidate) == 0 && strcmp(line->lens, figure->lens) == 0;
}

/* The modes of the figure's lines, in the table's order. */
static size_t modes_of(const struct table *table, const struct figure *figure,
                       const char *modes[MODES]) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (is_of(line, figure) && count < MODES &&
            (count == 0 || strcmp(modes[count - 1], line->mode) != 0))
            modes[count++] = line->mode;
    }
    return count;
}

static int compare_names(const void *left, const void *right) {
    return tables_baseline_compare(*(const char *const *)left, *(const char *const *)right);
}

/* The baselines that get bars: the main ones; all of them where fewer than two are there. At most
 * `room`. */
static size_t bars_of(const struct table *table, const struct figure *figure, const char **names,
                      size_t room) {
    for (int all = 0; all < 2; all++) {
        size_t count = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct table_line *line = &table->lines[i];
            bool wanted = is_of(line, figure) && line->shapes > 0 &&
                          (all || tables_main_index(line->baseline) < TABLES_MAIN);
            for (size_t j = 0; j < count; j++)
                wanted = wanted && strcmp(names[j], line->baseline) != 0;
            if (wanted && count < room)
                names[count++] = line->baseline;
        }
        qsort(names, count, sizeof *names, compare_names);
        if (count > 1 || all)
            return count;
    }
    return 0;
}

/* Opens the loop over the two kinds of picture. */
static void put_terminals(FILE *out, const char *name) {
    fputs(gnuplot_preamble, out);
    fputs("do for [kind in \"png svg\"] {\n"
          "if (kind eq \"png\") { set terminal pngcairo size 1200,700 font \"DejaVu Sans,12\" "
          "noenhanced background rgb 'white' }\n"
          "else { set terminal svg size 1200,700 dynamic font \"DejaVu Sans,Arial,sans-serif,12\" "
          "noenhanced background rgb 'white' }\n",
          out);
    fputs("set output ", out);
    gnuplot_put_string(out, name);
    fputs(".'.'.kind\n", out);
}

/* The title, and below it where the numbers are from, broken into lines that fit the picture. */
static void put_title(FILE *out, const char *command, const struct figure *figure,
                      const char *below) {
    enum { LINE = 140 };
    char text[2048];
    int used = snprintf(text, sizeof text, "%s\n", figure->title);
    char *start = text + used;
    snprintf(start, sizeof text - (size_t)used, "%s", below);
    while (strlen(start) > LINE) {
        char *end = memchr(start, '\n', LINE), *space = end ? end : memrchr(start, ' ', LINE);
        if (!space)
            break;
        *space = '\n';
        start = space + 1;
    }
    fputs(command, out);
    gnuplot_put_string(out, text);
    fputc('\n', out);
}

static const struct table_line *find_line(const struct table *table, const struct figure *figure,
                                          const char *mode, const char *baseline) {
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (is_of(line, figure) && strcmp(line->mode, mode) == 0 &&
            strcmp(line->baseline, baseline) == 0)
            return line;
    }
    return NULL;
}

/* Both files of a figure, open at once. */
struct sheets {
    struct file script, data;
};

static int sheets_open(struct sheets *sheets, const char *folder, const char *figure) {
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.200s.gp", figure);
    if (file_open(&sheets->script, folder, name) < 0)
        return -1;
    snprintf(name, sizeof name, "%.200s.dat", figure);
    if (file_open(&sheets->data, folder, name) < 0) {
        file_abandon(&sheets->script);
        return -1;
    }
    return 0;
}

static int sheets_commit(struct sheets *sheets) {
    int data = file_commit(&sheets->data), script = file_commit(&sheets->script);
    return data < 0 || script < 0 ? -1 : 0;
}

static int write_bars(const struct source *source, const struct figure *figure) {
    const char *names[32], *modes[MODES];
    size_t bars = bars_of(source->table, figure, names, 32);
    size_t mode_count = modes_of(source->table, figure, modes), shapes = 0;
    double low = 0, high = 0, width = 0.8 / (double)mode_count;
    char below[512];
    struct sheets sheets;
    if (sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    for (size_t m = 0; m < mode_count; m++) {
        fprintf(data, "# %s: place, mean speedup in %%, label\n", modes[m]);
        for (size_t b = 0; b < bars; b++) {
            const struct table_line *line = find_line(source->table, figure, modes[m], names[b]);
            if (!line || line->shapes == 0)
                continue;
            double percent = 100 * line->mean;
            low = fmin(low, percent);
            high = fmax(high, percent);
            shapes = line->shapes > shapes ? line->shapes : shapes;
            fprintf(data, "%.9g %.9g \"%+.1f %%\"\n",
                    (double)b + ((double)m - (double)(mode_count - 1) / 2) * width, percent,
                    percent);
        }
        fputs(OUTSIDE " \"\"\n\n\n", data);
    }
    if (high - low <= 0)
        high = 1;
    const double room = 0.12 * (high - low);
    put_terminals(out, figure->name);
    snprintf(below, sizeof below, "%s, mean over %zu shape%s", source->where, shapes,
             shapes == 1 ? "" : "s");
    put_title(out, "set title ", figure, below);
    fprintf(out, "set ylabel \"mean speedup in %% (0 = as fast as the baseline)\"\n");
    fprintf(out, "set xrange [-0.6:%.9g]\nset yrange [%.9g:%.9g]\n", (double)bars - 0.4,
            low < 0 ? low - room : -room / 4, high > 0 ? high + room : room / 4);
    fputs("set xtics scale 0 (", out);
    for (size_t b = 0; b < bars; b++) {
        fputs(b ? ", " : "", out);
        gnuplot_put_string(out, names[b]);
        fprintf(out, " %zu", b);
    }
    fprintf(out,
            ")%s\nset xzeroaxis lt 1 lw 2 lc rgb '#404040'\nset bmargin 5\nset boxwidth %.9g\n",
            bars > 6 ? " rotate by -20" : "", 0.92 * width);
    fputs("plot ", out);
    for (size_t m = 0; m < mode_count; m++) {
        fputs(m ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with boxes lc rgb '%s' title ", m,
                colours[m % COLOURS]);
        gnuplot_put_string(out, modes[m]);
        for (int negative = 0; negative < 2; negative++)
            fprintf(out,
                    ", \\\n  '' index %zu using 1:($2 %s 0 ? $2 : 1/0):3 with labels offset 0,%s "
                    "notitle",
                    m, negative ? "<" : ">=", negative ? "-0.8" : "0.8");
    }
    fputs("\nunset output\n}\n", out);
    return sheets_commit(&sheets);
}

const char *figures_strongest(const struct table *table, const char *candidate, const char *lens) {
    const char *last = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) != 0 || strcmp(line->lens, lens) != 0 ||
            line->shapes == 0)
            continue;
        if (strcmp(line->baseline, "cublaslt-autotune-max") == 0)
            return line->baseline;
        if (!last || tables_baseline_compare(last, line->baseline) < 0)
            last = line->baseline;
    }
    return last;
}

/* One shape: x = log2(M*N*K), y = t_baseline / t_candidate in Figure 3, time over the speed of
 * light in Figure 4. */
struct point {
    double x, y;
};

static int compare_points(const void *left, const void *right) {
    const struct point *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

/* The bins are one wide and centred on whole numbers. */
static double bin_of(double x) {
    return floor(x + 0.5);
}

/* Writes centre, quartiles and median of every bin. Sorts the points; scratch holds `count`. */
static void put_bins(FILE *data, struct point *points, size_t count, double *scratch) {
    qsort(points, count, sizeof *points, compare_points);
    for (size_t first = 0, end; first < count; first = end) {
        const double bin = bin_of(points[first].x);
        for (end = first; end < count && bin_of(points[end].x) <= bin; end++)
            scratch[end - first] = points[end].y;
        const size_t n = end - first;
        stats_sort(scratch, n);
        fprintf(data, "%.9g %.9g %.9g %.9g %zu\n", bin, stats_quantile_sorted(scratch, n, 0.25),
                stats_quantile_sorted(scratch, n, 0.5), stats_quantile_sorted(scratch, n, 0.75), n);
    }
}

struct range {
    double low, high;
};

static void widen(struct range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Ends a block of `count` shapes with the block of their bins. */
static void put_end(FILE *data, struct point *points, size_t count, double *scratch) {
    fprintf(data, "%s\n\n# middle of the bin, lower quartile, median, upper quartile, shapes\n",
            count ? "" : OUTSIDE "\n");
    put_bins(data, points, count, scratch);
    fputs(count ? "\n\n" : OUTSIDE " 0 0\n\n\n", data);
}

/* Intervals are drawn where there are fewer points than this. */
enum { INTERVALS_BELOW = 200 };

/* Writes the mode's blocks of data, the shapes and the bins; returns how many shapes. */
static size_t put_mode(FILE *data, const struct source *source, const struct figure *figure,
                       const char *baseline, const char *mode, struct point *points,
                       double *scratch, struct range *x, struct range *y) {
    size_t count = 0;
    struct range intervals = *y;
    fprintf(data, "# %s: log2(M*N*K), speedup, ratio and its interval, one shape a line\n", mode);
    for (size_t i = 0; i < source->rows->ratio_count; i++) {
        const struct ratio_row *row = &source->rows->ratios[i];
        if (strcmp(row->lens, figure->lens) != 0 ||
            strcmp(row->candidate, figure->candidate) != 0 ||
            strcmp(row->baseline, baseline) != 0 || strcmp(row->mode, mode) != 0 ||
            isnan(row->speedup))
            continue;
        struct point *point = &points[count++];
        *point = (struct point){log2(shape_flops(row->shape) / 2), 1 + row->speedup};
        widen(x, point->x);
        widen(y, point->y);
        widen(&intervals, row->ci_low);
        widen(&intervals, row->ci_high);
        fprintf(data, "%.9g %.9g %.9g %.9g %.9g\n", point->x, point->y, row->ratio, row->ci_low,
                row->ci_high);
    }
    put_end(data, points, count, scratch);
    if (count < INTERVALS_BELOW) {
        widen(y, intervals.low);
        widen(y, intervals.high);
    }
    return count;
}

/* Powers of two to either side where a linear axis would flatten everything near 1. */
static void put_y_axis(FILE *out, struct range y) {
    if (y.low > 0 && y.high / y.low > 6)
        fprintf(out, "set logscale y 2\nset yrange [%.9g:%.9g]\n", y.low / 1.15, y.high * 1.15);
    else {
        const double room = fmax(0.08 * (y.high - y.low), 0.02);
        fprintf(out, "set yrange [%.9g:%.9g]\n", y.low - room, y.high + room);
    }
}

static void put_x_axis(FILE *out, struct range x) {
    fprintf(out,
            "set xlabel \"size of the product, log2(M·N·K); bins one wide\"\n"
            "set xrange [%.9g:%.9g]\nset xtics %g\n",
            floor(x.low) - 0.5, ceil(x.high) + 0.5, ceil((x.high - x.low + 1) / 13));
}

static const char *point_size(size_t shapes) {
    return shapes < INTERVALS_BELOW ? "0.9" : "0.45";
}

/* The panel's title, and the beginning of its plot up to the figure's name. */
static void begin_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes) {
    char title[2 * RUNDIR_NAME];
    snprintf(title, sizeof title, "%s, %zu shape%s", mode, shapes, shapes == 1 ? "" : "s");
    fputs("set title ", out);
    gnuplot_put_string(out, title);
    fputs("\nplot ", out);
    gnuplot_put_string(out, figure->name);
}

static void put_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes,
                      size_t m) {
    const char *colour = colours[m % COLOURS];
    begin_panel(out, figure, mode, shapes);
    fprintf(out,
            ".'.dat' index %zu using 1:2:4 with filledcurves fc rgb '%s' fs transparent solid 0.25 "
            "noborder title 'middle half', \\\n",
            2 * m + 1, colour);
    if (shapes < INTERVALS_BELOW)
        fprintf(
            out,
            "  '' index %zu using 1:4:(0):($5-$4) with vectors nohead lw 1.5 lc rgb '#707070' "
            "title 'ratio, 95 %%', '' index %zu using 1:3 with points pt 1 ps 0.7 lw 1.5 lc rgb "
            "'#707070' notitle, \\\n",
            2 * m, 2 * m);
    fprintf(out,
            "  '' index %zu using 1:2 with points pt 7 ps %s lc rgb '%s' title 'shape', \\\n"
            "  '' index %zu using 1:3 with lines lw 3 lc rgb '#202020' title "
            "'median', \\\n"
            "  1 with lines dt 2 lw 2 lc rgb '#D55E00' title 'equal speed'\n",
            2 * m, point_size(shapes), colour, 2 * m + 1);
}

static int write_scatter(const struct source *source, const struct figure *figure) {
    const char *modes[MODES],
        *baseline = figures_strongest(source->table, figure->candidate, figure->lens);
    size_t mode_count = modes_of(source->table, figure, modes), shapes[MODES];
    const size_t room = source->rows->ratio_count + 1;
    struct range x = {INFINITY, -INFINITY}, y = {1, 1};
    char label[2 * RUNDIR_NAME];
    struct point *points = malloc(room * sizeof *points);
    double *scratch = malloc(room * sizeof *scratch);
    struct sheets sheets;
    int status = !points || !scratch ? error("no memory for %zu points", room)
                                     : sheets_open(&sheets, source->folder, figure->name);
    if (status < 0)
        goto done;
    FILE *out = sheets.script.stream;
    for (size_t m = 0; m < mode_count; m++)
        shapes[m] = put_mode(sheets.data.stream, source, figure, baseline, modes[m], points,
                             scratch, &x, &y);
    put_terminals(out, figure->name);
    fprintf(out, "set multiplot layout 1,%zu ", mode_count);
    put_title(out, "title ", figure, source->where);
    snprintf(label, sizeof label, "speedup, time of %s / time of candidate", baseline);
    fputs("set ylabel ", out);
    gnuplot_put_string(out, label);
    fputs("\nset bmargin 7\nset key maxrows 2 samplen 2\n", out);
    put_x_axis(out, x);
    put_y_axis(out, y);
    for (size_t m = 0; m < mode_count; m++)
        put_panel(out, figure, modes[m], shapes[m], m);
    fputs("unset multiplot\nunset output\n}\n", out);
    status = sheets_commit(&sheets);
done:
    free(points);
    free(scratch);
    return status;
}

/* Whether a row of times is about the kernel: X-max is the faster of X-nn and X-tn. */
static bool is_kernel(const char *in_row, const char *kernel) {
    const size_t stem = strlen(kernel) < 4 ? 0 : strlen(kernel) - 4;
    if (stem == 0 || strcmp(kernel + stem, "-max") != 0)
        return strcmp(in_row, kernel) == 0;
    return strncmp(in_row, kernel, stem) == 0 &&
           (strcmp(in_row + stem, "-nn") == 0 || strcmp(in_row + stem, "-tn") == 0);
}

/* Whether the row is one of Figure 4 for the kernel. */
static bool is_lit(const struct time_row *row, const struct figure *figure, const char *kernel) {
    return strcmp(row->candidate, figure->candidate) == 0 && strcmp(row->mode, "offline") == 0 &&
           strcmp(row->lens, figure->lens) == 0 && is_kernel(row->kernel, kernel) &&
           row->median > 0 && row->light_seconds > 0;
}

/* Whether no other row of the shape is of the kernel and faster. A unit's rows stand together. */
static bool is_fastest(const struct rows *rows, size_t i, const struct figure *figure,
                       const char *kernel) {
    const struct time_row *mine = &rows->times[i];
    size_t j = i;
    while (j > 0 && shape_compare(rows->times[j - 1].shape, mine->shape) == 0)
        j--;
    for (; j < rows->time_count && shape_compare(rows->times[j].shape, mine->shape) == 0; j++)
        if (is_lit(&rows->times[j], figure, kernel) &&
            (rows->times[j].median < mine->median ||
             (j < i && rows->times[j].median <= mine->median)))
            return false;
    return true;
}

/* Writes the kernel's blocks of data, the shapes and the bins; returns how many shapes. */
static size_t put_light(FILE *data, const struct rows *rows, const struct figure *figure,
                        const char *kernel, struct point *points, double *scratch, struct range *x,
                        struct range *y) {
    size_t count = 0;
    fprintf(data, "# %s: log2(M*N*K), time over the speed of light, one shape a line\n", kernel);
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        if (!is_lit(row, figure, kernel) || !is_fastest(rows, i, figure, kernel))
            continue;
        struct point *point = &points[count++];
        *point =
            (struct point){log2(shape_flops(row->shape) / 2), row->median / row->light_seconds};
        widen(x, point->x);
        widen(y, point->y);
        fprintf(data, "%.9g %.9g\n", point->x, point->y);
    }
    put_end(data, points, count, scratch);
    return count;
}

static int write_light(const struct source *source, const struct figure *figure) {
    const char *kernels[] = {figures_strongest(source->table, figure->candidate, figure->lens),
                             figure->candidate};
    const size_t room = source->rows->time_count + 1;
    struct range x = {INFINITY, -INFINITY}, y = {1, 1};
    struct point *points = malloc(room * sizeof *points);
    double *scratch = malloc(room * sizeof *scratch);
    size_t shapes = 0;
    struct sheets sheets;
    int status = !points || !scratch ? error("no memory for %zu points", room)
                                     : sheets_open(&sheets, source->folder, figure->name);
    if (status < 0)
        goto done;
    FILE *out = sheets.script.stream;
    for (size_t i = 0; i < 2; i++)
        shapes = put_light(sheets.data.stream, source->rows, figure, kernels[i], points, scratch,
                           &x, &y);
    put_terminals(out, figure->name);
    put_title(out, "set title ", figure, source->where);
    fputs("set ylabel \"median time / time at the speed of light\"\nset key maxrows 2 samplen "
          "2\nset bmargin "
          "7\n",
          out);
    put_x_axis(out, x);
    put_y_axis(out, y);
    fputs("plot ", out);
    for (size_t i = 0; i < 2; i++) {
        fputs(i ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with points pt 7 ps %s lc rgb '%s' title ", 2 * i,
                point_size(shapes), colours[1 - i]);
        gnuplot_put_string(out, kernels[i]);
        fprintf(out, ", \\\n  '' index %zu using 1:3 with lines lw 3 lc rgb '%s' title 'median'",
                2 * i + 1, colours[1 - i]);
    }
    fputs(", \\\n  1 with lines dt 2 lw 2 lc rgb '#D55E00' title 'speed of light'\n"
          "unset output\n}\n",
          out);
    status = sheets_commit(&sheets);
done:
    free(points);
    free(scratch);
    return status;
}

static void put_pairs(FILE *data, const struct published_line *line, struct range *both) {
    fprintf(data, "# %s: speedup there and here, one shape a line\n", line->of->mode);
    for (size_t i = 0; i < line->shapes; i++) {
        const double there = 1 + line->pairs[i].theirs->speedup,
                     here = 1 + line->pairs[i].ours->speedup;
        widen(both, there);
        widen(both, here);
        fprintf(data, "%.9g %.9g\n", there, here);
    }
    fputs("\n\n", data);
}

/* A line a mode. */
static int write_published(const struct source *source, const struct figure *figure,
                           const struct published_line *const *lines, size_t count) {
    struct range both = {1, 1};
    char below[2304];
    struct sheets sheets;
    if (sheets_open(&sheets, source->folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream;
    for (size_t m = 0; m < count; m++)
        put_pairs(sheets.data.stream, lines[m], &both);
    snprintf(below, sizeof below, "there: %s\nhere: %s", source->published->where, source->where);
    put_terminals(out, figure->name);
    fprintf(out, "set multiplot layout 1,%zu ", count);
    put_title(out, "title ", figure, below);
    fprintf(out,
            "set xlabel \"speedup there\"\nset ylabel \"speedup here\"\nset logscale xy 2\n"
            "set size square\nset key top left\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
            "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#404040'\n"
            "set arrow from first 1, graph 0 to first 1, graph 1 nohead lc rgb '#404040'\n",
            both.low / 1.1, both.high * 1.1, both.low / 1.1, both.high * 1.1);
    for (size_t m = 0; m < count; m++) {
        begin_panel(out, figure, lines[m]->of->mode, lines[m]->shapes);
        fprintf(out,
                ".'.dat' index %zu using 1:2 with points pt 7 ps %s lc rgb '%s' title 'shape', \\\n"
                "  x with lines dt 2 lw 2 lc rgb '#D55E00' title 'as published'\n",
                m, point_size(lines[m]->shapes), colours[m % COLOURS]);
    }
    fputs("unset multiplot\nunset output\n}\n", out);
    return sheets_commit(&sheets);
}

/* Runs gnuplot on NAME.gp inside the folder. */
static int draw(const char *folder, const char *name) {
    char script[NAME_MAX + 1], png[NAME_MAX + 1], svg[NAME_MAX + 1];
    snprintf(script, sizeof script, "%.200s.gp", name);
    snprintf(png, sizeof png, "%.200s.png", name);
    snprintf(svg, sizeof svg, "%.200s.svg", name);
    const char *const pictures[] = {png, svg, NULL};
    return gnuplot_draw(folder, script, pictures);
}

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -LENS where that is not call. */
static void name_figure(struct figure *figure, const char *number, const char *lens) {
    const bool call = strcmp(lens, "call") == 0;
    snprintf(figure->name, sizeof figure->name, "%s-%s%s%s", number, figure->candidate,
             call ? "" : "-", call ? "" : lens);
    for (char *p = figure->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
}

/* Whether the run can have Figure 4 of the candidate by the lens. */
static bool has_light(const struct source *source, const struct figure *figure) {
    if (!figures_strongest(source->table, figure->candidate, figure->lens))
        return false;
    for (size_t i = 0; i < source->rows->time_count; i++)
        if (is_lit(&source->rows->times[i], figure, figure->candidate))
            return true;
    return false;
}

/* Figures 1 and 3 of the candidate and lens of a line of the table. */
static int write_pair(const struct source *source, const struct table_line *line,
                      struct figure **next) {
    struct figure *bars = (*next)++, *scatter = (*next)++;
    strcpy(bars->candidate, line->candidate);
    strcpy(bars->lens, line->lens);
    *scatter = *bars;
    name_figure(bars, "figure1", line->lens);
    name_figure(scatter, "figure3", line->lens);
    snprintf(bars->title, sizeof bars->title, "%s: mean speedup over the libraries, %s lens",
             line->candidate, line->lens);
    snprintf(scatter->title, sizeof scatter->title, "%s: speedup over %s by size, %s lens",
             line->candidate, figures_strongest(source->table, line->candidate, line->lens),
             line->lens);
    return write_bars(source, bars) < 0 ? -1 : write_scatter(source, scatter);
}

/* Figure 4 of a candidate, where the run can have it. */
static int write_fourth(const struct source *source, const char *candidate, struct figure **next) {
    static const char *const lenses[] = {"device", "call"};
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++) {
        struct figure *figure = *next;
        strcpy(figure->candidate, candidate);
        strcpy(figure->lens, lenses[i]);
        if (!has_light(source, figure))
            continue;
        name_figure(figure, "figure4", "call");
        snprintf(figure->title, sizeof figure->title,
                 "%s: time over the speed of light, offline, %s lens", candidate, lenses[i]);
        (*next)++;
        return write_light(source, figure);
    }
    return 0;
}

/* Figure 5 of the candidate and lens of a line of the table, which has a strongest baseline, where
 * something was published over that. */
static int write_fifth(const struct source *source, const struct table_line *line,
                       struct figure **next) {
    const char *baseline = figures_strongest(source->table, line->candidate, line->lens);
    const struct published_line *lines[MODES];
    size_t count = 0;
    for (size_t i = 0; i < source->published->count && count < MODES; i++) {
        const struct ratio_row *of = source->published->lines[i].of;
        if (strcmp(of->candidate, line->candidate) == 0 && strcmp(of->lens, line->lens) == 0 &&
            strcmp(of->baseline, baseline) == 0)
            lines[count++] = &source->published->lines[i];
    }
    if (count == 0)
        return 0;
    struct figure *figure = (*next)++;
    strcpy(figure->candidate, line->candidate);
    strcpy(figure->lens, line->lens);
    name_figure(figure, "figure5", line->lens);
    snprintf(figure->title, sizeof figure->title,
             "%s: speedup over %s as published and as measured here, %s lens", line->candidate,
             baseline, line->lens);
    return write_published(source, figure, lines, count);
}

int figures_make(const char *folder, const struct rows *rows, const struct table *table,
                 const struct published *published, const char *where, struct figure **figures,
                 size_t *count) {
    const struct source source = {folder, where, rows, table, published};
    struct figure *next = *figures = calloc(4 * table->count + 1, sizeof **figures);
    int status = 0;
    *count = 0;
    if (!next)
        return error("no memory for the figures");
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const struct table_line *line = &table->lines[i];
        const bool first = i == 0 || strcmp(line[-1].candidate, line->candidate) != 0;
        const bool last = i + 1 == table->count || strcmp(line[1].candidate, line->candidate) != 0;
        if ((first || strcmp(line[-1].lens, line->lens) != 0) &&
            figures_strongest(table, line->candidate, line->lens)) {
            status = write_pair(&source, line, &next);
            if (status == 0)
                status = write_fifth(&source, line, &next);
        }
        if (last && status == 0)
            status = write_fourth(&source, line->candidate, &next);
    }
    *count = (size_t)(next - *figures);
    for (size_t i = 0; i < *count && status == 0; i++) {
        status = draw(folder, (*figures)[i].name);
        (*figures)[i].drawn = status == 0;
    }
    return status;
}
