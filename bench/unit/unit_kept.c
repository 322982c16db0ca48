#include "bench/unit/unit_kept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/context/recordings.h"
#include "reports/rows/recording_rows.h"

/* What the libraries have chosen, by number. */
static json_t *variants_json(const struct unit_checked *checked) {
    json_t *variants = json_object();
    for (int i = 0; i < checked->arm_count; i++)
        if (checked->arms[i].variant >= 0)
            json_object_set_new(variants, checked->arms[i].row.kernel,
                                json_integer(checked->arms[i].variant));
    return variants;
}

static json_t *rates_json(const struct light_rates *rates) {
    return json_pack("{s:o, s:o, s:o, s:o}", "f16_flops", jsonfile_number(rates->f16_flops),
                     "l2_bytes", jsonfile_number(rates->l2_bytes), "dram_bytes",
                     jsonfile_number(rates->dram_bytes), "l2_size",
                     jsonfile_number(rates->l2_size));
}

int unit_kept_make(struct unit_context *context, json_t **kept) {
    struct unit_checked *checked = &context->checked;
    for (int i = 0; i < checked->arm_count; i++) {
        memcpy(checked->arms[i].row.device, context->devices, sizeof context->devices);
        unit_add_check(context, &checked->arms[i]);
    }
    json_t *recordings = recordings_store(context);
    if (!recordings)
        return -1;
    *kept = json_pack("{s:i, s:[f, f, f, f], s:o, s:o, s:o}", "visit", context->visit, "seconds",
                      context->start_seconds, context->reference_seconds, context->check_seconds,
                      context->audit_seconds, "rates", rates_json(&context->rates), "variants",
                      variants_json(checked), "recordings", recordings);
    return *kept ? 0 : error("what is kept of a unit cannot be put into JSON");
}

static double number_of(const json_t *value) {
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int find_outcome(struct arm_state *arm) {
    const int outcome = words_find(outcome_words, arm->row.outcome);
    if (outcome < 0)
        return error("what is kept of a unit: '%.60s' is no outcome", arm->row.outcome);
    arm->outcome = (enum outcome)outcome;
    return 0;
}

/* An arm as it was, but for what its entry says; not in any runner. */
static int take_arm(const struct check_row *row, struct arm_state *arm) {
    *arm = (struct arm_state){.row = *row, .number = -1, .variant = -1};
    return find_outcome(arm);
}

/* The kernel under test that an arm is. */
static int take_kernel(const struct unit_context *context, const struct prepared_set *set,
                       size_t index, struct arm_state *arm) {
    const struct recording_row *seen = recording_rows_last(
        &context->result->rows, context->unit->shape, unit_label(context->unit), arm->row.kernel);
    arm->built = &set->built[index];
    arm->work = seen ? strtoull(seen->own_kernels, NULL, 16) : 0;
    if (arm->outcome != OUTCOME_OK || arm->built->outcome == BUILD_OK)
        return 0;
    return error("%s has compiled in an earlier visit, and does not now: %s", arm->row.kernel,
                 arm->built->message);
}

/* The kernel under test or library that an arm is. */
static int take_part(struct unit_context *context, const json_t *variants, int which) {
    struct unit_checked *checked = &context->checked;
    const struct device_session *session = context->session;
    struct arm_state *arm = &checked->arms[which];
    const json_t *variant = json_object_get(variants, arm->row.kernel);
    if (strcmp(arm->row.kernel, RUNDIR_PREVIOUS) == 0) {
        checked->previous = which;
        return take_kernel(context, session->previous, context->unit->previous_index, arm);
    }
    if (context->unit->candidate && strcmp(arm->row.kernel, unit_label(context->unit)) == 0) {
        checked->candidate = which;
        return take_kernel(context, session->candidates, context->unit->candidate_index, arm);
    }
    arm->variant = variant ? (int)json_integer_value(variant) : WIRE_CHOOSE;
    return 0;
}

/* Each row of the checks is an arm, and names the devices. */
static int take_arms(struct unit_context *context, const json_t *variants) {
    struct unit_checked *checked = &context->checked;
    struct rows *rows = &context->result->rows;
    const size_t count = rows->check_count;
    if (count == 0 || count > WIRE_ARMS)
        return error("what is kept of a unit: %zu arms in checks.csv", count);
    checked->candidate = checked->previous = -1;
    memcpy(context->devices, rows->checks->device, sizeof context->devices);
    for (size_t i = 0; i < count; i++)
        if (take_arm(&rows->checks[i], &checked->arms[i]) < 0 ||
            take_part(context, variants, (int)i) < 0)
            return -1;
    checked->arm_count = (int)count;
    rows->check_count = 0;
    return 0;
}

int unit_kept_take(struct unit_context *context, const json_t *kept) {
    json_t *rates, *variants, *recordings;
    json_error_t wrong;
    if (json_unpack_ex((json_t *)kept, &wrong, JSON_STRICT, "{s:i, s:[F, F, F, F], s:o, s:o, s:o}",
                       "visit", &context->visit, "seconds", &context->start_seconds,
                       &context->reference_seconds, &context->check_seconds,
                       &context->audit_seconds, "rates", &rates, "variants", &variants,
                       "recordings", &recordings) < 0)
        return error("what is kept of a unit: %s", wrong.text);
    context->rates = (struct light_rates){number_of(json_object_get(rates, "f16_flops")),
                                          number_of(json_object_get(rates, "l2_bytes")),
                                          number_of(json_object_get(rates, "dram_bytes")),
                                          number_of(json_object_get(rates, "l2_size"))};
    return take_arms(context, variants) < 0 || recordings_fetch(context, recordings) < 0 ? -1 : 0;
}
