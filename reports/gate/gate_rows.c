#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/gate/gate_decide.h"
#include "reports/query/query.h"
#include "reports/tables/lines.h"

/* The size class of a row that was made, and the known regression that covers it. */
#define PLACED(TEXT, NUMBER, SIZE)                                                                 \
    NUMBER(row, number)                                                                            \
    TEXT(class, class->name)                                                                       \
    NUMBER(class_place, (double)(class - policy->classes))                                         \
    NUMBER(ordinary, class->margin)                                                                \
    NUMBER(line, known ? known->line : 0)                                                          \
    NUMBER(most, known ? known->limit : 0)
QUERY_LIST(placed, "placed", PLACED)

/* A baseline that must be beaten: how many rows lack it, and the first of these. */
#define MUST(TEXT, NUMBER, SIZE) TEXT(baseline, ) NUMBER(unmeasured, ) NUMBER(first, )
QUERY_LIST(must, "musts", MUST)

/* What rows are held against, as it is found. */
struct proofs {
    struct gate_evidence *list;
    size_t count;
    struct must musts[GATE_MUST];
};

/* Whether the run has timed the row's kernel beside the reference. */
static bool add_proof(const struct gate *gate, const struct pair *like, const char *reference,
                      struct gate_evidence evidence, struct proofs *proofs) {
    evidence.screening = pairs_find(&gate->run.speeds, like, reference);
    if (!evidence.screening)
        return false;
    evidence.confirming = pairs_find(&gate->confirm.speeds, like, reference);
    evidence.stored =
        evidence.must ? NULL : pairs_find(&gate->base.run.speeds, like, reference);
    proofs->list = need_more(proofs->list, proofs->count, sizeof *proofs->list);
    proofs->list[proofs->count++] = evidence;
    return true;
}

/* Holds the row against the earlier kernel, and against each library that the policy wants it to beat,
 * with a margin of nothing, in one family of tests with the regressions. */
static struct placed take_row(const struct gate *gate, sqlite3_stmt *made, struct proofs *proofs) {
    const struct gate_policy *policy = gate->call.policy;
    const struct shape shape = {(int64_t)query_count(made, "m"), (int64_t)query_count(made, "n"),
                                (int64_t)query_count(made, "k")};
    const char *candidate = query_text(made, "candidate"), *reference = query_text(made, "reference");
    const struct pair like =
        pairs_key(shape, candidate, "", query_text(made, "mode"), query_text(made, "lens"));
    const struct gate_class *class = gate_policy_class(policy, shape);
    const struct gate_known *known = gate_policy_known(policy, shape, candidate);
    const double number = query_number(made, "row");
    if (*reference)
        add_proof(gate, &like, reference,
                  (struct gate_evidence){.row = (size_t)number,
                                         .margin = known ? fmax(known->limit, class->margin)
                                                         : class->margin},
                  proofs);
    for (size_t i = 0; i < policy->must_count && query_count(made, "timed"); i++) {
        struct must *must = &proofs->musts[i];
        if (gate_policy_must(policy, must->baseline, class->name) &&
            !add_proof(gate, &like, must->baseline,
                       (struct gate_evidence){.row = (size_t)number, .must = true}, proofs) &&
            must->unmeasured++ == 0)
            must->first = number;
    }
    return (struct placed)QUERY_VALUES(PLACED);
}

/* Places the rows that were made, and finds what they are held against. */
static void take_rows(const struct gate *gate, struct proofs *proofs) {
    static const char sql[] = "SELECT rowid AS row, *, lens <> '' AND why <> 'unbounded' AS timed FROM made";
    const struct gate_policy *policy = gate->call.policy;
    struct placed *placed = NULL;
    size_t count = 0;
    for (size_t i = 0; i < policy->must_count; i++)
        proofs->musts[i].baseline = policy->must[i].baseline;
    for (sqlite3_stmt *made = query_ask(gate->db, sql, NULL); query_next(made);) {
        placed = need_more(placed, count, sizeof *placed);
        placed[count++] = take_row(gate, made, proofs);
    }
    query_add(gate->db, placed_file(), "", placed, count);
    query_add(gate->db, must_file(), "", proofs->musts, policy->must_count);
    free(placed);
}

/* What the visits that decide say by another lens, against the same reference. */
static double ratio_by(const struct gate *gate, const struct gate_evidence *evidence,
                       bool confirmed, const char *lens) {
    const struct pair *by = evidence->screening;
    const struct pair like = pairs_key(by->shape, by->candidate, by->reference, by->mode, lens);
    const struct pair *now = pairs_find(confirmed ? &gate->confirm.speeds : &gate->run.speeds,
                                        &like, like.reference);
    const struct pair *before =
        evidence->stored ? pairs_find(&gate->base.run.speeds, &like, like.reference) : NULL;
    return !now || (evidence->stored && !before) ? NAN : estimate_over(now, before).ratio;
}

