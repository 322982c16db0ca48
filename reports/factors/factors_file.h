/* The file that says a chain of steps from one number to another: which run each step is read from,
 * and how. INI, a section a step:
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
 *     refused = count */
#ifndef REPORTS_FACTORS_FACTORS_FILE_H
#define REPORTS_FACTORS_FACTORS_FILE_H

#include <limits.h>
#include <stddef.h>

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

/* 0, or -1 after error() that names file and line. */
int factors_file_read(const char *path, struct factors_chain *chain);
void factors_chain_free(struct factors_chain *chain);

#endif
