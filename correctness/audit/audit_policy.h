/* What is made of a finding: the defaults of finding.h, changed by a policy file. */
#ifndef CORRECTNESS_AUDIT_AUDIT_POLICY_H
#define CORRECTNESS_AUDIT_AUDIT_POLICY_H

#include "correctness/audit/finding.h"

struct audit_policy {
    enum finding_level level[FINDING_COUNT];
};

void audit_policy_default(struct audit_policy *policy);

/* Reads an INI file: section [findings], a line "word = info|warn|reject" for each that differs
 * from the default. Sections that begin with "gate", and [replay], belong to another reader and are
 * skipped. Anything else that is unknown, and any line that is too long, is an error with file and
 * line. 0, or -1 after error(). */
int audit_policy_read(const char *path, struct audit_policy *policy);

#endif
