/* What a gate's queries are asked, and of what. */
#include "reports/gate/gate_rows.h"

#include <stdlib.h>

#include "reports/query/query.h"
#include "reports/run/digests.h"

/* What the queries are asked: the one row of a table. */
struct asked {
    const char *run_set, *base_set, *run_folder, *confirm_folder, *base_name, *base_why, *run_cards,
        *base_cards, *run_unfit, *confirm_unfit, *run_lacks, *confirm_lacks, *base_lacks,
        *policy_mode, *policy_lens, *on_undecided, *library, *plan;
    double stored, comparable, other_card, compares, absolute, unrecorded_allowed, units;
    struct gate_policy policy;
};

static const struct rows_column asked_columns[] = {
    QUERY_TEXT(asked, run_set),
    QUERY_TEXT(asked, base_set),
    QUERY_TEXT(asked, run_folder),
    QUERY_TEXT(asked, confirm_folder),
    QUERY_TEXT(asked, base_name),
    QUERY_TEXT(asked, base_why),
    QUERY_TEXT(asked, run_cards),
    QUERY_TEXT(asked, base_cards),
    QUERY_TEXT(asked, run_unfit),
    QUERY_TEXT(asked, confirm_unfit),
    QUERY_TEXT(asked, run_lacks),
    QUERY_TEXT(asked, confirm_lacks),
    QUERY_TEXT(asked, base_lacks),
    QUERY_TEXT(asked, policy_mode),
    QUERY_TEXT(asked, policy_lens),
    QUERY_TEXT(asked, on_undecided),
    QUERY_TEXT(asked, library),
    QUERY_TEXT(asked, plan),
    QUERY_NUMBER(asked, stored),
    QUERY_NUMBER(asked, comparable),
    QUERY_NUMBER(asked, other_card),
    QUERY_NUMBER(asked, compares),
    QUERY_NUMBER(asked, absolute),
    QUERY_NUMBER(asked, unrecorded_allowed),
    QUERY_NUMBER(asked, units),
    QUERY_COLUMN(asked, "alpha", NUMBER, policy.alpha),
    QUERY_COLUMN(asked, "wanted_coverage", NUMBER, policy.coverage),
    QUERY_COLUMN(asked, "most_disturbed", NUMBER, policy.disturbed),
    QUERY_COLUMN(asked, "most_undecided", NUMBER, policy.undecided)};
static const struct rows_file asked_file = QUERY_ROWS("asked", asked, asked_columns);

static void load(sqlite3 *db, const char *name, const struct rundir *run, enum rows_kind kind) {
    size_t count;
    const void *rows = rows_of(&run->rows, kind, &count);
    query_add(db, &rows_files[kind], name, rows, count);
}

/* Why nothing shows whether the run's files are as they were; NULL where something does. A run that was
 * just measured has digests; one that was stored or given may have lost them. */
static const char *lacks(const struct rundir *run, char why[RUNDIR_TEXT]) {
    return run->folder && digests_lack(run->folder, why, RUNDIR_TEXT) ? why : NULL;
}

static void load_asked(const struct gate *gate) {
    const struct gate_policy *policy = gate->call.policy;
    const struct gate_base *base = &gate->base;
    char *plan = json_dumps(gate->run.plan ? gate->run.plan : json_null(), JSON_ENCODE_ANY);
    char why[3][RUNDIR_TEXT];
    const struct asked asked = {.run_set = gate->run.about.set,
                                .base_set = base->run.about.set,
                                .run_folder = gate->run.folder,
                                .confirm_folder = gate->confirm.folder,
                                .base_name = base->name,
                                .base_why = base->why,
                                .run_cards = gate->run.about.cards,
                                .base_cards = base->run.about.cards,
                                .run_unfit = gate_run_unfit(&gate->run),
                                .confirm_unfit = gate_run_unfit(&gate->confirm),
                                .run_lacks = lacks(&gate->run, why[0]),
                                .confirm_lacks = lacks(&gate->confirm, why[1]),
                                .base_lacks = lacks(&base->run, why[2]),
                                .policy_mode = policy->mode,
                                .policy_lens = policy->lens,
                                .on_undecided = gate_undecided_words[gate->call.for_release
                                                                         ? policy->on_release
                                                                         : policy->on_merge],
                                .library = gate->library ? gate->library : "",
                                .plan = plan,
                                .stored = base->stored,
                                .comparable = base->comparable,
                                .other_card = base->other_card,
                                .compares = gate->compares,
                                .absolute = gate->call.absolute,
                                .unrecorded_allowed = policy->unrecorded_allowed,
                                .units = (double)gate->units,
                                .policy = *policy};
    query_add(gate->db, &asked_file, "", &asked, 1);
    free(plan);
}

static void load_runs(const struct gate *gate) {
    sqlite3 *db = gate->db;
    load(db, "run", &gate->run, ROWS_CHECKS);
    load(db, "run", &gate->run, ROWS_TIMES);
    load(db, "run", &gate->run, ROWS_CONDITIONS);
    load(db, "confirm", &gate->confirm, ROWS_CHECKS);
    load(db, "confirm", &gate->confirm, ROWS_CONDITIONS);
    load(db, "base", &gate->base.run, ROWS_CHECKS);
    query_add_pairs(db, "run", &gate->run.speeds);
    query_add_pairs(db, "base", &gate->base.run.speeds);
}

/* A known regression; whether it is of a kernel of the run. */
struct known {
    const char *pattern;
    double line, matches;
};

static const struct rows_column known_columns[] = {
    QUERY_TEXT(known, pattern), QUERY_NUMBER(known, line), QUERY_NUMBER(known, matches)};
static const struct rows_file known_file = QUERY_ROWS("known", known, known_columns);

static void load_known(const struct gate *gate) {
    const struct gate_policy *policy = gate->call.policy;
    const struct rows *rows = &gate->run.rows;
    query_add(gate->db, &known_file, "", NULL, 0);
    for (size_t i = 0; i < policy->known_count; i++) {
        struct known known = {policy->known[i].pattern, policy->known[i].line, false};
        for (size_t j = 0; j < rows->check_count && !known.matches; j++)
            known.matches = *rows->checks[j].candidate &&
                            gate_known_matches(&policy->known[i], rows->checks[j].shape,
                                               rows->checks[j].candidate);
        query_add(gate->db, &known_file, "", &known, 1);
    }
}

void gate_load(const struct gate *gate) {
    load_asked(gate);
    load_runs(gate);
    load_known(gate);
}
