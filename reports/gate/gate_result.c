#include "reports/gate/gate_result.h"

#include <string.h>

#include "bench/base/error.h"
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
