#include "reports/run/fingerprint.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "reports/rows/plan_fields.h"
#include "reports/rows/run_json.h"

/* These are settings of the machine and no readings: the clocks of an idle machine differ between
 * any two runs. Of the plan the fields that are PLAN_ALIKE follow. */
static const struct {
    const char *path;
    bool of_host; /* matters on the host device alone */
} fields[] = {
    {"gpu.name", false},
    {"gpu.sm", false},
    {"gpu.memory_bytes", false},
    {"gpu.power_limit_w", false},
    {"gpu.mig", false},
    {"gpu.ecc", false},
    {"gpu.clocks.sm_max_mhz", false},
    {"gpu.clocks.memory_max_mhz", false},
    {"gpu.clocks.sm_application_mhz", false},
    {"gpu.clocks.memory_application_mhz", false},
    {"driver", false},
    {"cuda.runtime", false},
    {"cuda.cublas", false},
    {"cuda.cublaslt", false},
    {"cpu.model", true},
    {"cpu.cores_allowed", true},
    {"openblas", true},
    {"variables", false},
};
enum {
    FIELDS = sizeof fields / sizeof *fields,
#define X(name, sameness, ...) +(PLAN_##sameness == PLAN_ALIKE)
    FIELDS_OF_PLAN = 0 PLAN_FIELDS(X)
#undef X
};
_Static_assert(FIELDS + FIELDS_OF_PLAN <= FINGERPRINT_FIELDS, "all of them have room");

/* The value of a field that was left out. Earlier runs and stores know no element but f16. */
static const char *usual_of(const char *name) {
    return strcmp(name, "element") == 0 ? "f16" : "";
}

/* The value as text; "" for null and for nothing. Of what is too long the start, and a hash that
 * tells it from others with this start. */
static void to_text(const json_t *value, char text[FINGERPRINT_TEXT]) {
    enum { HASH = 1 + 16 };
    *text = 0;
    if (json_is_string(value)) {
        const char *whole = json_string_value(value);
        const size_t length = strlen(whole), start = FINGERPRINT_TEXT - 1 - HASH;
        if (length < FINGERPRINT_TEXT)
            strcpy(text, whole);
        else
            snprintf(text, FINGERPRINT_TEXT, "%.*s#%016llx", (int)start, whole,
                     (unsigned long long)XXH64(whole, length, 0));
    } else if (json_is_integer(value))
        snprintf(text, FINGERPRINT_TEXT, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, FINGERPRINT_TEXT, "%.9g", json_real_value(value));
    else if (json_is_boolean(value))
        strcpy(text, json_is_true(value) ? "yes" : "no");
}

/* Texts keep their NULs in the hash, so that no two lists of fields are the same bytes. */
static void set_key(struct fingerprint *fingerprint) {
    char bytes[FINGERPRINT_FIELDS * (sizeof fingerprint->names[0] + sizeof fingerprint->values[0])];
    size_t used = 0;
    for (size_t i = 0; i < fingerprint->count; i++) {
        const char *const texts[] = {fingerprint->names[i], fingerprint->values[i]};
        for (int t = 0; t < 2; t++) {
            const size_t length = strlen(texts[t]) + 1;
            memcpy(bytes + used, texts[t], length);
            used += length;
        }
    }
    snprintf(fingerprint->key, sizeof fingerprint->key, "%016llx",
             (unsigned long long)XXH64(bytes, used, 0));
}

/* A field that has its usual value is left out. */
static void take_field(struct fingerprint *fingerprint, const char *path, const json_t *from) {
    const size_t at = fingerprint->count;
    const char *usual = usual_of(path);
    strcpy(fingerprint->names[at], path);
    to_text(rundir_find(from, path), fingerprint->values[at]);
    const char *value = fingerprint->values[at];
    fingerprint->count += !*usual || (*value && strcmp(value, usual) != 0);
}

void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint) {
    const char *device = json_string_value(json_object_get(plan, "device"));
    const bool host = device && strncmp(device, "host", strlen("host")) == 0;
    fingerprint->count = 0;
    for (size_t i = 0; i < FIELDS; i++)
        take_field(fingerprint, fields[i].path, !fields[i].of_host || host ? manifest : NULL);
    for (const struct plan_field *field = plan_fields; field->name; field++)
        if (field->sameness == PLAN_ALIKE)
            take_field(fingerprint, field->name, plan);
    set_key(fingerprint);
}

json_t *fingerprint_json(const struct fingerprint *fingerprint) {
    json_t *list = json_object();
    bool failed = false;
    for (size_t i = 0; i < fingerprint->count; i++)
        failed |= json_object_set_new(list, fingerprint->names[i],
                                      json_string(fingerprint->values[i])) < 0;
    if (!failed)
        return json_pack("{s:s, s:o}", "key", fingerprint->key, "fields", list);
    json_decref(list);
    return NULL;
}

int fingerprint_from_json(const json_t *json, const char *file, struct fingerprint *fingerprint) {
    const char *key, *name;
    json_t *list, *value;
    *fingerprint = (struct fingerprint){.count = 0};
    if (json_unpack((json_t *)json, "{s:s, s:o!}", "key", &key, "fields", &list) < 0 ||
        !json_is_object(list))
        return error("%s: is no fingerprint: a key and an object of fields are wanted", file);
    json_object_foreach(list, name, value) {
        const size_t i = fingerprint->count;
        if (i == FINGERPRINT_FIELDS || strlen(name) >= sizeof fingerprint->names[i])
            return error("%s: %.60s is no field that this version knows", file, name);
        strcpy(fingerprint->names[i], name);
        if (!json_is_string(value) || json_string_length(value) >= FINGERPRINT_TEXT)
            return error("%s: %s must be a text of at most %zu bytes", file, name,
                         sizeof fingerprint->values[i] - 1);
        to_text(value, fingerprint->values[i]);
        fingerprint->count++;
    }
    set_key(fingerprint);
    return strcmp(key, fingerprint->key) == 0
               ? 0
               : error("%s: its key is %.40s and its fields give %s; it was changed: take it from "
                       "where it was promoted",
                       file, key, fingerprint->key);
}

/* NULL where it has no field of that name. */
static const char *find_field(const struct fingerprint *fingerprint, const char *name) {
    for (size_t i = 0; i < fingerprint->count; i++)
        if (strcmp(fingerprint->names[i], name) == 0)
            return fingerprint->values[i];
    return NULL;
}

/* Appends the field if it differs, and returns how many that makes. */
static size_t append(const char *name, const char *here, const char *there, size_t count,
                     char *text, size_t size) {
    here = here ? here : usual_of(name);
    there = there ? there : usual_of(name);
    if (strcmp(here, there) == 0)
        return count;
    text_append(text, size, "%s%s: here %s, there %s", count ? "; " : "", name,
                *here ? here : "(none)", *there ? there : "(none)");
    return count + 1;
}

size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size) {
    size_t count = 0;
    *text = 0;
    for (size_t i = 0; i < here->count; i++)
        count = append(here->names[i], here->values[i], find_field(there, here->names[i]), count,
                       text, size);
    for (size_t i = 0; i < there->count; i++)
        if (!find_field(here, there->names[i]))
            count = append(there->names[i], NULL, there->values[i], count, text, size);
    return count;
}
