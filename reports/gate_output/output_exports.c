#include <math.h>

#include "bench/base/words.h"
#include "reports/gate_output/output.h"
#include "reports/gate_output/output_parts.h"

/* "64x64x64.kernel offline.device": the same from gate to gate. Native times are a series of their
 * own: "64x64x64.kernel offline.device native". */
#define SERIES (SHAPE_TEXT + RUNDIR_NAME + OUTPUT_JOINED + 16)
static void name_series(const struct gate_row *row, char clean[OUTPUT_CLEAN]) {
    const char *words[] = {row->mode, row->lens};
    char shape[SHAPE_TEXT], joined[OUTPUT_JOINED], name[SERIES];
    const char *mark = words_place_mark(row->place);
    snprintf(name, sizeof name, "%s.%s %s%s%s", shape_format(row->shape, shape), row->candidate,
             output_join(words, 2, joined), *mark ? " " : "", mark);
    output_clean(name, clean);
}

/* The interval is the ratio's, carried over to the time; without one the value stands alone. */
static json_t *metric(double value, double low, double high) {
    json_t *json = json_pack("{s:o}", "value", jsonfile_number(value));
    int status = 0;
    if (isfinite(low) && isfinite(high)) {
        status |= json_object_set_new(json, "lower_value", jsonfile_number(low));
        status |= json_object_set_new(json, "upper_value", jsonfile_number(high));
    }
    if (status == 0)
        return json;
    json_decref(json);
    return NULL;
}

/* One benchmark a series with its time, and one a series and reference with the speedup over it: a
 * kernel that is held against several has as many speedups. */
static int add_metrics(json_t *all, const struct gate_row *row) {
    char series[OUTPUT_CLEAN], over[OUTPUT_CLEAN], both[2 * OUTPUT_CLEAN + 8];
    const double nanoseconds = 1e9 * row->seconds;
    int status = 0;
    name_series(row, series);
    if (isfinite(nanoseconds))
        status |= json_object_set_new(
            all, series,
            json_pack("{s:o}", "latency",
                      metric(nanoseconds, nanoseconds * row->ratio / row->ci_high,
                             nanoseconds * row->ratio / row->ci_low)));
    if (isfinite(row->ratio)) {
        snprintf(both, sizeof both, "%s over %s", series, output_clean(row->reference, over));
        status |= json_object_set_new(
            all, both,
            json_pack("{s:o}", "speedup", metric(row->ratio, row->ci_low, row->ci_high)));
    }
    return status;
}

int output_bencher(FILE *out, const struct gate *gate) {
    json_t *all = json_object();
    for (size_t i = 0; i < gate->count && all; i++)
        if (add_metrics(all, &gate->rows[i]) < 0) {
            json_decref(all);
            all = NULL;
        }
    return output_json_put(out, all, JSON_INDENT(1));
}

/* A null would be read as 0 there, so rows without a time are left out; range is what the action
 * finds "± NUMBER" in. */
static json_t *describe_entry(const char *series, const struct gate_row *row) {
    const double nanoseconds = 1e9 * row->seconds;
    const double half = nanoseconds * row->ratio / 2 * (1 / row->ci_low - 1 / row->ci_high);
    char range[48], evidence[RUNDIR_TEXT];
    json_t *entry =
        json_pack("{s:s, s:s, s:f, s:o}", "name", series, "unit", "ns", "value", nanoseconds,
                  "extra", jsonfile_string(output_evidence(row, evidence)));
    snprintf(range, sizeof range, "± %.6g", half);
    if (entry && isfinite(half) && json_object_set_new(entry, "range", json_string(range)) < 0) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

int output_benchmark_action(FILE *out, const struct gate *gate) {
    json_t *all = json_array(), *seen = json_object();
    int status = all && seen ? 0 : -1;
    for (size_t i = 0; i < gate->count && status == 0; i++) {
        char series[OUTPUT_CLEAN];
        name_series(&gate->rows[i], series);
        if (!isfinite(gate->rows[i].seconds) || json_object_get(seen, series))
            continue;
        status |= json_object_set_new(seen, series, json_true());
        status |= json_array_append_new(all, describe_entry(series, &gate->rows[i]));
    }
    json_decref(seen);
    if (status < 0) {
        json_decref(all);
        all = NULL;
    }
    return output_json_put(out, all, JSON_INDENT(1));
}
