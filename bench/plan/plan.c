#include "bench/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/element.h"
#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/runner/layout.h"
#include "bench/runner/operands.h"
#include "reports/rows/plan_fields.h"
#include "reports/run/rundir.h"

const char *const plan_protocol_names[] = {"fast", "paper", NULL};
const char *const plan_autotune_names[] = {"paper", "finalists", NULL};
static const char *const ratio_names[] = {"all", "previous", NULL}; /* by plan->precise_previous */

static bool serves(const struct candidate *candidate, struct shape shape) {
    return !candidate->has_shape || shape_compare(candidate->shape, shape) == 0;
}

static void narrow_set(const struct suite *suite, struct candidate_set *set) {
    size_t kept = 0;
    for (size_t c = 0; c < set->count; c++) {
        bool wanted = false;
        for (size_t s = 0; s < suite->count && !wanted; s++)
            wanted = serves(&set->list[c], suite->shapes[s]);
        if (wanted)
            set->list[kept++] = set->list[c];
    }
    set->count = kept;
}

int plan_narrow(struct plan *plan) {
    narrow_set(&plan->suite, &plan->set);
    narrow_set(&plan->suite, &plan->previous);
    return plan->set.count ? 0
                           : error("%s has no kernel for any of the %zu shapes asked for",
                                   plan->set.folder, plan->suite.count);
}

/* A kernel is the same in two sets when it serves the same one shape, or served any and has the
 * same name: of one that serves any, a set of its name may have a file for each shape. */
static bool same_kernel(const struct candidate *now, const struct candidate *before) {
    return before->has_shape ? now->has_shape && shape_compare(now->shape, before->shape) == 0
                             : strcmp(now->label, before->label) == 0;
}

static const struct candidate *find_previous(const struct plan *plan, const struct candidate *now) {
    for (size_t i = 0; i < plan->previous.count; i++)
        if (same_kernel(now, &plan->previous.list[i]))
            return &plan->previous.list[i];
    return NULL;
}

bool plan_is_removed(const struct plan *plan, const struct candidate *before) {
    for (size_t i = 0; i < plan->set.count; i++)
        if (same_kernel(&plan->set.list[i], before))
            return false;
    return true;
}

static struct unit new_unit(const struct plan *plan, struct shape shape, size_t index) {
    const struct candidate *candidate = &plan->set.list[index];
    struct unit unit = {.shape = shape, .candidate = candidate, .candidate_index = index};
    unit.previous = find_previous(plan, candidate);
    unit.previous_index = unit.previous ? (size_t)(unit.previous - plan->previous.list) : 0;
    return unit;
}

/* Where the unit stands among the only ones wanted; only_count: it is not. */
static size_t number_of(const struct plan *plan, const struct unit *unit) {
    char id[UNIT_ID];
    size_t i = 0;
    unit_id(unit, id);
    while (i < plan->only_count && strcmp(plan->only[i], id) != 0)
        i++;
    return i;
}

static int compare_numbers(const void *left, const void *right, void *plan) {
    const size_t a = number_of(plan, left), b = number_of(plan, right);
    return (a > b) - (a < b);
}

long plan_units(const struct plan *plan, struct unit **units) {
    size_t most = plan->suite.count * (plan->set.count ? plan->set.count : 1), count = 0;
    *units = need(most, sizeof **units);
    for (size_t s = 0; s < plan->suite.count; s++) {
        struct shape shape = plan->suite.shapes[s];
        if (plan->set.count == 0)
            (*units)[count++] = (struct unit){.shape = shape};
        for (size_t c = 0; c < plan->set.count; c++)
            if (serves(&plan->set.list[c], shape)) {
                (*units)[count] = new_unit(plan, shape, c);
                count += !plan->only || number_of(plan, &(*units)[count]) < plan->only_count;
            }
    }
    if (count == 0) {
        free(*units);
        *units = NULL;
        return error("%s has no kernel for any of the %zu shapes asked for", plan->set.folder,
                     plan->suite.count);
    }
    if (plan->only)
        qsort_r(*units, count, sizeof **units, compare_numbers, (void *)plan);
    return (long)count;
}

