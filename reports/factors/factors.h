/* `gemmgate factors`: from one number to another, step by step. */
#ifndef REPORTS_FACTORS_FACTORS_H
#define REPORTS_FACTORS_FACTORS_H

#include <limits.h>
#include <stddef.h>

#include "reports/page/document.h"
#include "reports/rows/rows.h"

/* How ratios become one number. */
enum factors_mean {
    FACTORS_PAPER,    /* the arithmetic mean of t_library / t_kernel, as the paper counts */
    FACTORS_GEOMETRIC /* of the robust ratio; of t_library / t_kernel where that is all there is */
};

/* What a kernel counts that any run of the chain refuses. */
enum factors_refused {
    FACTORS_OMIT, /* not at all */
    FACTORS_ONE,  /* 1: the library is used in its place */
    FACTORS_COUNT /* what was measured of it */
};

struct factors_step {
    char name[RUNDIR_NAME], says[RUNDIR_TEXT], run[PATH_MAX];
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME], library[RUNDIR_NAME];
    int mean, refused; /* enum factors_mean, factors_refused */
};

struct factors_chain {
    char title[RUNDIR_TEXT]; /* "" where none is given */
    struct factors_step *steps;
    size_t count; /* 2 or more */
};

/* Which run each step is read from, and how. INI, a section a step:
 *
 *     [defaults]
 *     title = ...                        of the chain; optional
 *     library = cublaslt-autotune-max    what stands here holds for all steps
 *     mode = offline
 *     mean = paper
 *     refused = omit
 *
 *     [published]                        the step's name, on the figure
 *     says = what the release publishes  a few words for the table
 *     run = runs/published               a run directory, from the folder of this file
 *     lens = call
 *     refused = count
 *
 * 0, or -1 after error() that names file and line. */
int factors_file_read(const char *path, struct factors_chain *chain);
void factors_chain_free(struct factors_chain *chain);

/* A ratio with its two 95 % intervals: what other rounds of the same shapes would show, and what
 * other shapes would. NaN ends where there is none. */
struct factors_value {
    double ratio, low, high, shapes_low, shapes_high;
};

struct factors_line {
    struct factors_step step;
    struct factors_value level;  /* t_library / t_kernel */
    struct factors_value change; /* level over that of the step before; NaN of the first */
    double share;                /* of ln(last level / first level) that the change makes */
    size_t shapes;               /* in the mean */
    size_t alone;                /* that all other steps have and this one lacks */
    size_t rounds;
};

struct factors {
    struct factors_line *lines; /* one a step */
    size_t count;
    size_t shapes;  /* that all steps have: what every mean is over, but for refused ones */
    size_t refused; /* of these, by any of the runs */
};

/* rows[i] are those of chain->steps[i].run, complete, with one kernel on each shape. Both stay the
 * caller's and are kept as long as factors is used.
 *
 * A level is the mean of the shapes' pairs: of ln ratio, or of t_library / t_kernel, which by the
 * delta method is that of ln ratio in which a shape counts as much as it adds to the sum. A change
 * is the mean of the differences of pairs, shape by shape and, where both steps have as many
 * rounds, round by round; else its interval over rounds is that of two independent levels.
 * Variances are those behind the rows' intervals; those of a change, which no row has, are
 * moderated among each other.
 *
 * 0, or -1 after error(): a run without such ratios, or with several kernels; refused kernels to be
 * counted that the run has not timed; no shape that all steps have. */
int factors_make(const struct factors_chain *chain, const struct rows *rows,
                 struct factors *factors);
void factors_free(struct factors *factors);

/* A section for each file. Into the folder: factors.md, factors.html, and for each STEM.ini
 * factors-STEM.csv, factors-STEM.png and factors-STEM.svg. A page without a picture is one all the
 * same: gnuplot may be missing. Returns an exit status; when that is EXIT_PASS, *page is the
 * caller's. */
int factors_page_make(const char *const *files, size_t count, const char *folder,
                      struct document **page);

#endif
