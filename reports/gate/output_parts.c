#include "reports/gate/output.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "reports/rows/undisturbed.h"

const char *output_clean(const char *text, char clean[OUTPUT_CLEAN]) {
    char whole[RUNDIR_TEXT];
    snprintf(whole, sizeof whole, "%s", text);
    utf8_clean(whole, clean);
    return clean;
}

const char *output_name(const struct gate_row *row, char name[OUTPUT_NAME]) {
    char shape[SHAPE_TEXT];
    snprintf(name, OUTPUT_NAME, "%s%s%s", shape_format(row->shape, shape),
             *row->candidate ? "." : "", row->candidate);
    return name;
}

const char *output_join(const char *const *words, size_t count, char joined[OUTPUT_JOINED]) {
    *joined = 0;
    for (size_t i = 0; i < count; i++)
        if (*words[i])
            strcat(strcat(joined, *joined ? "." : ""), words[i]);
    return joined;
}

const char *output_stage(const struct gate_row *row) {
    return isnan(row->visits) ? "" : row->confirmed ? "confirmation" : "screening";
}

const char *output_decided(const struct gate_row *row) {
    switch (row->status) {
    case GATE_SLOWER:
    case GATE_BEHIND:
    case GATE_FASTER:
        return isfinite(row->p) ? "Student's t" : "interval";
    case GATE_KNOWN:
    case GATE_SAME:
    case GATE_MAYBE_FASTER:
        return "interval";
    default:
        return "";
    }
}

const char *output_evidence(const struct gate_row *row, char text[RUNDIR_TEXT]) {
    char left_out[UNDISTURBED_TEXT];
    *text = 0;
    if (!isfinite(row->ratio))
        return text;
    text_append(text, RUNDIR_TEXT, "%sruns at %.4f of the speed of %s",
                row->unrecorded ? "unrecorded: " : "", row->ratio, row->reference);
    if (isfinite(row->ci_low) && isfinite(row->ci_high))
        text_append(text, RUNDIR_TEXT, " (95 %% interval %.4f to %.4f)", row->ci_low, row->ci_high);
    if (isfinite(row->seconds) && isfinite(row->reference_seconds))
        text_append(text, RUNDIR_TEXT, ", %.4g us against %.4g us", 1e6 * row->seconds,
                    1e6 * row->reference_seconds);
    if (isfinite(row->margin))
        text_append(text, RUNDIR_TEXT, "; margin %.3g %%", 100 * row->margin);
    if (isfinite(row->p) && row->status != GATE_ENVIRONMENT)
        text_append(text, RUNDIR_TEXT, ", p = %.2g after Holm", row->p);
    if (isfinite(row->visits))
        text_append(text, RUNDIR_TEXT, ", %.0f visits of the %s", row->visits, output_stage(row));
    if (row->left_out > 0)
        text_append(text, RUNDIR_TEXT, ", %s",
                    undisturbed_text(row->left_out, row->timed_visits, left_out));
    if (*output_decided(row))
        text_append(text, RUNDIR_TEXT, "; decided by the %s", output_decided(row));
    return text;
}

const char *output_why(const struct gate_row *row, char text[RUNDIR_TEXT]) {
    char change[GATE_CHANGE], left_out[UNDISTURBED_TEXT];
    *text = 0;
    if (isfinite(row->ratio))
        text_append(text, RUNDIR_TEXT, "takes %s than %s%s%s%s", gate_change(row->ratio, change),
                    row->reference, row->unrecorded ? ", unrecorded" : "",
                    row->status == GATE_SLOWER && row->confirmed ? ", confirmed" : "",
                    *row->text ? ": " : "");
    text_append_brief(text, RUNDIR_TEXT, row->text, RUNDIR_TEXT);
    if (!*text)
        text_append(text, RUNDIR_TEXT, "%s", gate_status_texts[row->status]);
    if (row->left_out > 0)
        text_append(text, RUNDIR_TEXT, "; %s",
                    undisturbed_text(row->left_out, row->timed_visits, left_out));
    return text;
}
