#include "reports/gate/gate.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/gate/gate_rows.h"
#include "reports/query/query.h"

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
