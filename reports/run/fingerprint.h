/* The settings that two measurements must have in common to be compared. */
#ifndef REPORTS_RUN_FINGERPRINT_H
#define REPORTS_RUN_FINGERPRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FINGERPRINT_FIELDS 32

struct fingerprint {
    const char *values[FINGERPRINT_FIELDS]; /* kept (kept_text); "": not known */
    char key[17];                           /* XXH64 of all of it, hex */
};

/* What plan.json and manifest.json of a run hold, or will hold: the settings of the machine that
 * fingerprint.c lists, and the fields of the plan that are ALIKE (plan_fields.h). */
void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint);

/* Writes the differing fields as "name: here A, there B; ..." and returns how many differ. A name is
 * a path in manifest.json or plan.json, as "gpu.name". */
size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size);

/* The first place where two plans differ, "shapes[3]", and what stands there, as JSON or "absent". */
struct plan_difference {
    char path[256], here[128], there[128];
};

/* Whether there is one; of runs of one plan, but for the fields that are OWN. */
bool fingerprint_plans_differ(const json_t *here, const json_t *there, bool of_one_plan,
                              struct plan_difference *found);

#endif
