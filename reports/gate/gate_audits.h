/* What the audits warn of in the kernels of a gate. */
#ifndef REPORTS_GATE_GATE_AUDITS_H
#define REPORTS_GATE_GATE_AUDITS_H

#include "reports/gate/gate_read.h"

/* A warning of the gate for each finding that the policy warns of: in how many of the new kernels,
 * and the first of them. */
void gate_audits_warn(const struct rundir *run, struct gate *gate);

#endif
