#include "reports/figures.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/error.h"
#include "reports/files.h"
#include "timing/stats.h"

extern char **environ;

/* Okabe & Ito's palette, which colour-blind readers can tell apart; one colour a mode. */
static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7"};
enum { COLOURS = sizeof colours / sizeof *colours, MODES = 8 };

/* A line of data left of every axis: gnuplot counts no block that is empty, and the next one would
 * take its number. */
#define OUTSIDE "-9 0"

/* What stands at the top of every script. Text is never "enhanced": names hold _ and ^. */
static const char preamble[] =
    "set encoding utf8\n"
    "set border 3 lc rgb '#404040'\n"
    "set tics nomirror out\n"
    "set grid ytics lc rgb '#d8d8d8' lw 1 lt 1\n"
    "set key outside bottom center horizontal maxrows 1 spacing 1.2 samplen 3\n"
    "set style fill solid 0.9 noborder\n";

/* In double quotes, where gnuplot reads \n as a newline and runs what is in backquotes: characters
 * that mean something there become '. */
static void put_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            fputc((unsigned char)*text < ' ' || strchr("\"\\`", *text) ? '\'' : *text, out);
    fputc('"', out);
}

/* The modes of the candidate's lines, in the table's order. */
static size_t modes_of(const struct table *table, const char *candidate, const char *modes[MODES]) {
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) == 0 && count < MODES &&
            (count == 0 || strcmp(modes[count - 1], line->mode) != 0))
            modes[count++] = line->mode;
    }
    return count;
}

static bool is_main(const char *baseline) {
    static const char *const names[] = {"torch-matmul", "cublas-max", "cublaslt-heuristic-max",
                                        "cublaslt-autotune-max", "openblas-max"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], baseline) == 0)
            return true;
    return false;
}

static int compare_names(const void *left, const void *right) {
    return tables_baseline_compare(*(const char *const *)left, *(const char *const *)right);
}

/* The baselines that get bars: the main ones; all of them where fewer than two are there. At most
 * `room`. */
