#include "reports/run/fingerprint.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

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

/* Whether the field is of the plan, and its name; the machine's come first. NULL behind the last. */
static const char *name_of(size_t field, bool *of_plan) {
    *of_plan = field >= FIELDS;
    if (!*of_plan)
        return fields[field].path;
    field -= FIELDS;
    for (const struct plan_field *at = plan_fields; at->name; at++)
        if (at->sameness == PLAN_ALIKE && field-- == 0)
            return at->name;
    return NULL;
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

void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint) {
    const char *device = json_string_value(json_object_get(plan, "device")), *name;
    const bool host = device && strncmp(device, "host", strlen("host")) == 0;
    bool of_plan;
    *fingerprint = (struct fingerprint){.key = ""};
    for (size_t i = 0; (name = name_of(i, &of_plan)); i++)
        if (of_plan || host || !fields[i].of_host)
            to_text(rundir_find(of_plan ? plan : manifest, name), fingerprint->values[i]);
    snprintf(fingerprint->key, sizeof fingerprint->key, "%016llx",
             (unsigned long long)XXH64(fingerprint->values, sizeof fingerprint->values, 0));
}

size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size) {
    const char *name;
    size_t count = 0;
    bool of_plan;
    *text = 0;
    for (size_t i = 0; (name = name_of(i, &of_plan)); i++) {
        const char *a = here->values[i], *b = there->values[i];
        if (strcmp(a, b) != 0)
            text_append(text, size, "%s%s: here %s, there %s", count++ ? "; " : "", name,
                        *a ? a : "(none)", *b ? b : "(none)");
    }
    return count;
}
