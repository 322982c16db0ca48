#include "reports/gate/gate_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"

#define X(name, word, text) word,
const char *const gate_status_words[] = {GATE_STATUSES(X)};
#undef X
#define X(name, word, text) text,
const char *const gate_status_texts[] = {GATE_STATUSES(X)};
#undef X

static const struct {
    const char *word;
    int exit;
} verdicts[GATE_VERDICT_COUNT] = {
    [GATE_INTERRUPTED] = {"interrupted", EXIT_INTERRUPTED},
    [GATE_ERROR] = {"error", EXIT_TROUBLE},
    [GATE_VERDICT_WRONG] = {"wrong", EXIT_REFUSED},
    [GATE_VERDICT_ENVIRONMENT] = {"environment", EXIT_ENVIRONMENT},
    [GATE_NOT_COMPARABLE] = {"not-comparable", EXIT_NOT_COMPARABLE},
    [GATE_REGRESSION] = {"regression", EXIT_REGRESSION},
    [GATE_COVERAGE] = {"coverage", EXIT_REGRESSION},
    [GATE_INCONCLUSIVE] = {"inconclusive", EXIT_INCONCLUSIVE},
    [GATE_PASS] = {"pass", EXIT_PASS},
};

const char *gate_verdict_word(enum gate_verdict verdict) {
    return verdicts[verdict].word;
}

int gate_verdict_exit(enum gate_verdict verdict) {
    return verdicts[verdict].exit;
}

bool gate_verdict_judged(const char *word) {
    static const enum gate_verdict judged[] = {GATE_VERDICT_WRONG, GATE_REGRESSION, GATE_COVERAGE,
                                               GATE_INCONCLUSIVE, GATE_PASS};
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        if (strcmp(word, verdicts[judged[i]].word) == 0)
            return true;
    return false;
}

const char *gate_change(double ratio, char text[GATE_CHANGE]) {
    const double more = 100 * (1 / ratio - 1);
    snprintf(text, GATE_CHANGE, fabs(more) < 999.5 ? "%.3g %% %s time" : "%.0f %% %s time",
             fabs(more), more > 0 ? "more" : "less");
    return text;
}

void gate_warn(struct gate *gate, const char *format, ...) {
    va_list args;
    if (gate->warning_count == GATE_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(gate->warnings[gate->warning_count++], sizeof gate->warnings[0], format, args);
    va_end(args);
}
