#include "bench/checks/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/need.h"

/* A function with a signature of its own is told of no workspace. */
static bool knows_no_workspace(struct unit_context *context, const struct arm_state *arm) {
    const struct unit *unit = context->unit;
    const struct candidate *candidate =
        arm == unit_previous(context) ? unit->previous : unit->candidate;
    return candidate->call && !candidate->call->workspace.line;
}

int findings_report(struct unit_context *context, struct arm_state *arm, const char *part,
                    const struct finding_list *list) {
    int number[FINDING_COUNT] = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct finding *finding = &list->items[i];
        struct audit_row row = {.shape = context->unit->shape, .number = ++number[finding->kind]};
        snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(context->unit));
        snprintf(row.kernel, sizeof row.kernel, "%s", arm->row.kernel);
        snprintf(row.part, sizeof row.part, "%s", part);
        snprintf(row.finding, sizeof row.finding, "%s", finding_word(finding->kind));
        snprintf(row.level, sizeof row.level, "%s", finding_level(finding->kind));
        snprintf(row.text, sizeof row.text, "%s", finding->text);
        rows_add_audit(&context->result->rows, &row);
        if (!finding_is_refused(finding->kind) || arm->outcome != OUTCOME_OK ||
            (finding->kind == FINDING_WORKSPACE && knows_no_workspace(context, arm)))
            continue;
        arm->outcome = OUTCOME_UNRECORDED;
        arm_describe(arm, "", "%s: the kernel %s: %s (%s)", part, finding_sentence(finding->kind),
                     finding->text, finding_word(finding->kind));
    }
    return arm->outcome;
}

int findings_report_one(struct unit_context *context, struct arm_state *arm, const char *part,
                        enum finding_kind kind, const char *format, ...) {
    struct finding_list *list = need(1, sizeof *list);
    char text[sizeof list->items->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding_add(list, kind, "%s", text);
    const int outcome = findings_report(context, arm, part, list);
    free(list);
    return outcome;
}

int findings_report_facts(struct unit_context *context, struct arm_state *arm,
                          const struct facts *facts) {
    struct finding_list *list = need(1, sizeof *list);
    facts_judge(facts, context->plan->workspace_bytes, list);
    facts_summary(facts, arm->row.variant, sizeof arm->row.variant);
    const int outcome = findings_report(context, arm, "calls", list);
    free(list);
    return outcome;
}

int findings_report_memory(struct unit_context *context, struct arm_state *arm) {
    const uint64_t most = context->plan->workspace_bytes;
    return arm->held_bytes <= most
               ? OUTCOME_OK
               : findings_report_one(context, arm, "calls", FINDING_WORKSPACE,
                                     "%llu bytes; its workspace is %llu bytes",
                                     (unsigned long long)arm->held_bytes, (unsigned long long)most);
}
