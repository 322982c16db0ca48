#include "reports/run/fingerprint.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "reports/query/query.h"
#include "reports/rows/plan_fields.h"

enum source {
    MACHINE,
    HOST,
    PLAN
}; /* HOST: of the machine, and matters on the host device alone */

/* Of a machine these are settings and no readings: the clocks of an idle machine differ between any
 * two runs. */
#define OWN_FIELD(name)
#define SAME_FIELD(name)
#define ALIKE_FIELD(name) {#name, PLAN},
#define X(name, sameness, ...) sameness##_FIELD(name)
static const struct {
    const char *path;
    enum source source;
} fields[] = {{"gpu.name", MACHINE},
              {"gpu.sm", MACHINE},
              {"gpu.memory_bytes", MACHINE},
              {"gpu.power_limit_w", MACHINE},
              {"gpu.mig", MACHINE},
              {"gpu.ecc", MACHINE},
              {"gpu.clocks.sm_max_mhz", MACHINE},
              {"gpu.clocks.memory_max_mhz", MACHINE},
              {"gpu.clocks.sm_application_mhz", MACHINE},
              {"gpu.clocks.memory_application_mhz", MACHINE},
              {"driver", MACHINE},
              {"cuda.runtime", MACHINE},
              {"cuda.cublas", MACHINE},
              {"cuda.cublaslt", MACHINE},
              {"cpu.model", HOST},
              {"cpu.cores_allowed", HOST},
              {"openblas", HOST},
              {"variables", MACHINE},
              PLAN_FIELDS(X)};
#undef X
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert(FIELDS <= FINGERPRINT_FIELDS, "all of them have room");

/* The value as text; "" for null and for nothing. */
static const char *text_of(const json_t *value) {
    char number[32] = "";
    if (json_is_string(value))
        return kept_text(json_string_value(value));
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(number, sizeof number, "%.9g", json_real_value(value));
    else if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    return kept_text(number);
}

void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint) {
    const bool host = text_begins(jsonfile_text(plan, "device"), "host");
    XXH64_hash_t key = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        const json_t *value =
            jsonfile_find(fields[i].source == PLAN ? plan : manifest, fields[i].path);
        const char *text = host || fields[i].source != HOST ? text_of(value) : "";
        key = XXH64(text, strlen(text) + 1, key);
        fingerprint->values[i] = text;
    }
    snprintf(fingerprint->key, sizeof fingerprint->key, "%016llx", (unsigned long long)key);
}

size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size) {
    size_t count = 0;
    *text = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        const char *a = here->values[i], *b = there->values[i];
        if (strcmp(a, b) != 0)
            text_append(text, size, "%s%s: here %s, there %s", count++ ? "; " : "", fields[i].path,
                        *a ? a : "(none)", *b ? b : "(none)");
    }
    return count;
}

#define OWN_NAME(name) "\"" #name "\", "
#define SAME_NAME(name)
#define ALIKE_NAME(name)
#define X(name, sameness, ...) sameness##_NAME(name)
static const char own[] = "[" PLAN_FIELDS(X) "\"\"]";
#undef X

bool fingerprint_plans_differ(const json_t *here, const json_t *there, bool of_one_plan,
                              struct plan_difference *found) {
    char *one = json_dumps(here, JSON_REAL_PRECISION(12));
    char *other = json_dumps(there, JSON_REAL_PRECISION(12));
    sqlite3 *db = query_open_empty();
    sqlite3_stmt *first =
        query_ask(db, query_plan_difference, one, other, of_one_plan ? own : "[]", NULL);
    const bool differ = query_next(first);
    if (differ) {
        snprintf(found->path, sizeof found->path, "%s", query_text(first, "path"));
        snprintf(found->here, sizeof found->here, "%s", query_text(first, "here"));
        snprintf(found->there, sizeof found->there, "%s", query_text(first, "there"));
        sqlite3_finalize(first);
    }
    sqlite3_close(db);
    free(one);
    free(other);
    return differ;
}
