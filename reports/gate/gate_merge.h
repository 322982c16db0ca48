/* One gate of the shards that runners have measured. */
#ifndef REPORTS_GATE_GATE_MERGE_H
#define REPORTS_GATE_GATE_MERGE_H

#include "reports/gate/gate_result.h"

/* Makes call->run of the folders: the whole run, the second stage of each shard (confirm-I), and
 * shards.json. Refused is what does not fit together: a shard that lacks, is there twice or is not
 * measured to its end, another plan, another machine, or a second stage that another policy asked
 * for. 0, or -1 after error(), which names both sides; nothing is left behind then. */
int gate_merge(const struct gate_call *call, const char *const *folders, size_t count);

#endif
