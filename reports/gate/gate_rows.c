/* Which rows there are: those of kernels that were timed, refused or not built, and those of kernels that
 * are gone. */
#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"

bool gate_was_timed(const struct rows *rows, const char *mode, const char *lens) {
    for (size_t i = 0; i < rows->time_count; i++)
        if (strcmp(rows->times[i].mode, mode) == 0 && strcmp(rows->times[i].lens, lens) == 0)
            return true;
    return false;
}

/* What the queries are asked: the one row of a table. */
struct asked {
    const char *run_set, *base_set, *policy_mode, *policy_lens, *library, *plan;
    double stored, comparable, compares, unrecorded_allowed;
};

static const struct rows_column asked_columns[] = {
    QUERY_TEXT(asked, run_set),     QUERY_TEXT(asked, base_set),
    QUERY_TEXT(asked, policy_mode), QUERY_TEXT(asked, policy_lens),
    QUERY_TEXT(asked, library),     QUERY_TEXT(asked, plan),
    QUERY_NUMBER(asked, stored),    QUERY_NUMBER(asked, comparable),
    QUERY_NUMBER(asked, compares),  QUERY_NUMBER(asked, unrecorded_allowed)};
static const struct rows_file asked_file = QUERY_ROWS("asked", asked, asked_columns);

static void load(sqlite3 *db, const char *name, const struct rundir *run, enum rows_kind kind) {
    size_t count;
    const void *rows = rows_of(&run->rows, kind, &count);
    query_add(db, &rows_files[kind], name, rows, count);
}

void gate_rows_load(const struct gate *gate, sqlite3 *db) {
    const struct gate_policy *policy = gate->call.policy;
    char *plan = json_dumps(gate->run.plan ? gate->run.plan : json_null(), JSON_ENCODE_ANY);
    const struct asked asked = {.run_set = gate->run.about.set,
                                .base_set = gate->base.run.about.set,
                                .policy_mode = policy->mode,
                                .policy_lens = policy->lens,
                                .library = gate->library ? gate->library : "",
                                .plan = plan,
                                .stored = gate->base.stored,
                                .comparable = gate->base.comparable,
                                .compares = gate->compares,
                                .unrecorded_allowed = policy->unrecorded_allowed};
    load(db, "run", &gate->run, ROWS_CHECKS);
    load(db, "run", &gate->run, ROWS_TIMES);
    load(db, "run", &gate->run, ROWS_CONDITIONS);
    load(db, "confirm", &gate->confirm, ROWS_CHECKS);
    load(db, "confirm", &gate->confirm, ROWS_CONDITIONS);
    load(db, "base", &gate->base.run, ROWS_CHECKS);
    query_add_pairs(db, "run", &gate->run.speeds);
    query_add_pairs(db, "base", &gate->base.run.speeds);
    query_add(db, &asked_file, "", &asked, 1);
    query_next(query_ask(db, query_gate_judged, NULL));
    query_next(query_ask(db, query_gate_units, NULL));
    free(plan);
}

static void take_judged(struct gate *gate, sqlite3 *db) {
    for (sqlite3_stmt *row = query_ask(db, "SELECT mode, lens FROM judged", NULL);
         query_next(row);) {
        if (gate->judged_count == GATE_JUDGED)
            continue;
        struct gate_judged *judged = &gate->judged[gate->judged_count++];
        snprintf(judged->mode, sizeof judged->mode, "%s", query_text(row, "mode"));
        snprintf(judged->lens, sizeof judged->lens, "%s", query_text(row, "lens"));
    }
}

void gate_add_evidence(struct gate *gate, const struct pair *screening, bool must, double margin,
                       const struct pair *stored) {
    gate->evidence = need_more(gate->evidence, gate->evidence_count, sizeof *gate->evidence);
    gate->evidence[gate->evidence_count++] = (struct gate_evidence){
        .screening = screening,
        .confirming = pairs_find(&gate->confirm.speeds, screening, screening->reference),
        .stored = stored,
        .margin = margin,
        .row = gate->count - 1,
        .must = must};
}

/* Holds the row against the earlier kernel; false where the policy asks for device work that bounds it,
 * and there is none. */
