/* What the figures of a report share: titles, axes, bins and panels. */
#ifndef REPORTS_REPORT_FIGURE_PARTS_H
#define REPORTS_REPORT_FIGURE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "reports/page/figure_axes.h"
#include "reports/sections/sections.h"

enum { FIGURE_MODES = 8 };

/* gnuplot's point of a mode: modes that share a panel differ by it. */
int figure_point(size_t mode);

/* A line of data left of every axis: gnuplot counts no block that is empty, and the next one would
 * take its number. */
#define FIGURE_OUTSIDE "-9 0"

/* Intervals are drawn where there are fewer points than this. */
enum { FIGURE_INTERVALS_BELOW = 200 };

/* What all figures of a run are drawn from. */
struct figure_source {
    const char *folder, *where;
    const struct rows *rows;
    const struct table *table;
    const struct published *published;
};

/* One shape: x = log2(M*N*K), y = t_baseline / t_candidate in Figure 3, time over the speed of
 * light in Figure 4. */
struct figure_point {
    double x, y;
};

/* Whether the line is the figure's candidate by the figure's lens. */
bool figure_has_line(const struct table_line *line, const struct figure *figure);

/* The modes of the figure's lines, in the table's order. */
size_t figure_modes(const struct table *table, const struct figure *figure,
                    const char *modes[FIGURE_MODES]);

/* NUMBER-CANDIDATE with nothing in it that a file name or Markdown link could stumble over, and
 * -PART where that is not call. */
void figure_name(struct figure *figure, const char *number, const char *part);

/* Runs gnuplot on NAME.gp inside the folder and sets `drawn`. 0, or -1 after error(). */
int figure_draw(const char *folder, struct figure *figure);

/* The title, and below it where the numbers are from, broken into lines that fit the picture. */
void figure_put_title(FILE *out, const char *command, const struct figure *figure,
                      const char *below);

/* Ends a block of `count` shapes with the block of their bins. */
void figure_put_end(FILE *data, struct figure_point *points, size_t count, double *scratch);

void figure_put_x_axis(FILE *out, struct figure_range x);

/* A logarithmic axis of multiples that begins a little below the least. */
void figure_put_times_axis(FILE *out, struct figure_range y);

const char *figure_point_size(size_t shapes);

/* The panel's title, and the beginning of its plot up to the figure's name. */
void figure_begin_panel(FILE *out, const struct figure *figure, const char *mode, size_t shapes);

/* The figures, each as a script and its data in the folder. 0, or -1 after error(). */

/* Figure 1. */
int figure_libraries(const struct figure_source *source, const struct figure *figure);

/* Figure 3. */
int figure_scatter(const struct figure_source *source, const struct figure *figure);

/* Figure 4, and whether the run can have it of the candidate by the lens. */
int figure_light(const struct figure_source *source, const struct figure *figure);
bool figure_has_light(const struct figure_source *source, const struct figure *figure);

/* Figure 5: a line a mode. */
int figure_published(const struct figure_source *source, const struct figure *figure,
                     const struct published_line *const *lines, size_t count);

#endif
