/* The verdict on the whole, from the statuses of its rows. */
#ifndef REPORTS_GATE_GATE_VERDICT_H
#define REPORTS_GATE_GATE_VERDICT_H

#include "reports/gate/gate_rows.h"

/* The first verdict that holds, in the order of enum gate_verdict. Writes gate->reason, which was
 * "", and adds warnings. The rows are sorted and counted. */
enum gate_verdict gate_verdict_find(const struct gate_case *of, const struct gate_rows_about *about,
                                    struct gate *gate);

#endif