static bool compare(struct gate *gate, const struct pair *screening, const struct pair *stored) {
    struct gate_row *row = &gate->rows[gate->count - 1];
    const struct gate_known *known =
        gate_policy_known(gate->call.policy, row->shape, row->candidate);
    if (screening->unrecorded && !row->unrecorded && !gate->call.policy->unrecorded_allowed) {
        snprintf(row->text, sizeof row->text,
                 "no device work on the stage, of the calls that were timed, bounds a time by %s",
                 row->lens);
        row->why = GATE_UNBOUNDED;
        return false;
    }
    if (known && known->limit > row->margin)
        row->margin = known->limit;
    row->unrecorded |= screening->unrecorded || (stored && stored->unrecorded);
    row->now = screening;
    row->before = stored;
    gate->compared++;
    gate_add_evidence(gate, screening, false, row->margin, stored);
    return true;
}

/* Adds the row that the answer describes, and what it is held against. */
static void take_row(struct gate *gate, sqlite3_stmt *answer) {
    static const char *const whys[GATE_WHY_COUNT + 1] = {
        "", "not built", "without memory", "untimed", "unbounded", "earlier refused", "gone", NULL};
    const struct shape shape = {(int64_t)query_count(answer, "m"),
                                (int64_t)query_count(answer, "n"),
                                (int64_t)query_count(answer, "k")};
    struct gate_row *row =
        gate_add_row(gate, shape, query_text(answer, "candidate"),
                     (enum gate_status)words_find(gate_status_words, query_text(answer, "status")));
    snprintf(row->source, sizeof row->source, "%s", query_text(answer, "source"));
    snprintf(row->mode, sizeof row->mode, "%s", query_text(answer, "mode"));
    snprintf(row->lens, sizeof row->lens, "%s", query_text(answer, "lens"));
    snprintf(row->text, sizeof row->text, "%s", query_text(answer, "text"));
    row->why = (enum gate_why)words_find(whys, query_text(answer, "why"));
    row->unrecorded = query_count(answer, "by_call") > 0;
    row->seconds = query_number(answer, "seconds");
    row->visits = query_number(answer, "visits");
    row->visits_seconds = query_number(answer, "visits_seconds");
    row->wall_seconds = row->visits_seconds + query_number(answer, "checks_seconds");
    if (!*row->lens)
        return;
    const struct pair like = pairs_key(shape, row->candidate, "", row->mode, row->lens);
    const char *reference = query_text(answer, "reference");
    const struct pair *screening = pairs_find(&gate->run.speeds, &like, reference);
    const struct pair *stored = pairs_find(&gate->base.run.speeds, &like, reference);
    if (!screening || compare(gate, screening, stored))
        gate_add_must(gate, &like);
}

/* The share of the plan's shapes that are served; of the others some are named. */
static void count_served(struct gate *gate, sqlite3 *db) {
    enum { NAMED = 3 };
    const size_t shapes = json_array_size(json_object_get(gate->run.plan, "shapes"));
    size_t left = 0, at = 0;
    for (sqlite3_stmt *row = query_ask(db, query_gate_unserved, NULL); query_next(row); at++) {
        left = query_count(row, "count");
        if (at < NAMED)
            text_append(gate->unserved, sizeof gate->unserved, "%s%.60s",
                        at == 0          ? ""
                        : at + 1 == left ? " and "
                                         : ", ",
                        query_text(row, "shape"));
    }
    if (left > NAMED)
        text_append(gate->unserved, sizeof gate->unserved, " and %zu other%s", left - NAMED,
                    left - NAMED == 1 ? "" : "s");
    gate->coverage = shapes ? (double)(shapes - left) / (double)shapes : 0;
}

void gate_rows_make(struct gate *gate) {
    sqlite3 *db = query_open();
    gate_rows_load(gate, db);
    take_judged(gate, db);
    for (sqlite3_stmt *row = query_ask(db, query_gate_rows, NULL); query_next(row);)
        take_row(gate, row);
    count_served(gate, db);
    sqlite3_close(db);
    gate->units = json_array_size(json_object_get(gate->run.plan, "units"));
    gate_decide_rows(gate);
}