const char *unit_label(const struct unit *unit) {
    return unit->candidate ? unit->candidate->label : "";
}

const char *unit_id(const struct unit *unit, char id[UNIT_ID]) {
    char text[SHAPE_TEXT];
    shape_format(unit->shape, text);
    if (unit->candidate)
        snprintf(id, UNIT_ID, "%s.%s", text, unit->candidate->label);
    else
        snprintf(id, UNIT_ID, "%s", text);
    return id;
}

bool plan_is_staged(const struct plan *plan) {
    return !plan_on_host(plan) && plan->lenses & words_lenses_with(LENS_HELD);
}

int plan_anew_every(const struct plan *plan) {
    const int every = plan->visits > 3 * PLAN_ANEW ? (plan->visits + PLAN_ANEW - 1) / PLAN_ANEW : 3;
    const bool held = plan->precise & words_lenses_with(LENS_HELD);
    return plan_is_staged(plan) && held && !plan->all_visits ? every : 1;
}

#define HALF_FROM 0x1p37
#define HALF_LEAST 12

int plan_staged_every(const struct plan *plan, const struct unit *unit) {
    const struct shape s = unit->shape;
    return shape_flops(s) >= HALF_FROM && !unit->previous && !plan->all_visits &&
                   plan->visits >= 2 * HALF_LEAST
               ? 2
               : 1;
}

int plan_mode_lenses(const struct plan *plan, enum mode mode) {
    int lenses = plan->lenses;
    if (mode == MODE_SERVER || plan->cache == CACHE_COLD)
        lenses &= ~words_lenses_with(LENS_MANY);
    return lenses;
}

int plan_precise_lenses(const struct plan *plan, enum mode mode) {
    const int lenses = plan_mode_lenses(plan, mode), precise = lenses & plan->precise;
    return plan->protocol == PROTOCOL_FAST && precise ? precise : lenses;
}

/* The names of the bits. */
static json_t *words_json(int bits, const char *const *words) {
    json_t *list = json_array();
    for (int i = 0; words[i]; i++)
        if (bits & 1 << i)
            json_array_append_new(list, json_string(words[i]));
    return list;
}

/* The fields of reports/rows/plan_fields.h that take more than a member of the plan. NULL: the field
 * is left out. */

static json_t *format_json(const struct plan *plan) {
    (void)plan;
    return json_integer(RUNDIR_FORMAT);
}

static json_t *shapes_json(const struct plan *plan) {
    json_t *list = json_array();
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++)
        json_array_append_new(list, json_string(shape_format(plan->suite.shapes[i], text)));
    return list;
}

static json_t *counts_json(const struct plan *plan) {
    json_t *list = plan->suite.counts ? json_array() : NULL;
    for (size_t i = 0; list && i < plan->suite.count; i++)
        json_array_append_new(list, json_real(plan->suite.counts[i]));
    return list;
}

static json_t *peak_tflops_json(const struct plan *plan) {
    return plan->peak_tflops > 0 ? json_real(plan->peak_tflops) : NULL;
}

static json_t *accumulate_json(const struct plan *plan) {
    return json_string(plan->accumulate == GEMM_F16 ? "f16" : "f32");
}

static json_t *kernels_json(const struct candidate_set *set) {
    json_t *list = json_array();
    for (size_t i = 0; i < set->count; i++) {
        const struct candidate *c = &set->list[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "label", c->label, "file", c->file,
                                              "hash", c->source_hash));
    }
    return list;
}

static json_t *candidates_json(const struct plan *plan) {
    return kernels_json(&plan->set);
}

static json_t *previous_json(const struct plan *plan) {
    return plan->previous.count ? json_pack("{s:s, s:o}", "set", plan->previous.name, "candidates",
                                            kernels_json(&plan->previous))
                                : json_null();
}

