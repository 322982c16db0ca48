/* `gemmgate factors`: from one number to another, step by step. A step is a list of pairs
 * (reports/pairs), one a shape; what it changes is the list of their differences. */
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

/* A ratio with its two 95 % intervals: what other visits of the same shapes would show, and what
 * other shapes would. NaN ends where there is none. */
struct factors_value {
    double ratio, low, high, shapes_low, shapes_high;
};

struct factors_step {
    /* As the file says: */
    char name[RUNDIR_NAME], says[RUNDIR_TEXT], run[PATH_MAX];
    char mode[RUNDIR_NAME], lens[RUNDIR_NAME], library[RUNDIR_NAME];
    int mean, refused; /* enum factors_mean, factors_refused */
    /* As factors_make finds: */
    struct factors_value level;  /* t_library / t_kernel */
    struct factors_value change; /* level over that of the step before; NaN of the first */
    double share;                /* of ln(last level / first level) that the change makes */
    size_t shapes;               /* in the mean */
    size_t alone;                /* that all other steps have and this one lacks */
    size_t visits;
};

struct factors_chain {
    char title[RUNDIR_TEXT]; /* "" where none is given */
    struct factors_step *steps;
    size_t count;           /* 2 or more */
    size_t shapes, refused; /* that all steps have; of these, refused by any of the runs */
};

/* An INI file, a section a step, as reports/README.md shows it. 0, or -1 after error() that names
 * file and line. */
int factors_file_read(const char *path, struct factors_chain *chain);
void factors_chain_free(struct factors_chain *chain);

/* rows[i] are those of chain->steps[i].run, complete, with one kernel on each shape. 0, or -1 after
 * error(): a run without such ratios, or with several kernels; refused kernels to be counted that
 * the run has not timed; no shape that all steps have. */
int factors_make(struct factors_chain *chain, const struct rows *rows);

/* A section for each file. Into the folder: factors.md, factors.html, and for each STEM.ini
 * factors-STEM.csv, factors-STEM.png and factors-STEM.svg. A page without a picture is one all the
 * same: gnuplot may be missing. Returns an exit status; when that is EXIT_PASS, *page is the
 * caller's. */
int factors_page_make(const char *const *files, size_t count, const char *folder,
                      struct document **page);

#endif
