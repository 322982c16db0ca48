/* Runs of one plan on several cards of one model, put together. An interval over visits holds for
 * the card that was measured; by how much cards differ only cards can tell. */
#ifndef REPORTS_TABLES_CARDS_H
#define REPORTS_TABLES_CARDS_H

#include "reports/page/document.h"
#include "reports/pairs/estimate.h"
#include "reports/query/query.h"
#include "reports/run/opened.h"
#include "timing/agreement.h"

/* A ratio that all runs have. */
struct cards_cell {
    struct shape shape;
    double half;         /* half-width of the first run's interval of ln ratio */
    double *x;           /* of each card ln(t_reference / t_candidate), the mean of its runs */
    struct spread error; /* of their mean, by the visits alone */
};

/* The ratios of one candidate, reference, mode and lens, and of one size class. */
struct cards_group {
    const char *candidate, *reference, *mode, *lens, *sizes; /* kept (kept_text.h) */
    const struct cards_cell *cells;
    size_t shapes;
    struct cards_effect effect;
    double visits;     /* the variance of a card's value by its visits alone */
    double card_sd;    /* by how much a shape differs between cards, beyond its visits */
    double common_sd;  /* the part of that which all shapes share; NaN: of one shape */
    double half_card;  /* half-widths of the 95 % interval of a shape: on the first run's card, */
    double half_model; /* and of the mean over cards, for cards of the model. Both are means over
                        * shapes. The latter is never less than the visits of all cards let expect,
                        * which few cards may by chance seem to be closer than. */
};

struct cards {
    size_t count; /* different cards; below 2 there is nothing else */
    struct cards_group *groups;
    size_t group_count;
    struct cards_cell *cells; /* sorted as groups are, in a group by shape */
    size_t cell_count;
    const struct rundir *runs;
    size_t *card; /* of each run: which one has measured it */
    size_t run_count;
    double *x; /* of the cells, and room for as many more */
};

/* The ratios of runs, which are read, as a database; each run is called by its number, "00000000". The
 * caller ends it with sqlite3_close. */
sqlite3 *cards_ratios(const struct rundir *runs, size_t count);

/* Of runs whose rows are read, and which stay. The caller frees. */
void cards_make(const struct rundir *runs, size_t count, struct cards *cards);
void cards_free(struct cards *cards);

/* Of the candidate, reference, mode and lens of `like`: the geometric mean over the shapes that all
 * cards have, and over cards, with its 95 % interval for cards of the model: Student's t over as
 * many means as there are cards, and never less than the visits of all let expect. NaN where there
 * are none. It looks at the runs' visits. */
struct estimate cards_mean(const struct cards *cards, const struct pair *like);

/* A table by mode, lens and size class, against the reference library (reference.h). */
void cards_fill(struct document *page, const struct cards *cards);

#endif
