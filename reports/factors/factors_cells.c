#include "reports/factors/factors_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"

static int compare_shapes(const void *left, const void *right) {
    return shape_compare(*(const struct shape *)left, *(const struct shape *)right);
}

static bool is_of(const struct factors_step *step, const struct ratio_row *row) {
    return strcmp(row->baseline, step->library) == 0 && strcmp(row->mode, step->mode) == 0 &&
           strcmp(row->lens, step->lens) == 0;
}

static bool is_round_of(const struct factors_step *step, const struct round_row *row) {
    return strcmp(row->baseline, step->library) == 0 && strcmp(row->mode, step->mode) == 0 &&
           strcmp(row->lens, step->lens) == 0;
}

/* Its outcome as a kernel under test; other rows of checks are the libraries'. */
static bool is_kernel(const struct check_row *row) {
    return *row->candidate && strcmp(row->kernel, row->candidate) == 0;
}

/* The one kernel that the step's run has ratios of. NULL after error(). */
static const char *find_kernel(const struct factors_step *step, const struct rows *rows) {
    const char *found = NULL;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (!is_of(step, row))
            continue;
        if (found && strcmp(found, row->candidate) != 0) {
            error("[%s]: %s has kernels of several names, %s and %s; a step wants one on each "
                  "shape",
                  step->name, step->run, found, row->candidate);
            return NULL;
        }
        found = row->candidate;
    }
    if (!found)
        error("[%s]: %s has no ratio to %s by %s, %s", step->name, step->run, step->library,
              step->lens, step->mode);
    return found;
}

/* NaN where neither is known. */
static double value_of(const struct factors_step *step, double ratio, double speedup) {
    const double quotient = speedup > -1 ? 1 + speedup : NAN;
    if (step->mean == FACTORS_PAPER)
        return quotient;
    return log(ratio > 0 ? ratio : quotient);
}

/* Sorts and keeps each once; returns how many are left. */
static size_t keep_once(struct shape *shapes, size_t count) {
    size_t kept = 0;
    qsort(shapes, count, sizeof *shapes, compare_shapes);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || shape_compare(shapes[kept - 1], shapes[i]) != 0)
            shapes[kept++] = shapes[i];
    return kept;
}

static void list_shapes(const struct factors_chain *chain, const struct rows *rows,
                        struct factors_cells *cells) {
    size_t room = 0, count = 0;
    for (size_t s = 0; s < chain->count; s++)
        room += rows[s].ratio_count + rows[s].check_count;
    cells->shapes = need(room, sizeof *cells->shapes);
    for (size_t s = 0; s < chain->count; s++) {
        for (size_t i = 0; i < rows[s].ratio_count; i++)
            if (is_of(&chain->steps[s], &rows[s].ratios[i]))
                cells->shapes[count++] = rows[s].ratios[i].shape;
        for (size_t i = 0; i < rows[s].check_count; i++)
            if (is_kernel(&rows[s].checks[i]))
                cells->shapes[count++] = rows[s].checks[i].shape;
    }
    cells->count = keep_once(cells->shapes, count);
}

static struct factors_cell *find_cell(struct factors_cells *cells, size_t step,
                                      struct shape shape) {
    const struct shape *at =
        bsearch(&shape, cells->shapes, cells->count, sizeof *cells->shapes, compare_shapes);
    return &cells->cells[step * cells->count + (size_t)(at - cells->shapes)];
}

/* The rounds, moved so that their mean is the row's own value: that is over all blocks. */
static void centre(struct factors_cell *cell) {
    double sum = 0, known = 0;
    for (size_t r = 0; r < cell->rounds; r++)
        if (!isnan(cell->x[r])) {
            sum += cell->x[r];
            known++;
        }
    for (size_t r = 0; r < cell->rounds; r++)
        cell->x[r] += cell->value - sum / known;
    if (known > 0)
        return;
    cell->x[0] = cell->value;
    cell->rounds = 1;
}

/* The variance of a pair's visits, on the scale of the value: of a quotient by the delta method. */
static void put_variance(const struct factors_step *step, const struct pair *pair,
                         struct factors_cell *cell) {
    cell->variance = pair->used;
    if (step->mean == FACTORS_PAPER)
        cell->variance.variance *= cell->value * cell->value;
}

static int put_variances(const struct factors_step *step, const struct rows *rows, size_t s,
                         struct factors_cells *cells) {
    struct pairs pairs;
    if (pairs_take(step->run, rows, PAIRS_SHOWN, &pairs) < 0)
        return -1;
    for (size_t i = 0; i < pairs.count; i++) {
        const struct pair *pair = &pairs.list[i];
        if (strcmp(pair->reference, step->library) == 0 && strcmp(pair->mode, step->mode) == 0 &&
            strcmp(pair->lens, step->lens) == 0)
            put_variance(step, pair, find_cell(cells, s, pair->shape));
    }
    pairs_free(&pairs);
    return 0;
}

static void fill_step(const struct factors_step *step, const struct rows *rows, size_t s,
                      struct factors_cells *cells) {
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (!is_of(step, row))
            continue;
        struct factors_cell *cell = find_cell(cells, s, row->shape);
        cell->value = value_of(step, row->ratio, row->speedup);
        cell->valued = isfinite(cell->value);
    }
    for (size_t i = 0; i < rows->round_count; i++) {
        const struct round_row *row = &rows->rounds[i];
        if (!is_round_of(step, row) || !(row->round >= 0 && row->round < PAIRS_VISITS))
            continue;
        struct factors_cell *cell = find_cell(cells, s, row->shape);
        const size_t r = (size_t)row->round;
        cell->x[r] = value_of(step, row->ratio, row->speedup);
        cell->rounds = r + 1 > cell->rounds ? r + 1 : cell->rounds;
    }
    for (size_t i = 0; i < rows->check_count; i++)
        if (is_kernel(&rows->checks[i]))
            find_cell(cells, s, rows->checks[i].shape)->refused |= rows_refused(&rows->checks[i]);
    for (size_t i = 0; i < cells->count; i++)
        if (cells->cells[s * cells->count + i].valued)
            centre(&cells->cells[s * cells->count + i]);
}

int factors_cells_make(const struct factors_chain *chain, const struct rows *rows,
                       struct factors_cells *cells) {
    *cells = (struct factors_cells){0};
    for (size_t s = 0; s < chain->count; s++)
        if (!find_kernel(&chain->steps[s], &rows[s]))
            return -1;
    list_shapes(chain, rows, cells);
    const size_t all = chain->count * cells->count;
    int status = 0;
    cells->cells = need(all, sizeof *cells->cells);
    for (size_t i = 0; i < all; i++) {
        cells->cells[i].variance = (struct moderation){NAN, 0};
        for (size_t r = 0; r < PAIRS_VISITS; r++)
            cells->cells[i].x[r] = NAN;
    }
    for (size_t s = 0; s < chain->count && status == 0; s++) {
        fill_step(&chain->steps[s], &rows[s], s, cells);
        status = put_variances(&chain->steps[s], &rows[s], s, cells);
    }
    if (status < 0)
        factors_cells_free(cells);
    return status;
}

void factors_cells_free(struct factors_cells *cells) {
    free(cells->shapes);
    free(cells->cells);
    *cells = (struct factors_cells){0};
}
