/* The settings that two measurements must have in common to be compared. */
#ifndef REPORTS_RUN_FINGERPRINT_H
#define REPORTS_RUN_FINGERPRINT_H

#include <jansson.h>
#include <stddef.h>

#define FINGERPRINT_FIELDS 32
#define FINGERPRINT_TEXT 256

struct fingerprint {
    char names[FINGERPRINT_FIELDS][48]; /* "gpu.name", as a path in manifest.json or plan.json */
    char values[FINGERPRINT_FIELDS][FINGERPRINT_TEXT];
    size_t count;
    char key[17]; /* XXH64 of all of it, hex: names a folder of a store */
};

/* What plan.json and manifest.json of a run hold, or will hold: the settings of the machine that
 * fingerprint.c lists, and the fields of the plan that are PLAN_ALIKE. A field that they do not
 * have is "", and equal to "" alone. */
void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint);

/* {"key": KEY, "fields": {NAME: VALUE, ...}}, and back; fields that do not give the key are
 * refused. NULL where a value is no UTF-8. */
json_t *fingerprint_json(const struct fingerprint *fingerprint);
int fingerprint_from_json(const json_t *json, const char *file, struct fingerprint *fingerprint);

/* Writes the differing fields as "name: here A, there B; ..." and returns how many differ. */
size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size);

#endif
