#include "reports/gate/gate_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "reports/rows/series.h"

const char *gate_clean(const char *text, char clean[GATE_CLEAN]) {
    char whole[RUNDIR_TEXT];
    snprintf(whole, sizeof whole, "%s", text);
    utf8_clean(whole, clean);
    return clean;
}

static void put_option(FILE *out, const char *option, const char *value) {
    if (!value)
        return;
    fprintf(out, " --%s ", option);
    text_quote(out, value);
}

/* Nothing where nothing was measured. */
static void put_again(const struct gate_call *call, char again[GATE_COMMAND]) {
    FILE *out = call->policy ? fmemopen(again, GATE_COMMAND - 1, "w") : NULL;
    again[0] = again[GATE_COMMAND - 1] = 0;
    if (!out)
        return;
    fputs("gemmgate gate ", out);
    text_quote(out, call->run);
    put_option(out, "policy", call->policy_file);
    put_option(out, "against", call->against);
    put_option(out, "entry", call->store_entry);
    put_option(out, "renamed", call->renamed);
    fputs(call->for_release ? " --release" : "", out);
    fputs(call->absolute ? " --absolute" : "", out);
    fclose(out);
}

void gate_list_facts(const struct gate *gate, char again[GATE_COMMAND],
                     struct gate_fact facts[GATE_FACTS]) {
    const struct about *about = &gate->run.about;
    const json_t *manifest = gate->run.manifest;
    const struct gate_fact list[GATE_FACTS] = {
        {"reason", NULL, gate->reason},
        {"run", NULL, gate->call.run},
        {"set", "Set", about->set},
        {"folder", NULL, jsonfile_text(manifest, "folder")},
        {"previous", "Compared with", gate->base.name},
        {"kernels_commit", "Kernels at", jsonfile_text(manifest, "kernels_commit")},
        {"previous_commit", "Earlier kernels at", jsonfile_text(manifest, "previous_commit")},
        {"commit", "By gemmgate",
         jsonfile_text(json_object_get(manifest, "gemmgate"), "git_commit")},
        {"device", "Device", about->device},
        {"start", "Measured", about->start},
        {"end", NULL, about->end},
        {"plan_hash", NULL, about->hash},
        {"again", NULL, again}};
    put_again(&gate->call, again);
    memcpy(facts, list, sizeof list);
}

const char *gate_row_name(const struct gate_row *row, char name[GATE_ROW_NAME]) {
    char shape[SHAPE_TEXT];
    snprintf(name, GATE_ROW_NAME, "%s%s%s", shape_format(row->shape, shape),
             *row->candidate ? "." : "", row->candidate);
    return name;
}

const char *gate_join(const char *one, const char *other, char joined[GATE_JOINED]) {
    snprintf(joined, GATE_JOINED, "%s%s%s", one, *one && *other ? "." : "", other);
    return joined;
}

const char *gate_change(double ratio, char text[GATE_CHANGE]) {
    const double more = 100 * (1 / ratio - 1);
    snprintf(text, GATE_CHANGE, fabs(more) < 999.5 ? "%.3g %% %s time" : "%.0f %% %s time",
             fabs(more), more > 0 ? "more" : "less");
    return text;
}

const char *gate_stage(const struct gate_row *row) {
    return isnan(row->visits) ? "" : row->confirmed ? "confirmation" : "screening";
}

const char *gate_decided(const struct gate_row *row) {
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

const char *gate_evidence_text(const struct gate_row *row, char text[RUNDIR_TEXT]) {
    char left_out[SERIES_LEFT_OUT_TEXT];
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
        text_append(text, RUNDIR_TEXT, ", %.0f visits of the %s", row->visits, gate_stage(row));
    if (row->left_out > 0)
        text_append(text, RUNDIR_TEXT, ", %s",
                    series_left_out_text(row->left_out, row->timed_visits, left_out));
    if (*gate_decided(row))
        text_append(text, RUNDIR_TEXT, "; decided by the %s", gate_decided(row));
    return text;
}

void gate_append_why(const struct gate_row *row, size_t most, char *text, size_t size) {
    char change[GATE_CHANGE];
    if (isfinite(row->ratio))
        text_append(text, size, "takes %s than %s%s%s%s", gate_change(row->ratio, change),
                    row->reference, row->unrecorded ? ", unrecorded" : "",
                    row->status == GATE_SLOWER && row->confirmed ? ", confirmed" : "",
                    *row->text ? ": " : "");
    text_append_brief(text, size, row->text, most);
}
