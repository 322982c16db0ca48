#include "bench/checks/findings.h"

#include <stdarg.h>
#include <stdio.h>

/* So many rows of one kind are kept: a kernel cannot hide one finding behind a flood of others. */
#define MOST_OF_A_KIND 16

/* A function with a signature of its own is told of no workspace. */
static bool knows_no_workspace(struct unit_context *context, const struct arm_state *arm) {
    const struct candidate *candidate = unit_source(context->unit, unit_which(context, arm));
    return candidate->call && !candidate->call->workspace.line;
}

static void add(struct unit_context *context, struct arm_state *arm, const char *part,
                const struct finding *finding, int number) {
    const struct finding_words *words = &finding_words[finding->kind];
    struct audit_row row = {.shape = context->unit->shape, .number = number};
    snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(context->unit));
    snprintf(row.kernel, sizeof row.kernel, "%s", arm->row.kernel);
    snprintf(row.part, sizeof row.part, "%s", part);
    snprintf(row.finding, sizeof row.finding, "%s", words->word);
    snprintf(row.level, sizeof row.level, "%s", words->level);
    snprintf(row.text, sizeof row.text, "%s", finding->text);
    rows_add_audit(&context->result->rows, &row);
    if (!finding_is_refused(finding->kind) || arm->outcome != OUTCOME_OK ||
        (finding->kind == FINDING_WORKSPACE && knows_no_workspace(context, arm)))
        return;
    arm->outcome = OUTCOME_UNRECORDED;
    arm_describe(arm, "", "%s: the kernel %s: %s (%s)", part, words->sentence, finding->text,
                 words->word);
}

static int add_all(struct unit_context *context, struct arm_state *arm, const char *part,
                   const struct finding *list, int count) {
    int number[FINDING_COUNT] = {0};
    for (int i = 0; i < count; i++)
        if (++number[list[i].kind] <= MOST_OF_A_KIND)
            add(context, arm, part, &list[i], number[list[i].kind]);
    return arm->outcome;
}

int findings_report(struct unit_context *context, struct arm_state *arm, const char *part,
                    enum finding_kind kind, const char *format, ...) {
    struct finding finding = {.kind = kind};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.text, sizeof finding.text, format, arguments);
    va_end(arguments);
    return add_all(context, arm, part, &finding, 1);
}

static struct finding found[FACTS_FINDINGS];

int findings_report_facts(struct unit_context *context, struct arm_state *arm,
                          const struct facts *facts) {
    const int count = facts_judge(facts, context->plan->workspace_bytes, found);
    facts_summary(facts, arm->row.variant, sizeof arm->row.variant);
    return add_all(context, arm, FINDINGS_CALLS, found, count);
}

int findings_report_last(struct unit_context *context, struct arm_state *arm,
                         const struct facts *facts) {
    const int count = facts_judge(facts, UINT64_MAX, found);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (arm->built ? finding_is_refused(found[i].kind)
                       : found[i].kind == FINDING_DEPENDENT_LAUNCH)
            found[kept++] = found[i];
    return add_all(context, arm, LAST_CALLS_PART, found, kept);
}

int findings_report_memory(struct unit_context *context, struct arm_state *arm) {
    const uint64_t most = context->plan->workspace_bytes;
    return arm->held_bytes <= most
               ? OUTCOME_OK
               : findings_report(context, arm, FINDINGS_CALLS, FINDING_WORKSPACE,
                                 "%llu bytes; its workspace is %llu bytes",
                                 (unsigned long long)arm->held_bytes, (unsigned long long)most);
}
