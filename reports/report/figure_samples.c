#include "reports/report/figure_samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/page/gnuplot.h"
#include "reports/report/figure_parts.h"

/* More points of an arm are thinned: the eye cannot tell them apart. */
enum { MOST_POINTS = 600 };

static bool is_of(const struct time_row *row, const struct samples *samples) {
    return strcmp(row->mode, samples->mode) == 0 && strcmp(row->lens, samples->lens) == 0;
}

static size_t column_of(const struct samples *samples, const char *kernel) {
    size_t column = 0;
    while (column < samples->column_count && strcmp(samples->columns[column], kernel) != 0)
        column++;
    return column;
}

/* Writes time in microseconds, height, and 1 for the candidate. Within a row the first block is at
 * the top and the last at the bottom. */
static void put_arm(FILE *data, const struct samples *samples, size_t column, size_t place,
                    bool candidate) {
    const size_t every = samples->blocks / MOST_POINTS + 1;
    for (size_t block = 0; block < samples->blocks; block += every) {
        const double seconds = samples->values[block * samples->column_count + column];
        if (seconds > 0)
            fprintf(data, "%.6g %.6g %d\n", 1e6 * seconds,
                    (double)place - 0.35 + 0.7 * (double)block / (double)samples->blocks,
                    candidate);
    }
}

int figure_samples(const char *folder, struct figure *figure, const struct rows *rows,
                   const struct samples *samples) {
    struct figure_sheets sheets;
    size_t arms = 0;
    if (figure_sheets_open(&sheets, folder, figure->name) < 0)
        return -1;
    FILE *out = sheets.script.stream, *data = sheets.data.stream;
    figure_put_terminals(out, figure->name);
    figure_put_title(out, "set title ", figure,
                     "in a row the first block is at the top, the last at the bottom");
    fputs("set ytics scale 0 (", out);
    fputs("# time in us, row, 1 of the candidate\n", data);
    for (size_t i = 0; i < rows->time_count; i++) {
        const struct time_row *row = &rows->times[i];
        const size_t column = column_of(samples, row->kernel);
        if (!is_of(row, samples) || column == samples->column_count)
            continue;
        fputs(arms ? ", " : "", out);
        gnuplot_put_string(out, row->kernel);
        fprintf(out, " %zu", arms);
        put_arm(data, samples, column, arms++, strcmp(row->kernel, figure->candidate) == 0);
    }
    fprintf(out,
            ")\nset yrange [%.9g:-0.6]\nset logscale x\nset xlabel \"time, µs, on a logarithmic "
            "axis\"\nset bmargin 6\nset grid x\nplot ",
            (double)arms - 0.4);
    for (int candidate = 0; candidate < 2; candidate++) {
        fputs(candidate ? ", \\\n  " : "", out);
        gnuplot_put_string(out, figure->name);
        fprintf(out,
                ".'.dat' using ($3==%d ? $1 : 1/0):2 with points pt 7 ps 0.35 lc rgb '%s' notitle",
                candidate, candidate ? FIGURE_CANDIDATE : FIGURE_LIBRARY);
    }
    fputs("\nunset output\n}\n", out);
    return figure_sheets_commit(&sheets) < 0 ? -1 : figure_draw(folder, figure);
}
