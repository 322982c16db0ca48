#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdlib.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/gate/gate_decide.h"
#include "reports/query/query.h"
#include "reports/tables/lines.h"

/* What rows are held against. The caller frees the list. */
static struct gate_evidence *list_evidence(const struct gate *gate, size_t *count) {
    struct gate_evidence *list = NULL;
    *count = 0;
    for (sqlite3_stmt *row = query_ask(gate->db, query_gate_proofs, NULL); query_next(row);) {
        const struct shape shape = {(int64_t)query_count(row, "m"), (int64_t)query_count(row, "n"),
                                    (int64_t)query_count(row, "k")};
        const struct pair like = pairs_key(shape, query_text(row, "candidate"), "",
                                           query_text(row, "mode"), query_text(row, "lens"));
        const char *reference = query_text(row, "reference");
        const bool must = query_count(row, "must") > 0;
        list = need_more(list, *count, sizeof *list);
        list[(*count)++] = (struct gate_evidence){
            .screening = pairs_find(&gate->run.speeds, &like, reference),
            .confirming = pairs_find(&gate->confirm.speeds, &like, reference),
            .stored = must ? NULL : pairs_find(&gate->base.run.speeds, &like, reference),
            .margin = query_number(row, "margin"),
            .row = query_count(row, "row"),
            .must = must};
    }
    return list;
}

/* What the visits that decide say by another lens, against the same reference. */
static double ratio_by(const struct gate *gate, const struct gate_evidence *evidence,
                       bool confirmed, const char *lens) {
    const struct pair *by = evidence->screening;
    const struct pair like = pairs_key(by->shape, by->candidate, by->reference, by->mode, lens);
    const struct pair *now =
        pairs_find(confirmed ? &gate->confirm.speeds : &gate->run.speeds, &like, like.reference);
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
static void weigh(struct gate *gate) {
    size_t count;
    struct gate_evidence *list = list_evidence(gate, &count);
    struct gate_decision *decisions = need(count, sizeof *decisions);
    struct shown *shown = need(count, sizeof *shown);
    if (!gate->compares)
        gate_decide(list, count, gate->call.policy->alpha, decisions);
    for (size_t i = 0; i < count; i++) {
        if (gate->compares)
            decisions[i] = (struct gate_decision){
                .is = estimate_over(list[i].screening, list[i].stored), .p = NAN};
        gate->suspects += decisions[i].suspect;
        shown[i] = show(gate, &list[i], &decisions[i]);
    }
    query_add(gate->db, shown_file(), "", shown, count);
    free(shown);
    free(decisions);
    free(list);
}

void gate_rows_make(struct gate *gate) {
    gate->units = json_array_size(json_object_get(gate->run.plan, "units"));
    gate_load(gate);
    query_run(gate->db, query_gate_judged);
    query_run(gate->db, query_gate_units);
    query_run(gate->db, query_gate_served);
    query_run(gate->db, query_gate_rows);
    query_run(gate->db, query_gate_placed);
    weigh(gate);
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
    query_next(query_ask(gate->db, query_gate_warnings, gate_verdict_word(gate->verdict), NULL));
}