static size_t bars_of(const struct table *table, const char *candidate, const char **names,
                      size_t room) {
    for (int all = 0; all < 2; all++) {
        size_t count = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct table_line *line = &table->lines[i];
            bool wanted = strcmp(line->candidate, candidate) == 0 && line->shapes > 0 &&
                          (all || is_main(line->baseline));
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
    fputs(preamble, out);
    fputs("do for [kind in \"png svg\"] {\n"
          "if (kind eq \"png\") { set terminal pngcairo size 1200,700 font \"DejaVu Sans,12\" "
          "noenhanced background rgb 'white' }\n"
          "else { set terminal svg size 1200,700 dynamic font \"DejaVu Sans,Arial,sans-serif,12\" "
          "noenhanced background rgb 'white' }\n",
          out);
    fputs("set output ", out);
    put_string(out, name);
    fputs(".'.'.kind\n", out);
}

/* The title, and below it where the numbers are from, broken into lines that fit the picture. */
static void put_title(FILE *out, const char *command, const struct figure *figure,
                      const char *below) {
    enum { LINE = 120 };
    char text[2048];
    int used = snprintf(text, sizeof text, "%s\n", figure->title);
    char *start = text + used;
    snprintf(start, sizeof text - (size_t)used, "%s", below);
    while (strlen(start) > LINE) {
        char *space = memrchr(start, ' ', LINE);
        if (!space)
            break;
        *space = '\n';
        start = space + 1;
    }
    fputs(command, out);
    put_string(out, text);
    fputc('\n', out);
}

static const struct table_line *find_line(const struct table *table, const char *candidate,
                                          const char *mode, const char *baseline) {
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) == 0 && strcmp(line->mode, mode) == 0 &&
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

static int write_bars(const char *folder, const struct table *table, const char *candidate,
                      const char *where, const struct figure *figure) {
    const char *names[32], *modes[MODES];
    size_t bars = bars_of(table, candidate, names, 32);
    size_t mode_count = modes_of(table, candidate, modes), shapes = 0;
    double low = 0, high = 0, width = 0.8 / (double)mode_count;
    char below[512];
    struct sheets sheets;
    if (sheets_open(&sheets, folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    for (size_t m = 0; m < mode_count; m++) {
        fprintf(data, "# %s: place, mean speedup in %%, label\n", modes[m]);
        for (size_t b = 0; b < bars; b++) {
            const struct table_line *line = find_line(table, candidate, modes[m], names[b]);
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
    snprintf(below, sizeof below, "%s, mean over %zu shape%s", where, shapes,
             shapes == 1 ? "" : "s");
    put_title(out, "set title ", figure, below);
    fprintf(out, "set ylabel \"mean speedup in %% (0 = as fast as the baseline)\"\n");
    fprintf(out, "set xrange [-0.6:%.9g]\nset yrange [%.9g:%.9g]\n", (double)bars - 0.4,
            low < 0 ? low - room : -room / 4, high > 0 ? high + room : room / 4);
    fputs("set xtics scale 0 (", out);
    for (size_t b = 0; b < bars; b++) {
        fputs(b ? ", " : "", out);
        put_string(out, names[b]);
        fprintf(out, " %zu", b);
    }
    fprintf(out,
            ")%s\nset xzeroaxis lt 1 lw 2 lc rgb '#404040'\nset bmargin 5\nset boxwidth %.9g\n",
            bars > 6 ? " rotate by -20" : "", 0.92 * width);
    fputs("plot ", out);
    for (size_t m = 0; m < mode_count; m++) {
        fputs(m ? ", \\\n  " : "", out);
        put_string(out, figure->name);
        fprintf(out, ".'.dat' index %zu using 1:2 with boxes lc rgb '%s' title ", m,
                colours[m % COLOURS]);
        put_string(out, modes[m]);
        for (int negative = 0; negative < 2; negative++)
            fprintf(out,
                    ", \\\n  '' index %zu using 1:($2 %s 0 ? $2 : 1/0):3 with labels offset 0,%s "
                    "notitle",
                    m, negative ? "<" : ">=", negative ? "-0.8" : "0.8");
    }
    fputs("\nunset output\n}\n", out);
    return sheets_commit(&sheets);
}

const char *figures_strongest(const struct table *table, const char *candidate) {
    const char *last = NULL;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        if (strcmp(line->candidate, candidate) != 0 || line->shapes == 0)
            continue;
        if (strcmp(line->baseline, "cublaslt-autotune-max") == 0)
            return line->baseline;
        if (!last || tables_baseline_compare(last, line->baseline) < 0)
            last = line->baseline;
    }
    return last;
}

/* One shape of Figure 3: x = log2(M*N*K), y = t_baseline / t_candidate. */
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

/* Writes the mode's blocks of data, the shapes and the bins; returns how many shapes. */
static size_t put_mode(FILE *data, const struct rows *rows, const char *lens, const char *candidate,
                       const char *baseline, const char *mode, struct point *points,
                       double *scratch, struct range *x, struct range *y) {
    size_t count = 0;
    fprintf(data, "# %s: log2(M*N*K), speedup, one shape a line\n", mode);
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (strcmp(row->lens, lens) != 0 || strcmp(row->candidate, candidate) != 0 ||
            strcmp(row->baseline, baseline) != 0 || strcmp(row->mode, mode) != 0 ||
            isnan(row->speedup))
            continue;
        struct point *point = &points[count++];
        *point = (struct point){log2(shape_flops(row->shape) / 2), 1 + row->speedup};
        widen(x, point->x);
        widen(y, point->y);
        fprintf(data, "%.9g %.9g\n", point->x, point->y);
    }
    fprintf(data, "%s\n\n# %s: middle of the bin, lower quartile, median, upper quartile, shapes\n",
            count ? "" : OUTSIDE "\n", mode);
    put_bins(data, points, count, scratch);
    fputs(count ? "\n\n" : OUTSIDE " 0 0\n\n\n", data);
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

static void put_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes,
                      size_t m) {
    char title[2 * RUNDIR_NAME];
    const char *colour = colours[m % COLOURS];
    snprintf(title, sizeof title, "%s, %zu shape%s", mode, shapes, shapes == 1 ? "" : "s");
    fputs("set title ", out);
    put_string(out, title);
    fputs("\nplot ", out);
    put_string(out, figure->name);
    fprintf(out,
            ".'.dat' index %zu using 1:2:4 with filledcurves fc rgb '%s' fs transparent solid 0.25 "
            "noborder title 'middle half of shapes', \\\n"
            "  '' index %zu using 1:2 with points pt 7 ps %s lc rgb '%s' title 'one shape', \\\n"
            "  '' index %zu using 1:3 with lines lw 3 lc rgb '#202020' title "
            "'median of a bin', \\\n"
            "  1 with lines dt 2 lw 2 lc rgb '#D55E00' title 'equal speed'\n",
            2 * m + 1, colour, 2 * m, shapes > 200 ? "0.45" : "0.9", colour, 2 * m + 1);
}

static int write_scatter(const char *folder, const struct rows *rows, const char *lens,
                         const struct table *table, const char *candidate, const char *where,
                         const struct figure *figure) {
    const char *modes[MODES], *baseline = figures_strongest(table, candidate);
    size_t mode_count = modes_of(table, candidate, modes), shapes[MODES];
    struct range x = {INFINITY, -INFINITY}, y = {1, 1};
    char label[2 * RUNDIR_NAME];
    struct point *points = malloc((rows->ratio_count + 1) * sizeof *points);
    double *scratch = malloc((rows->ratio_count + 1) * sizeof *scratch);
    struct sheets sheets;
    int status = !points || !scratch ? error("no memory for %zu points", rows->ratio_count)
                                     : sheets_open(&sheets, folder, figure->name);
    if (status < 0)
        goto done;
    FILE *out = sheets.script.stream;
    for (size_t m = 0; m < mode_count; m++)
        shapes[m] = put_mode(sheets.data.stream, rows, lens, candidate, baseline, modes[m], points,
                             scratch, &x, &y);
    put_terminals(out, figure->name);
    fprintf(out, "set multiplot layout 1,%zu ", mode_count);
    put_title(out, "title ", figure, where);
    snprintf(label, sizeof label, "speedup, time of %s / time of candidate", baseline);
    fputs("set ylabel ", out);
    put_string(out, label);
    fprintf(out,
            "\nset bmargin 7\nset xlabel \"size of the product, log2(M·N·K); bins one wide\"\n"
            "set xrange [%.9g:%.9g]\nset xtics %g\n",
            floor(x.low) - 0.5, ceil(x.high) + 0.5, ceil((x.high - x.low + 1) / 13));
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

/* Whether the picture ends as its format ends: gnuplot does not tell of a full disk. */
static bool picture_is_whole(const char *folder, const char *name, const char *kind) {
    static const char png[] = "IEND\xae"
                              "B`\x82",
                      svg[] = "</svg>\n\n";
    char path[PATH_MAX], file[NAME_MAX + 1], end[16] = "";
    snprintf(file, sizeof file, "%.200s.%s", name, kind);
    FILE *in = files_join(path, folder, file) < 0 ? NULL : fopen(path, "r");
    const bool is_png = strcmp(kind, "png") == 0;
    const size_t length = is_png ? sizeof png - 1 : sizeof svg - 1;
    bool whole = in && fseek(in, -(long)length, SEEK_END) == 0 && fread(end, length, 1, in) == 1 &&
                 memcmp(end, is_png ? png : svg, length) == 0;
    if (in)
        fclose(in);
    if (!whole)
        unlink(path);
    return whole;
}

/* Runs gnuplot on NAME.gp inside the folder. */
static int draw(const char *folder, const char *name) {
    char script[NAME_MAX + 1], program[] = "gnuplot";
    char *argv[] = {program, script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    snprintf(script, sizeof script, "%.200s.gp", name);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return error("no memory");
    int failed = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (failed == 0)
        failed = posix_spawnp(&child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return error("gnuplot is not installed, so the figures are not drawn; apt-get install "
                     "gnuplot-nox, then make the report again");
    if (failed)
        return error("cannot run gnuplot: %s", strerror(failed));
    if (waitpid(child, &status, 0) < 0)
        return error("cannot wait for gnuplot: %s", strerror(errno));
    if (status != 0 || !picture_is_whole(folder, name, "png") ||
        !picture_is_whole(folder, name, "svg"))
        return error("gnuplot did not draw %s/%s; is the disk full? `gnuplot %s` there shows why",
                     folder, script, script);
    return 0;
}

/* FIGURE-CANDIDATE with nothing in it that a file name or Markdown link could stumble over. */
static void name_figure(struct figure *figure, const char *kind, const char *candidate) {
    snprintf(figure->candidate, sizeof figure->candidate, "%s", candidate);
    snprintf(figure->name, sizeof figure->name, "%s-%s", kind, candidate);
    for (char *p = figure->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", *p))
            *p = '_';
}

int figures_make(const char *folder, const struct rows *rows, const char *lens,
                 const struct table *table, const char *where, struct figure **figures,
                 size_t *count) {
    int status = 0;
    *count = 0;
    *figures = calloc(2 * table->count + 1, sizeof **figures);
    if (!*figures)
        return error("no memory for the figures");
    for (size_t i = 0; i < table->count && status == 0; i++) {
        const char *candidate = table->lines[i].candidate;
        const char *strongest = figures_strongest(table, candidate);
        if ((i > 0 && strcmp(candidate, table->lines[i - 1].candidate) == 0) || !strongest)
            continue;
        struct figure *bars = &(*figures)[(*count)++], *scatter = &(*figures)[(*count)++];
        name_figure(bars, "figure1", candidate);
        name_figure(scatter, "figure3", candidate);
        snprintf(bars->title, sizeof bars->title, "%s: mean speedup over the libraries", candidate);
        snprintf(scatter->title, sizeof scatter->title, "%s: speedup over %s by size", candidate,
                 strongest);
        status = write_bars(folder, table, candidate, where, bars);
        if (status == 0)
            status = write_scatter(folder, rows, lens, table, candidate, where, scatter);
    }
    for (size_t i = 0; i < *count && status == 0; i++) {
        status = draw(folder, (*figures)[i].name);
        (*figures)[i].drawn = status == 0;
    }
    return status;
}