/* The share of blocks that were disturbed, of the row or of the earlier kernel; NaN where few were. A
 * comparison minds both. */
static double disturbed_in(const struct pair *now, const struct pair *before) {
    return estimate_disturbed(now)                ? now->disturbed
           : before && estimate_disturbed(before) ? before->disturbed
                                                  : NAN;
}

/* What a proof shows. A comparison has no second stage: a row is what its interval shows. A library that
 * must be beaten and is not is no slowdown: the row is behind. */
#define SHOWN(TEXT, NUMBER, SIZE)                                                                  \
    NUMBER(row, (double)evidence->row)                                                             \
    NUMBER(must, evidence->must)                                                                   \
    TEXT(reference, by->reference)                                                                 \
    TEXT(status, gate->compares                                                                    \
                     ? verdict_words[estimate_verdict(is, by, before, evidence->margin)]           \
                 : evidence->must && decision->status == GATE_SLOWER                               \
                     ? "behind"                                                                    \
                     : gate_status_words[decision->status])                                        \
    NUMBER(suspect, decision->suspect)                                                             \
    NUMBER(confirmed, decision->confirmed)                                                         \
    NUMBER(ratio, is->ratio)                                                                       \
    NUMBER(low, is->low)                                                                           \
    NUMBER(high, is->high)                                                                         \
    NUMBER(p, decision->p)                                                                         \
    NUMBER(margin, evidence->margin)                                                               \
    NUMBER(seconds, by->seconds)                                                                   \
    NUMBER(visits, (double)by->visits)                                                             \
    NUMBER(left_out, by->left_out)                                                                 \
    NUMBER(timed_visits, by->timed_visits)                                                         \
    NUMBER(disturbed, disturbed_in(by, before))                                                    \
    NUMBER(device_ratio, ratio_by(gate, evidence, decision->confirmed, "device"))                  \
    NUMBER(call_ratio, ratio_by(gate, evidence, decision->confirmed, "call"))
QUERY_LIST(shown, "evidence", SHOWN)

static struct shown show(const struct gate *gate, const struct gate_evidence *evidence,
                         const struct gate_decision *decision) {
    const struct estimate *is = &decision->is;
    const struct pair *by = decision->confirmed ? evidence->confirming : evidence->screening;
    const struct pair *before = gate->compares ? evidence->stored : NULL;
    return (struct shown)QUERY_VALUES(SHOWN);
}

/* What all evidence says. */
static void weigh(struct gate *gate, const struct proofs *proofs) {
    struct gate_decision *decisions = need(proofs->count, sizeof *decisions);
    struct shown *shown = need(proofs->count, sizeof *shown);
    if (!gate->compares)
        gate_decide(proofs->list, proofs->count, gate->call.policy->alpha, decisions);
    for (size_t i = 0; i < proofs->count; i++) {
        const struct gate_evidence *evidence = &proofs->list[i];
        if (gate->compares)
            decisions[i] = (struct gate_decision){
                .is = estimate_over(evidence->screening, evidence->stored), .p = NAN};
        gate->suspects += decisions[i].suspect;
        shown[i] = show(gate, evidence, &decisions[i]);
    }
    query_add(gate->db, shown_file(), "", shown, proofs->count);
    free(shown);
    free(decisions);
}

void gate_rows_make(struct gate *gate) {
    struct proofs proofs = {0};
    gate->units = json_array_size(json_object_get(gate->run.plan, "units"));
    gate_load(gate);
    query_run(gate->db, query_gate_judged);
    query_run(gate->db, query_gate_units);
    query_run(gate->db, query_gate_served);
    query_run(gate->db, query_gate_rows);
    take_rows(gate, &proofs);
    weigh(gate, &proofs);
    free(proofs.list);
    query_run(gate->db, query_gate_judge);
    query_run(gate->db, query_gate_unfit);
    query_run(gate->db, query_gate_acquit);
    gate->coverage = query_one(gate->db, "SELECT coverage FROM served");
}

void gate_rows_sum(struct gate *gate) {
    query_run(gate->db, query_gate_summed);
    lines_add(gate->db, "gate", &gate->run.speeds,
              gate->base.stored ? &gate->base.run.speeds : NULL);
    query_run(gate->db, query_gate_unknown);
}

void gate_verdict_find(struct gate *gate) {
    sqlite3_stmt *verdict = query_ask(gate->db, query_gate_verdict, NULL);
    query_next(verdict);
    gate->verdict = gate_verdict_of(query_text(verdict, "verdict"));
    text_append(gate->reason, sizeof gate->reason, "%s", query_text(verdict, "reason"));
    sqlite3_finalize(verdict);
    for (sqlite3_stmt *warning =
             query_ask(gate->db, query_gate_warnings, gate_verdict_word(gate->verdict), NULL);
         query_next(warning);)
        if (gate->warning_count < GATE_WARNINGS)
            text_append(gate->warnings[gate->warning_count++], RUNDIR_TEXT, "%s",
                        query_text(warning, "text"));
}
