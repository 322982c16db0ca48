#include "bench/unit/unit_kept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/context/recordings.h"
#include "reports/rows/recording_rows.h"

enum role { LIBRARY, PREVIOUS, CANDIDATE, ROLES };
static const char *const roles[ROLES] = {"library", "previous", "candidate"};

static enum role role_of(const struct unit_checked *checked, int arm) {
    return arm == checked->candidate ? CANDIDATE : arm == checked->previous ? PREVIOUS : LIBRARY;
}

static json_t *arms_json(const struct unit_context *context) {
    const struct unit_checked *checked = &context->checked;
    json_t *list = json_array();
    for (int i = 0; i < checked->arm_count; i++) {
        const enum role role = role_of(checked, i);
        json_t *arm = json_pack("{s:s}", "role", roles[role]);
        if (role == LIBRARY)
            json_object_set_new(arm, "variant", json_integer(checked->arms[i].variant));
        json_array_append_new(list, arm);
    }
    return list;
}

static json_t *rates_json(const struct light_rates *rates) {
    return json_pack("{s:o, s:o, s:o, s:o}", "f16_flops", jsonfile_number(rates->f16_flops),
                     "l2_bytes", jsonfile_number(rates->l2_bytes), "dram_bytes",
                     jsonfile_number(rates->dram_bytes), "l2_size",
                     jsonfile_number(rates->l2_size));
}

int unit_kept_make(struct unit_context *context, json_t **kept) {
    for (int i = 0; i < context->checked.arm_count; i++)
        unit_add_check(context, &context->checked.arms[i]);
    json_t *recordings = recordings_store(context);
    if (!recordings)
        return -1;
    *kept = json_pack("{s:i, s:s, s:o, s:o, s:o}", "visit", context->course.visit, "devices",
                      context->devices, "rates", rates_json(&context->rates), "arms",
                      arms_json(context), "recordings", recordings);
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

static int take_entry(struct unit_context *context, const json_t *entry, int which) {
    struct unit_checked *checked = &context->checked;
    struct arm_state *arm = &checked->arms[which];
    const char *role = jsonfile_text(entry, "role");
    if (strcmp(role, roles[CANDIDATE]) == 0) {
        checked->candidate = which;
        return take_kernel(context, context->session->candidates, context->unit->candidate_index,
                           arm);
    }
    if (strcmp(role, roles[PREVIOUS]) == 0) {
        checked->previous = which;
        return take_kernel(context, context->session->previous, context->unit->previous_index, arm);
    }
    if (strcmp(role, roles[LIBRARY]) != 0)
        return error("what is kept of a unit: an arm cannot be '%.60s'", role);
    arm->variant = (int)json_integer_value(json_object_get(entry, "variant"));
    return 0;
}

/* Each row of conditions has what the unit has taken so far. */
static void take_seconds(struct unit_context *context) {
    const struct rows *rows = &context->result->rows;
    const struct condition_row *row = rows->conditions;
    if (rows->condition_count == 0)
        return;
    context->start_seconds = row->start_seconds;
    context->reference_seconds = row->reference_seconds;
    context->check_seconds = row->check_seconds;
    context->audit_seconds = row->audit_seconds;
}

/* The last rows of the checks are those of the arms. */
static int take_arms(struct unit_context *context, const json_t *list) {
    struct unit_checked *checked = &context->checked;
    struct rows *rows = &context->result->rows;
    const size_t count = json_array_size(list);
    if (count > WIRE_ARMS || count > rows->check_count)
        return error("what is kept of a unit: %zu arms, and rows of %zu", count, rows->check_count);
    const struct check_row *row = &rows->checks[rows->check_count - count];
    checked->candidate = checked->previous = -1;
    for (size_t i = 0; i < count; i++)
        if (take_arm(row++, &checked->arms[i]) < 0 ||
            take_entry(context, json_array_get(list, i), (int)i) < 0)
            return -1;
    checked->arm_count = (int)count;
    rows->check_count -= count;
    return 0;
}

int unit_kept_take(struct unit_context *context, const json_t *kept) {
    struct unit_course *course = &context->course;
    const char *devices;
    json_t *rates, *arms, *recordings;
    json_error_t wrong;
    if (json_unpack_ex((json_t *)kept, &wrong, JSON_STRICT, "{s:i, s:s, s:o, s:o, s:o}", "visit",
                       &course->visit, "devices", &devices, "rates", &rates, "arms", &arms,
                       "recordings", &recordings) < 0)
        return error("what is kept of a unit: %s", wrong.text);
    snprintf(context->devices, sizeof context->devices, "%s", devices);
    context->rates = (struct light_rates){number_of(json_object_get(rates, "f16_flops")),
                                          number_of(json_object_get(rates, "l2_bytes")),
                                          number_of(json_object_get(rates, "dram_bytes")),
                                          number_of(json_object_get(rates, "l2_size"))};
    take_seconds(context);
    return take_arms(context, arms) < 0 || recordings_fetch(context, recordings) < 0 ? -1 : 0;
}
