/* What is made of a finding: the defaults of finding.h, changed by a policy file. */
#ifndef CORRECTNESS_POLICY_H
#define CORRECTNESS_POLICY_H

#include "correctness/finding.h"

struct policy {
    enum finding_level level[FINDING_COUNT];
};

void policy_default(struct policy *policy);

/* Reads an INI file: section [findings], a line "word = info|warn|reject" for each that differs
 * from the default. Unknown sections that begin with "gate" are another reader's and are passed
 * over; anything else unknown, and any line that is too long, is an error with file and line. 0, or
 * -1 after error(). */
int policy_read(const char *file, struct policy *policy);

/* The worst level of what is in the list; LEVEL_INFO for an empty one. */
enum finding_level policy_judge(const struct policy *policy, const struct finding_list *list);

#endif
