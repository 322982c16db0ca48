/* The settings that two measurements must have in common to be compared. */
#ifndef REPORTS_RUN_FINGERPRINT_H
#define REPORTS_RUN_FINGERPRINT_H

#include <jansson.h>
#include <stddef.h>

#define FINGERPRINT_FIELDS 32

struct fingerprint {
    const char *values[FINGERPRINT_FIELDS]; /* kept (kept_text.h); "": not known */
    char key[17];                           /* XXH64 of all of it, hex */
};

/* What plan.json and manifest.json of a run hold, or will hold: the settings of the machine that
 * fingerprint.c lists, and the fields of the plan that are PLAN_ALIKE. */
void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint);

/* Writes the differing fields as "name: here A, there B; ..." and returns how many differ. A name is
 * a path in manifest.json or plan.json, as "gpu.name". */
size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size);

#endif
