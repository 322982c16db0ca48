#include "reports/gate/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/gate/gate_rows.h"

void gate_judge(const struct gate_call *call, struct gate *gate) {
    *gate = (struct gate){.call = *call, .verdict = GATE_ERROR};
    if (gate_read(gate, true) < 0)
        return;
    gate_rows_make(gate);
    gate_sort(gate);
    gate->verdict = gate_verdict_find(gate);
    gate_add_lines(gate);
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

/* The seconds that so many visits of the row's kernel take. A row that was refused has no visits of
 * its own; it was visited as often as the run says. */
static double seconds_again(const struct gate_row *row, double run_visits, double visits) {
    const double before = isfinite(row->visits) ? row->visits : run_visits;
    return isfinite(row->wall_seconds)
               ? row->wall_seconds + row->visits_seconds * (visits / before - 1)
               : 0;
}

/* The units with a suspect; rows of a unit follow each other. */
static void list_suspects(const struct gate *gate, struct gate_suspects *suspects) {
    const double visits = (double)json_integer_value(json_object_get(gate->run.plan, "visits"));
    double seconds = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        char id[RUNDIR_UNIT];
        if (!row->suspect)
            continue;
        seconds += seconds_again(row, visits, (double)suspects->visits);
        rundir_unit_id(row->shape, row->candidate, id);
        if (suspects->count == 0 || strcmp(suspects->ids[suspects->count - 1], id) != 0)
            suspects->ids[suspects->count++] = need_copy(id);
    }
    suspects->seconds = suspects->count ? seconds / (double)suspects->count : 0;
}

int gate_screen(const struct gate_call *call, struct gate_suspects *suspects) {
    struct gate gate = {.call = *call};
    *suspects = (struct gate_suspects){0};
    const int status = gate_read(&gate, false);
    if (status == 0) {
        gate_rows_make(&gate);
        const char *unfit = gate_run_unfit(&gate.run);
        suspects->ids = need(gate.count, sizeof *suspects->ids);
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
