/* Figures 1 and 3: gnuplot scripts and their data, rendered to PNG and SVG. */
#ifndef REPORTS_FIGURES_H
#define REPORTS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/rundir.h"
#include "reports/tables.h"

struct figure {
    char candidate[RUNDIR_NAME];
    char name[2 * RUNDIR_NAME]; /* file name without .gp, .dat, .png, .svg */
    char title[3 * RUNDIR_NAME];
    bool drawn; /* the pictures are there */
};

/* Writes NAME.gp and NAME.dat for figure1-CANDIDATE (bars: mean speedup over the main baselines)
 * and figure3-CANDIDATE (speedup over the strongest baseline against log2(M*N*K)) into the folder
 * and runs gnuplot on them. table is Table 1 of the rows and the lens; where names what was
 * measured on and how, for the titles. *figures (*count of them) is the caller's to free, also on
 * failure. 0, or -1 after error(), which a missing gnuplot is too: then the scripts are there and
 * nothing is drawn. */
int figures_make(const char *folder, const struct rows *rows, const char *lens,
                 const struct table *table, const char *where, struct figure **figures,
                 size_t *count);

/* The main baseline that Figure 3 compares with: the strongest of those in the table for the
 * candidate. NULL if the candidate is in no line. */
const char *figures_strongest(const struct table *table, const char *candidate);

#endif
