#include "bench/checks/findings.h"

#include <stdarg.h>
#include <stdio.h>

/* So many rows of one kind are kept: a kernel cannot hide one finding behind a flood of others. */
#define MOST_OF_A_KIND 16

struct report {
    struct unit_context *context;
    struct arm_state *arm;
    const char *part;
    int number[FINDING_COUNT];
};

/* A function with a signature of its own is told of no workspace. */
static bool knows_no_workspace(struct unit_context *context, const struct arm_state *arm) {
    const struct candidate *candidate = unit_source(context->unit, unit_which(context, arm));
    return candidate->call && !candidate->call->workspace.line;
}

static void add(void *to, enum finding_kind kind, const char *text) {
    struct report *report = to;
    struct arm_state *arm = report->arm;
    const struct finding_words *words = &finding_words[kind];
    struct audit_row row = {.shape = report->context->unit->shape,
                            .number = ++report->number[kind]};
    if (report->number[kind] > MOST_OF_A_KIND)
        return;
    snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(report->context->unit));
    snprintf(row.kernel, sizeof row.kernel, "%s", arm->row.kernel);
    snprintf(row.part, sizeof row.part, "%s", report->part);
    snprintf(row.finding, sizeof row.finding, "%s", words->word);
    snprintf(row.level, sizeof row.level, "%s", words->level);
    snprintf(row.text, sizeof row.text, "%s", text);
    rows_add_audit(&report->context->result->rows, &row);
    if (!finding_is_refused(kind) || arm->outcome != OUTCOME_OK ||
        (kind == FINDING_WORKSPACE && knows_no_workspace(report->context, arm)))
        return;
    arm->outcome = OUTCOME_UNRECORDED;
    arm_describe(arm, "", "%s: the kernel %s: %s (%s)", report->part, words->sentence, text,
                 words->word);
}

static void add_of_last(void *to, enum finding_kind kind, const char *text) {
    const struct report *report = to;
    if (report->arm->built ? finding_is_refused(kind) : kind == FINDING_DEPENDENT_LAUNCH)
        add(to, kind, text);
}

int findings_report(struct unit_context *context, struct arm_state *arm, const char *part,
                    enum finding_kind kind, const char *format, ...) {
    struct report report = {.context = context, .arm = arm, .part = part};
    char text[FACTS_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(&report, kind, text);
    return arm->outcome;
}

int findings_report_facts(struct unit_context *context, struct arm_state *arm,
                          const struct facts *facts) {
    struct report report = {.context = context, .arm = arm, .part = FINDINGS_CALLS};
    facts_judge(facts, context->plan->workspace_bytes, add, &report);
    facts_summary(facts, arm->row.variant, sizeof arm->row.variant);
    return arm->outcome;
}

int findings_report_last(struct unit_context *context, struct arm_state *arm,
                         const struct facts *facts) {
    struct report report = {.context = context, .arm = arm, .part = LAST_CALLS_PART};
    facts_judge(facts, UINT64_MAX, add_of_last, &report);
    return arm->outcome;
}

int findings_report_memory(struct unit_context *context, struct arm_state *arm) {
    const uint64_t most = context->plan->workspace_bytes;
    return arm->held_bytes <= most
               ? OUTCOME_OK
               : findings_report(context, arm, FINDINGS_CALLS, FINDING_WORKSPACE,
                                 "%llu bytes; its workspace is %llu bytes",
                                 (unsigned long long)arm->held_bytes, (unsigned long long)most);
}
