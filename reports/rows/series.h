/* The samples of one process by one lens, made ready for estimates. Pure: no files.
 *
 * Visits during which the machine was disturbed are in no number: a visit is left out where more
 * than ROWS_DISTURBED_MOST of its blocks were disturbed, as long as more than half of the visits
 * remain. Which they are is told by the GPU's sensors and never by the times, so that leaving them
 * out does not favour anybody.
 *
 * Times of `call` and `wait` are stated at a launch:
 *
 * A call takes t = h + d: h, which its launch takes the host, and d, the rest. Processes launch at
 * different speeds, and each has one speed for all its arms. So a ratio moves from process to
 * process, and from host to host, as far as the two arms' shares h / t differ. g, the geometric mean
 * of h over the libraries of a block, tells the speed. At a launch of L the call takes
 *
 *     t' = t + h (L / g - 1)
 *
 * All libraries are in g: the more, the less does one interrupted launch move it. g is taken block by
 * block, so that a slow moment of the host goes out, too.
 *
 * Times of `device` and `stream` are stated at an empty call: the device's front end begins each call
 * by some 0.1 us sooner or later, in one process as in another, and for all arms alike. e, the median
 * over the blocks of a visit of a call that does nothing, tells it. At an empty call of E the call
 * takes
 *
 *     t' = t - e + E
 *
 * E is one number for all runs, by lens: with each run's own mean two runs would differ by what their
 * processes happened to be like.
 *
 * timing/NOTES.md has the widths and agreements that were measured. timing/README.md says what else
 * moves g. */
#ifndef REPORTS_ROWS_SERIES_H
#define REPORTS_ROWS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/rows/derive_values.h"
#include "reports/rows/layouts.h"

struct series {
    struct samples plain;   /* as measured, with the columns of layouts.h more */
    struct samples stated;  /* the same at the stated launch; where there is none, as measured */
    struct samples doubles; /* the blocks of the first library and its doubles, as measured */
    struct layouts layouts; /* what is in the columns more */
    double launch_seconds;  /* measured: a geometric mean of g, or e; NaN: nothing is stated */
    double wanted;          /* L, or E */
    double *yardsticks;     /* g, or e, of each block */
    int empty;              /* the column of empty calls, which e is made of; -1: there is g */
    int hosts[SAMPLES_COLUMNS]; /* the column of an arm's h, or of e; -1: it has none, or waits */
    bool left_out[SAMPLES_VISITS];
    size_t left_out_count, timed_visits; /* timed_visits: of all, these among them */
    size_t end;                          /* one more than the last of their numbers */
};

/* 0, or -1 after error(). Either way the caller ends it with series_close. */
int series_open(const struct samples *samples, const struct derive_about *about,
                struct series *series);
void series_close(struct series *series);

/* E, in seconds; 0 by lenses that have none. */
extern const double series_empty_seconds[LENS_COUNT];

/* The mean share of the launch in the arm's calls at the stated launch: d ln time / d ln launch. NaN
 * where nothing is stated. */
double series_launch_share(const struct series *series, size_t column);

/* "1 of 12 visits left out: disturbed"; "" where none is. */
#define SERIES_LEFT_OUT_TEXT 80
const char *series_left_out_text(double left_out, double visits, char text[SERIES_LEFT_OUT_TEXT]);

#endif
