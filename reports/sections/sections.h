/* A report as a page. Its sections are templates (query.h), NAME.md: prose with what queries say of the
 * database. */
#ifndef REPORTS_SECTIONS_SECTIONS_H
#define REPORTS_SECTIONS_SECTIONS_H

#include "reports/tables/agree.h"
#include "reports/tables/claims.h"
#include "reports/tables/runs.h"

/* What the database calls the run of published numbers (gemmgate import), or of others. */
#define SECTIONS_PUBLISHED "(published)"

/* Adds the report's run, whose rows are loaded and whose pairs are taken (rundir_speeds), to `runs`, and what queries
 * ask of it beside: its lines, its ratios to the reference library (`against`), and what its controls say. Judges the
 * claims (claims_judge), for which what was published is loaded before. Makes `agreement` (agree_load), which is
 * empty. */
void sections_load(sqlite3 *db, const char *name, const struct rundir *run,
                   const struct runs_asked *asked, const struct claims *claims);

/* The page of the run, beside which those of `agree` stand (agree_add_lines). The caller frees. */
struct document *sections_make(sqlite3 *db, const char *run, const struct agree *agree);

/* The tables of every shape, one for each line that leads. */
void sections_shapes(struct document *page, sqlite3 *db, const char *run);

#endif
