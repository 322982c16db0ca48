/* How a gate or a comparison is filled, in this order: its runs, the rows that come of them and what
 * each is held against, what became of each, and of a gate the verdict. */
#ifndef REPORTS_GATE_GATE_ROWS_H
#define REPORTS_GATE_GATE_ROWS_H

#include "reports/gate/gate_decide.h"
#include "reports/gate/gate_result.h"
#include "reports/query/query.h"

/* Opens the run of gate->call and what it is compared with; judged: verified against its samples, and
 * with its confirmation, where there is one. 0, or -1 after error(); gate->reason then says it in a
 * sentence. */
int gate_read(struct gate *gate, bool judged);

/* The earlier run that call->against names, for a run of that fingerprint and on those cards ("":
 * not known) that may not be there yet; its set keeps its name. 0, or -1 after error(); base->why
 * then says it in a sentence. */
int gate_base_find(const struct gate_call *call, const struct fingerprint *here, const char *cards,
                   struct gate_base *base);

/* Why the run's controls failed, in words; NULL where they did not. */
const char *gate_run_unfit(const struct rundir *run);

bool gate_was_timed(const struct rows *rows, const char *mode, const char *lens);

/* Adds the rows in the plan's order, units, suspects, coverage and warnings. */
void gate_rows_make(struct gate *gate);

/* Fills a database for gate_rows.sql: what was read, and the tables `asked`, `judged` and `units`. */
void gate_rows_load(const struct gate *gate, sqlite3 *db);

/* Holds the last row against each library that the policy wants it to beat. like: what the row is
 * of. */
void gate_add_must(struct gate *gate, const struct pair *like);

/* Holds the last row against something. stored: of another run; NULL: none. */
void gate_add_evidence(struct gate *gate, const struct pair *screening, bool must, double margin,
                       const struct pair *stored);

/* What all evidence says of the rows, which stand as they were made. */
void gate_decide_rows(struct gate *gate);

/* The first verdict on the whole that holds, in the order of enum gate_verdict. Writes gate->reason,
 * which was "", and adds warnings. The rows are sorted and counted. */
enum gate_verdict gate_verdict_find(struct gate *gate);

#endif
