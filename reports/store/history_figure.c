#include "reports/store/history_figure.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/figure_axes.h"
#include "reports/page/gnuplot.h"

/* Pixels; what is written at the x axis has room for this many labels. */
enum { WIDTH = 1200, PANEL = 480, LABELS = 24 };

enum history_kind history_figure_kind(const char *file) {
    const char *dot = strrchr(file, '.');
    if (dot && strcmp(dot, ".png") == 0)
        return HISTORY_PNG;
    if (dot && strcmp(dot, ".svg") == 0)
        return HISTORY_SVG;
    error("--figure %s: a name that ends in .png or .svg is wanted", file);
    return HISTORY_NO_FIGURE;
}

/* The runs stand side by side, as far apart as any two: those of one day do not hide each other. */
static void put_data(FILE *out, const struct history_series *series, size_t number) {
    fprintf(out, "$runs%zu << EOD\n", number);
    for (size_t i = 0; i < series->count; i++)
        fprintf(out, "%zu %.9g %.9g %.9g\n", i, series->points[i].ratio.ratio,
                series->points[i].ratio.low, series->points[i].ratio.high);
    fputs("EOD\n", out);
}

/* The name of the entry, and the commit of its kernels. Below the axis there is room for the
 * longest of them, which stand aslant, and for the key. */
static void put_labels(FILE *out, const struct history_series *series) {
    const size_t step = (series->count + LABELS - 1) / LABELS;
    size_t longest = 0;
    fputs("set xtics rotate by 45 right offset 0.4,0 (", out);
    for (size_t i = 0; i < series->count; i += step) {
        const struct store_entry *entry = &series->points[i].entry;
        char label[64];
        snprintf(label, sizeof label, "%.40s%s%.7s", entry->name, *entry->kernels ? "  " : "",
                 entry->kernels);
        longest = strlen(label) > longest ? strlen(label) : longest;
        fputs(i ? ", " : "", out);
        gnuplot_put_string(out, label);
        fprintf(out, " %zu", i);
    }
    fprintf(out, ")\nset bmargin %.1f\n", 4.5 + 0.3 * (double)longest);
}

/* A line across each level, and between two a dashed one with both in words. Words go to the side
 * that has room, and neighbours to different heights. */
static void put_levels(FILE *out, const struct history_series *series) {
    size_t number = 0, end;
    for (size_t first = 0; first < series->count; first = end) {
        const struct history_series_point *point = &series->points[first];
        const double x = (double)first - 0.5;
        const bool left = 2 * first > series->count;
        end = history_series_end(series, first);
        const double speed = history_series_level(series, first, end);
        fprintf(out,
                "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 2 lc rgb '" FIGURE_DARK "' back\n",
                x, speed, (double)end - 0.5, speed);
        if (isnan(point->before))
            continue;
        fprintf(out,
                "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead dt 2 lw 2 lc rgb "
                "'" FIGURE_GREY "'\n",
                x, x);
        fprintf(out,
                "set label \"%.4f → %.4f (%+.1f %%)\" at first %.9g, graph %.3f %s offset %s,0\n",
                point->before, point->after, 100 * (point->after / point->before - 1), x,
                0.95 - 0.085 * (double)(number++ % 3), left ? "right" : "left", left ? "-1" : "1");
    }
}