/* "64x64x64.set", or "name" of a kernel for every shape. */
static json_t *removed_json(const struct plan *plan) {
    json_t *list = json_array();
    char shape[SHAPE_TEXT];
    for (size_t i = 0; i < plan->previous.count; i++) {
        const struct candidate *c = &plan->previous.list[i];
        if (!plan_is_removed(plan, c))
            continue;
        json_array_append_new(
            list, c->has_shape ? json_sprintf("%s.%s", shape_format(c->shape, shape), c->label)
                               : json_string(c->label));
    }
    return list;
}

static json_t *carried_json(const struct plan *plan) {
    return plan->carried ? json_integer((json_int_t)plan->carried) : NULL;
}

/* Bits, as those of the lenses are. */
static int mode_bits(const struct plan *plan) {
    int bits = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        bits |= plan->modes[mode] << mode;
    return bits;
}

static json_t *baselines_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->baseline_count; i++)
        json_array_append_new(list, json_string(plan->baselines[i]));
    return list;
}

static json_t *seed_json(const struct plan *plan) {
    return json_sprintf("%" PRIu64, plan->seed);
}

static json_t *only_json(const struct plan *plan) {
    return plan->only ? json_true() : NULL;
}

static json_t *units_json(const struct plan *plan) {
    struct unit *units;
    const long count = plan_units(plan, &units);
    json_t *list = json_array();
    char id[UNIT_ID];
    for (long i = 0; i < count; i++)
        json_array_append_new(list, json_string(unit_id(&units[i], id)));
    free(units);
    return list;
}

static void put_field(json_t *json, const char *name, json_t *value) {
    if (value)
        json_object_set_new(json, name, value);
}

json_t *plan_json(const struct plan *plan) {
    json_t *json = json_object();
#define INTEGER(member) json_integer((json_int_t)plan->member)
#define REAL(member) json_real(plan->member)
#define FLAG(member) json_boolean(plan->member)
#define TEXT(member) jsonfile_string(plan->member)
#define WORD(member, words) json_string((words)[plan->member])
#define WORDS(bits, words) words_json(bits, words)
#define MADE(function) function##_json(plan)
#define X(name, sameness, value, unit, meaning) put_field(json, #name, value);
    PLAN_FIELDS(X)
#undef X
    return json;
}

bool plan_on_host(const struct plan *plan) {
    return strcmp(plan->device_kind, "host") == 0;
}

/* Calls in a row, each with operands and a C of its own: 1 where there is none. */
static int calls_in_a_row(const struct plan *plan, struct shape shape) {
    int lenses = 0;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (plan->modes[mode])
            lenses |= plan_mode_lenses(plan, (enum mode)mode);
    return lenses & words_lenses_with(LENS_HELD) && !plan_on_host(plan) ? layout_calls(shape) : 1;
}

double plan_device_bytes(const struct plan *plan, struct shape s) {
    const double arms = plan->baseline_count + 4, half = 2.0, calls = calls_in_a_row(plan, s);
    const double operands = (double)s.m * (double)s.k + 2.0 * (double)s.k * (double)s.n;
    const double output = (double)s.m * (double)s.n, outputs = arms + (calls > 1 ? calls : 0);
    /* Every operand three times, for two kernels that ask for padding, and a workspace an arm. */
    return half * (3.0 * calls * operands + outputs * output) +
           arms * (double)plan->workspace_bytes + (outputs + 9.0 * calls) * 2.0 * GUARD_BYTES;
}

double plan_host_bytes(const struct plan *plan, struct shape s) {
    const double product = (double)s.m * (double)s.n;
    double reference = 4.0 * ((double)s.m * (double)s.k + (double)s.k * (double)s.n + 2 * product);
    double shared = 4.0 * product;
    return reference + shared + (plan_on_host(plan) ? plan_device_bytes(plan, s) : 0);
}

void plan_free(struct plan *plan) {
    suite_free(&plan->suite);
    set_free(&plan->set);
    set_free(&plan->previous);
    for (size_t i = 0; i < plan->only_count; i++)
        free(plan->only[i]);
    free((void *)plan->only);
}
