/* Figures 1, 3, 4 and 5: gnuplot scripts and their data, rendered to PNG and SVG. */
#ifndef REPORTS_PAGE_FIGURES_H
#define REPORTS_PAGE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/run/rundir.h"
#include "reports/tables/published.h"
#include "reports/tables/tables.h"

struct figure {
    char candidate[RUNDIR_NAME], lens[RUNDIR_NAME];
    char name[3 * RUNDIR_NAME]; /* file name without .gp, .dat, .png, .svg */
    char title[3 * RUNDIR_NAME];
    bool drawn; /* the pictures are there */
};

/* Writes NAME.gp and NAME.dat into the folder and runs gnuplot on them, for every candidate of
 * Table 1, which table is:
 *   figure1-CANDIDATE  bars: mean speedup over the main baselines
 *   figure3-CANDIDATE  speedup over the strongest baseline against log2(M*N*K)
 *   figure4-CANDIDATE  its and that baseline's time over the speed of light, where the run knows
 *                      it: offline, by the lens device where there, else call
 *   figure5-CANDIDATE  speedup over the strongest baseline there (published) and here, shape by
 *                      shape
 * Of 1, 3 and 5 there is one a lens; -LENS is appended to the names of all but call. where names
 * what was measured on and how, for the titles. *figures (*count of them) is the caller's to free,
 * also on failure. 0, or -1 after error(), which a missing gnuplot is too: then the scripts are
 * there and nothing is drawn. */
int figures_make(const char *folder, const struct rows *rows, const struct table *table,
                 const struct published *published, const char *where, struct figure **figures,
                 size_t *count);

/* The main baseline that Figures 3 and 4 compare with: the strongest of those in the table for the
 * candidate and lens. NULL if there is none. */
const char *figures_strongest(const struct table *table, const char *candidate, const char *lens);

#endif