static void put_panel(FILE *out, const struct history_series *series, size_t number) {
    const struct history_series_point *first = series->points, *last = first + series->count - 1;
    char text[3 * RUNDIR_TEXT], shape[SHAPE_TEXT];
    double low, high;
    history_series_range(series, &low, &high);
    const double room = high > low ? high - low : 0.01 * high;
    low -= 0.1 * room;
    high += 0.35 * room; /* words of the changes */
    fputs("unset arrow\nunset label\n", out);
    snprintf(text, sizeof text, "%s %s, %s, %s\n%s, fingerprint %s",
             shape_format(first->speed.shape, shape), first->speed.candidate, first->speed.mode,
             first->speed.lens, last->entry.device, first->entry.key);
    fputs("set title ", out);
    gnuplot_put_string(out, text);
    snprintf(text, sizeof text, "time of %s /\ntime of %s", first->speed.reference,
             first->speed.candidate);
    fputs("\nset ylabel ", out);
    gnuplot_put_string(out, text);
    fprintf(out, "\nset xrange [-0.5:%.9g]\nset yrange [%.9g:%.9g]\n", (double)series->count - 0.5,
            low, high);
    put_labels(out, series);
    put_levels(out, series);
    fprintf(out, "plot ");
    if (low < 1 && high > 1)
        fputs("1 with lines dt 3 lw 2 lc rgb '" FIGURE_GREY "' title 'equal speed', \\\n  ", out);
    fprintf(out,
            "$runs%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.9 lw 1.8 lc rgb '" FIGURE_CANDIDATE
            "' title "
            "'ratio, 95 %% over rounds', \\\n"
            "  NaN with lines lw 2 lc rgb '" FIGURE_DARK "' title 'level', \\\n"
            "  NaN with lines lw 2 dt 2 lc rgb '" FIGURE_GREY "' title 'change of level'\n",
            number);
}

static void put_script(FILE *out, const struct history_series_set *set, const char *terminal,
                       const char *font, const char *picture) {
    fputs(gnuplot_preamble, out);
    fprintf(out, "set terminal %s size %d,%zu%s font \"%s,12\" noenhanced background rgb 'white'\n",
            terminal, WIDTH, PANEL * set->count, strcmp(terminal, "svg") == 0 ? " dynamic" : "",
            font);
    fputs("set output ", out);
    gnuplot_put_string(out, picture);
    fputs("\nset key bmargin right horizontal maxrows 1\nset lmargin 16\nset rmargin 4\nset "
          "tmargin 5\nset format y \"%.6g\"\nset samples 2\n",
          out);
    for (size_t i = 0; i < set->count; i++)
        put_data(out, &set->list[i], i);
    fprintf(out, "set multiplot layout %zu,1\n", set->count);
    for (size_t i = 0; i < set->count; i++)
        put_panel(out, &set->list[i], i);
    fputs("unset multiplot\nunset output\n", out);
}

/* The folder of the file. */
static int folder_of(const char *file, char folder[PATH_MAX]) {
    const char *slash = strrchr(file, '/');
    const int length = slash ? (int)(slash - file) + (slash == file) : 1;
    return snprintf(folder, PATH_MAX, "%.*s", length, slash ? file : ".") < PATH_MAX
               ? 0
               : error("%.200s...: the path is too long", file);
}

/* gnuplot writes beside the file, under names that need no quotes. */
int history_figure(const struct history_series_set *set, const char *file) {
    const bool png = history_figure_kind(file) == HISTORY_PNG;
    char folder[PATH_MAX], name[64], path[PATH_MAX], script_path[PATH_MAX];
    struct file script;
    snprintf(name, sizeof name, ".history.%ld.%s", (long)getpid(), png ? "png" : "svg");
    if (folder_of(file, folder) < 0 || files_join(path, folder, name) < 0)
        return -1;
    const char *const pictures[] = {name, NULL};
    char script_name[80];
    snprintf(script_name, sizeof script_name, "%s.gp", name);
    if (files_join(script_path, folder, script_name) < 0 ||
        file_open(&script, folder, script_name) < 0)
        return -1;
    put_script(script.stream, set, png ? "pngcairo" : "svg",
               png ? "DejaVu Sans" : "DejaVu Sans,Arial,sans-serif", name);
    if (file_commit(&script) < 0)
        return -1;
    int status = gnuplot_draw(folder, script_name, pictures);
    if (status == 0 && rename(path, file) < 0)
        status = error("%s: cannot rename the finished figure: %s", file, strerror(errno));
    unlink(script_path);
    unlink(path);
    return status;
}
