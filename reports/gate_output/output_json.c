#include "bench/base/jsonfile.h"
#include "reports/gate_output/output.h"
#include "reports/gate_output/output_parts.h"

static json_t *describe_row(const struct gate_row *row) {
    char shape[SHAPE_TEXT];
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, "
        "s:o, s:o, s:o, s:o, s:s?, s:s?, s:o}",
        "status", gate_status_words[row->status], "shape", shape_format(row->shape, shape),
        "candidate", jsonfile_string(row->candidate), "source", jsonfile_string(row->source),
        "mode", jsonfile_string(row->mode), "lens", jsonfile_string(row->lens), "unrecorded",
        row->unrecorded, "reference", jsonfile_string(row->reference), "size_class",
        jsonfile_string(row->size_class), "ratio", jsonfile_number(row->ratio), "ci_low",
        jsonfile_number(row->ci_low), "ci_high", jsonfile_number(row->ci_high), "reference_seconds",
        jsonfile_number(row->reference_seconds), "seconds", jsonfile_number(row->seconds), "margin",
        jsonfile_number(row->margin), "p", jsonfile_number(row->p), "visits",
        jsonfile_number(row->visits), "left_out", jsonfile_number(row->left_out), "device_ratio",
        jsonfile_number(row->device_ratio), "call_ratio", jsonfile_number(row->call_ratio),
        "wall_seconds", jsonfile_number(row->wall_seconds), "stage",
        *output_stage(row) ? output_stage(row) : NULL, "decided_by",
        *output_decided(row) ? output_decided(row) : NULL, "text", jsonfile_string(row->text));
}

static json_t *describe_total(const struct comparison_total *total) {
    return json_pack(
        "{s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:I}", "mode",
        jsonfile_string(total->mode), "lens", jsonfile_string(total->lens), "size_class",
        jsonfile_string(total->size_class), "shapes", (json_int_t)total->shapes, "faster",
        (json_int_t)total->verdicts[VERDICT_FASTER], "maybe-faster",
        (json_int_t)total->maybe_faster, "same", (json_int_t)total->verdicts[VERDICT_SAME],
        "slower", (json_int_t)total->verdicts[VERDICT_SLOWER], "undecided",
        (json_int_t)total->verdicts[VERDICT_UNDECIDED], "environment",
        (json_int_t)total->verdicts[VERDICT_DISTURBED], "geomean", jsonfile_number(total->geomean),
        "ci_low", jsonfile_number(total->low), "ci_high", jsonfile_number(total->high),
        "unrecorded", (json_int_t)total->unrecorded);
}

static json_t *describe_gate(const struct gate *gate) {
    json_t *rows = json_array(), *totals = json_array(), *warnings = json_array();
    json_t *counts = json_object();
    for (size_t i = 0; i < gate->count; i++)
        json_array_append_new(rows, describe_row(&gate->rows[i]));
    for (size_t i = 0; i < gate->total_count; i++)
        json_array_append_new(totals, describe_total(&gate->totals[i]));
    for (size_t i = 0; i < gate->warning_count; i++)
        json_array_append_new(warnings, jsonfile_string(gate->warnings[i]));
    for (int i = 0; i < GATE_STATUS_COUNT; i++)
        json_object_set_new(counts, gate_status_words[i],
                            json_integer((json_int_t)gate->statuses[i]));
    return json_pack(
        "{s:i, s:s, s:i, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}",
        "format", 6, "verdict", gate_verdict_word(gate->verdict), "exit_status",
        gate_verdict_exit(gate->verdict), "reason", jsonfile_string(gate->reason), "release",
        gate->for_release, "run", jsonfile_string(gate->run), "set", jsonfile_string(gate->set),
        "folder", jsonfile_string(gate->folder), "previous", jsonfile_string(gate->previous),
        "device", jsonfile_string(gate->device), "plan_hash", jsonfile_string(gate->plan_hash),
        "commit", jsonfile_string(gate->commit), "kernels_commit",
        jsonfile_string(gate->kernels_commit), "previous_commit",
        jsonfile_string(gate->previous_commit), "start", jsonfile_string(gate->start), "end",
        jsonfile_string(gate->end), "counts", counts, "suspects", (json_int_t)gate->suspects,
        "carried", (json_int_t)gate->carried, "units", (json_int_t)gate->units, "coverage",
        jsonfile_number(gate->coverage), "again", jsonfile_string(gate->again), "warnings",
        warnings, "totals", totals, "rows", rows);
}

int output_json(FILE *out, const struct gate *gate) {
    return jsonfile_print(out, describe_gate(gate), 9, JSON_INDENT(1), "the gate");
}
