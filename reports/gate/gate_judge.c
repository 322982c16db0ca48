#include "reports/gate/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/gate/gate_rows.h"
#include "reports/query/query.h"

static const struct {
    const char *word;
    int exit;
    bool judged; /* it is on the kernels */
} verdicts[GATE_VERDICT_COUNT] = {
    [GATE_INTERRUPTED] = {"interrupted", EXIT_INTERRUPTED, false},
    [GATE_ERROR] = {"error", EXIT_TROUBLE, false},
    [GATE_VERDICT_WRONG] = {"wrong", EXIT_REFUSED, true},
    [GATE_VERDICT_ENVIRONMENT] = {"environment", EXIT_ENVIRONMENT, false},
    [GATE_NOT_COMPARABLE] = {"not-comparable", EXIT_NOT_COMPARABLE, false},
    [GATE_REGRESSION] = {"regression", EXIT_REGRESSION, true},
    [GATE_COVERAGE] = {"coverage", EXIT_REGRESSION, true},
    [GATE_INCONCLUSIVE] = {"inconclusive", EXIT_INCONCLUSIVE, true},
    [GATE_PASS] = {"pass", EXIT_PASS, true},
};

const char *gate_verdict_word(enum gate_verdict verdict) {
    return verdicts[verdict].word;
}

int gate_verdict_exit(enum gate_verdict verdict) {
    return verdicts[verdict].exit;
}

enum gate_verdict gate_verdict_of(const char *word) {
    int verdict = 0;
    while (verdict < GATE_VERDICT_COUNT && strcmp(word, verdicts[verdict].word) != 0)
        verdict++;
    return (enum gate_verdict)verdict;
}

bool gate_verdict_judged(const char *word) {
    const enum gate_verdict verdict = gate_verdict_of(word);
    return verdict < GATE_VERDICT_COUNT && verdicts[verdict].judged;
}

void gate_open(struct gate *gate) {
    gate->db = query_open();
    query_run(gate->db, query_gate_schema);
}

void gate_free(struct gate *gate) {
    rundir_close(&gate->run);
    rundir_close(&gate->confirm);
    rundir_close(&gate->base.run);
    sqlite3_close(gate->db);
    *gate = (struct gate){0};
}

void gate_judge(const struct gate_call *call, struct gate *gate) {
    *gate = (struct gate){.call = *call, .verdict = GATE_ERROR};
    gate_open(gate);
    if (gate_read(gate, true) < 0)
        return;
    gate_rows_make(gate);
    gate_verdict_find(gate);
    gate_rows_sum(gate);
}

int gate_foresee(const struct gate_call *call, const struct fingerprint *here) {
    struct gate_base base;
    const int status = gate_base_find(call, here, "", &base);
    if (status == 0 && !base.comparable)
        warning("nothing can be compared with %s: %s; the run can still show wrong kernels and be "
                "promoted, but nothing else: stop it if that is not wanted",
                base.name, base.why);
    rundir_close(&base.run);
    return status;
}

static void list_suspects(const struct gate *gate, struct gate_suspects *suspects) {
    char visits[24];
    snprintf(visits, sizeof visits, "%zu", suspects->visits);
    for (sqlite3_stmt *unit = query_ask(gate->db, query_gate_suspects, visits, NULL);
         query_next(unit);) {
        suspects->ids = need_more(suspects->ids, suspects->count, sizeof *suspects->ids);
        suspects->ids[suspects->count++] = need_copy(query_text(unit, "id"));
        suspects->seconds = query_number(unit, "seconds");
    }
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    struct gate gate = {.call = *call};
    *suspects = (struct gate_suspects){0};
    gate_open(&gate);
    const int status = gate_read(&gate, false);
    if (status == 0) {
        gate_rows_make(&gate);
        const char *unfit = gate_run_unfit(&gate.run);
        suspects->visits = (size_t)call->policy->confirm_visits;
        if (unfit)
            warning("the controls failed, and no kernel is measured again: %s", unfit);
        else
            list_suspects(&gate, suspects);
    }
    gate_free(&gate);
    return status;
}

void gate_suspects_free(struct gate_suspects *suspects) {
    for (size_t i = 0; i < suspects->count; i++)
        free(suspects->ids[i]);
    free(suspects->ids);
    *suspects = (struct gate_suspects){0};
}
