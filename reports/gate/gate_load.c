/* What a gate's queries are asked, and of what. */
#include "reports/gate/gate_rows.h"

#include <stdlib.h>

#include "reports/query/query.h"
#include "reports/tables/runs.h"

/* What the queries are asked, the one row of a table: each column with its value. */
#define ASKED(TEXT, NUMBER, SIZE)                                                                  \
    TEXT(run_set, gate->run.about.set)                                                             \
    TEXT(run_folder, gate->run.folder)                                                             \
    TEXT(run_cards, gate->run.about.cards)                                                         \
    TEXT(run_unfit, gate_run_unfit(&gate->run))                                                    \
    TEXT(run_lacks, lacks(&gate->run, why[0]))                                                     \
    TEXT(confirm_folder, gate->confirm.folder)                                                     \
    TEXT(confirm_unfit, gate_run_unfit(&gate->confirm))                                            \
    TEXT(confirm_lacks, lacks(&gate->confirm, why[1]))                                             \
    TEXT(base_set, base->run.about.set)                                                            \
    TEXT(base_cards, base->run.about.cards)                                                        \
    TEXT(base_lacks, lacks(&base->run, why[2]))                                                    \
    TEXT(base_name, base->name)                                                                    \
    TEXT(base_why, base->why)                                                                      \
    NUMBER(stored, base->stored)                                                                   \
    NUMBER(comparable, base->comparable)                                                           \
    NUMBER(other_card, base->other_card)                                                           \
    NUMBER(compares, gate->compares)                                                               \
    NUMBER(absolute, gate->call.absolute)                                                          \
    NUMBER(units, (double)gate->units)                                                             \
    TEXT(library, gate->library ? gate->library : "")                                              \
    TEXT(plan, plan)                                                                               \
    TEXT(policy_mode, policy->mode)                                                                \
    TEXT(policy_lens, policy->lens)                                                                \
    TEXT(on_undecided,                                                                             \
         gate_undecided_words[gate->call.for_release ? policy->on_release : policy->on_merge])     \
    NUMBER(unrecorded_allowed, policy->unrecorded_allowed)                                         \
    NUMBER(alpha, policy->alpha)                                                                   \
    NUMBER(wanted_coverage, policy->coverage)                                                      \
    NUMBER(most_disturbed, policy->disturbed)                                                      \
    NUMBER(most_undecided, policy->undecided)
QUERY_LIST(asked, "asked", ASKED)

/* Why nothing shows whether the run's files are as they were; NULL where something does. A run that was
 * just measured has digests; one that was stored or given may have lost them. */
static const char *lacks(const struct rundir *run, char why[RUNDIR_TEXT]) {
    return run->folder && digests_lack(run->folder, why, RUNDIR_TEXT) ? why : NULL;
}

void gate_load(const struct gate *gate) {
    const struct gate_policy *policy = gate->call.policy;
    const struct gate_base *base = &gate->base;
    char *plan = json_dumps(gate->run.plan ? gate->run.plan : json_null(), JSON_ENCODE_ANY);
    char why[3][RUNDIR_TEXT];
    const struct asked asked = QUERY_VALUES(ASKED);
    query_add(gate->db, asked_file(), "", &asked, 1);
    gate_load_policy(gate->db, policy);
    free(plan);
}

void gate_load_run(const struct gate *gate, const char *name, const struct rundir *run) {
    static const enum rows_kind kinds[] = {ROWS_CHECKS, ROWS_TIMES, ROWS_CONDITIONS};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t count;
        const void *rows = rows_of(&run->rows, kinds[i], &count);
        query_add(gate->db, &rows_files[kinds[i]], name, rows, count);
    }
    runs_add(gate->db, name, run, NULL);
    runs_add_stated(gate->db, name, run);
    query_add_pairs(gate->db, name, &run->speeds);
}

#define NAME(row, title, member)                                                                   \
    { .name = title, .form = ROWS_TEXT, .offset = offsetof(struct row, member) }
static const struct rows_column class_columns[] = {NAME(gate_class, "class", name),
                                                   QUERY_NUMBER(gate_class, largest),
                                                   QUERY_NUMBER(gate_class, margin)},
                                must_columns[] = {NAME(gate_must, "baseline", baseline),
                                                  QUERY_COLUMN(gate_must, "classes", SIZE,
                                                               classes)},
                                known_columns[] = {NAME(gate_known, "pattern", pattern),
                                                   QUERY_COLUMN(gate_known, "line", SIZE, line),
                                                   QUERY_COLUMN(gate_known, "most", NUMBER, limit)};
static const struct rows_file class_file = QUERY_ROWS("classes", gate_class, class_columns),
                              must_file = QUERY_ROWS("musts", gate_must, must_columns),
                              known_file = QUERY_ROWS("known", gate_known, known_columns);

void gate_load_policy(sqlite3 *db, const struct gate_policy *policy) {
    query_add(db, &class_file, "", policy->classes, policy->class_count);
    query_add(db, &must_file, "", policy->must, policy->must_count);
    query_add(db, &known_file, "", policy->known, policy->known_count);
}
