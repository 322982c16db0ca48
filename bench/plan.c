#include "bench/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/error.h"
#include "bench/operands.h"

const char *const plan_mode_names[MODE_COUNT] = {"offline", "server"};
const char *const plan_lens_names[LENS_COUNT] = {"call", "device", "stream", "latency"};
const char *const plan_cache_names[CACHE_COUNT] = {"warm", "cold", "rotate"};
const char *const plan_protocol_names[PROTOCOL_COUNT] = {"fast", "paper"};

static bool serves(const struct candidate *candidate, struct shape shape) {
    return !candidate->has_shape || shape_compare(candidate->shape, shape) == 0;
}

int plan_narrow(struct plan *plan) {
    size_t kept = 0;
    for (size_t c = 0; c < plan->set.count; c++) {
        bool wanted = false;
        for (size_t s = 0; s < plan->suite.count && !wanted; s++)
            wanted = serves(&plan->set.list[c], plan->suite.shapes[s]);
        if (wanted)
            plan->set.list[kept++] = plan->set.list[c];
    }
    plan->set.count = kept;
    return kept ? 0
                : error("%s has no kernel for any of the %zu shapes asked for", plan->set.folder,
                        plan->suite.count);
}

long plan_units(const struct plan *plan, struct unit **units) {
    size_t most = plan->suite.count * (plan->set.count ? plan->set.count : 1), count = 0;
    *units = calloc(most, sizeof **units);
    if (!*units)
        return error("no memory for %zu units of work", most);
    for (size_t s = 0; s < plan->suite.count; s++) {
        struct shape shape = plan->suite.shapes[s];
        if (plan->set.count == 0)
            (*units)[count++] = (struct unit){.shape = shape};
        for (size_t c = 0; c < plan->set.count; c++)
            if (serves(&plan->set.list[c], shape))
                (*units)[count++] = (struct unit){shape, &plan->set.list[c], c};
    }
    if (count == 0) {
        free(*units);
        *units = NULL;
        return error("%s has no kernel for any of the %zu shapes asked for", plan->set.folder,
                     plan->suite.count);
    }
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

static json_t *modes_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < MODE_COUNT; i++)
        if (plan->modes[i])
            json_array_append_new(list, json_string(plan_mode_names[i]));
    return list;
}

static json_t *lenses_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < LENS_COUNT; i++)
        if (plan->lenses & 1 << i)
            json_array_append_new(list, json_string(plan_lens_names[i]));
    return list;
}

int plan_mode_lenses(const struct plan *plan, enum plan_mode mode) {
    int lenses = plan->lenses;
    if (mode == MODE_SERVER && plan->open_loop)
        return 1 << LENS_LATENCY;
    if (mode == MODE_SERVER || plan->cache == CACHE_COLD)
        lenses &= ~(1 << LENS_STREAM);
    return lenses;
}

void plan_device(const struct plan *plan, char text[40]) {
    if (strcmp(plan->device_kind, "host") == 0)
        snprintf(text, 40, "host");
    else
        snprintf(text, 40, "%s:%d", plan->device_kind, plan->ordinal);
}

static json_t *shapes_json(const struct plan *plan) {
    json_t *list = json_array();
    char text[SHAPE_TEXT];
    for (size_t i = 0; i < plan->suite.count; i++)
        json_array_append_new(list, json_string(shape_format(plan->suite.shapes[i], text)));
    return list;
}

static json_t *baselines_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->baseline_count; i++)
        json_array_append_new(list, json_string(plan->baselines[i]));
    return list;
}

static json_t *candidates_json(const struct plan *plan) {
    json_t *list = json_array();
    for (size_t i = 0; i < plan->set.count; i++) {
        const struct candidate *c = &plan->set.list[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "label", c->label, "file", c->file,
                                              "hash", c->source_hash));
    }
    return list;
}

static json_t *units_json(const struct unit *units, size_t count) {
    json_t *list = json_array();
    char id[UNIT_ID];
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(unit_id(&units[i], id)));
    return list;
}

/* What is made of each finding where it is not the default. */
static json_t *policy_json(const struct plan *plan) {
    json_t *object = json_object();
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        if (plan->policy.level[kind] != finding_default((enum finding_kind)kind))
            json_object_set_new(object, finding_word((enum finding_kind)kind),
                                json_string(finding_level_word(plan->policy.level[kind])));
    return object;
}

json_t *plan_json(const struct plan *plan, const struct unit *units, size_t count) {
    char device[40], seed[32];
    plan_device(plan, device);
    /* A string: JSON numbers lose integers past 2^53. */
    snprintf(seed, sizeof seed, "%" PRIu64, plan->seed);
    json_t *json = json_pack(
        "{s:i, s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:f, s:f, s:f, s:i, s:s, s:s, "
        "s:f, s:s, s:I, s:s, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:b, s:o, s:o}",
        "format", 2, "device", device, "suite", plan->suite.name, "shapes", shapes_json(plan),
        "accumulate", plan->accumulate == GEMM_F16 ? "f16" : "f32", "set", plan->set.name,
        "candidates", candidates_json(plan), "baselines", baselines_json(plan), "modes",
        modes_json(plan), "lenses", lenses_json(plan), "protocol",
        plan_protocol_names[plan->protocol], "warmup_seconds", plan->warmup_seconds,
        "duration_seconds", plan->duration_seconds, "precision", plan->precision, "rounds",
        plan->rounds, "cache", plan_cache_names[plan->cache], "arrival",
        plan->open_loop ? "poisson" : "closed", "qps", plan->qps, "seed", seed, "workspace_bytes",
        (json_int_t)plan->workspace_bytes, "autotune", plan->halving ? "halving" : "paper",
        "autotune_warmup", plan->tune_warmup, "autotune_rounds", plan->tune_rounds,
        "call_timeout_seconds", plan->call_timeout_seconds, "setup_timeout_seconds",
        plan->setup_timeout_seconds, "shape_timeout_seconds", plan->shape_timeout_seconds, "alpha",
        plan->alpha, "beta", plan->beta, "memcheck", plan->memcheck, "count_padding",
        plan->count_padding, "sandbox", plan->sandbox, "audit", plan->audit, "policy",
        policy_json(plan), "units", units_json(units, count));
    if (!json)
        error("no memory for the plan");
    return json;
}

double plan_device_bytes(const struct plan *plan, struct shape s) {
    double arms = plan->baseline_count + 3, half = 2.0, buffers = arms + 6;
    double operands = (double)s.m * (double)s.k + 2.0 * (double)s.k * (double)s.n;
    double outputs = arms * (double)s.m * (double)s.n;
    /* Every operand twice, for a candidate that asks for padding, and a workspace an arm. */
    return half * (2.0 * operands + outputs) + arms * (double)plan->workspace_bytes +
           buffers * 2.0 * GUARD_BYTES;
}

double plan_host_bytes(const struct plan *plan, struct shape s) {
    double reference = 4.0 * ((double)s.m * (double)s.k + (double)s.k * (double)s.n) +
                       2.0 * 4.0 * (double)s.m * (double)s.n;
    double shared = 2.0 * (double)s.m * (double)s.n;
    bool on_host = strcmp(plan->device_kind, "host") == 0;
    return reference + shared + (on_host ? plan_device_bytes(plan, s) : 0);
}

void plan_free(struct plan *plan) {
    suite_free(&plan->suite);
    set_free(&plan->set);
}
