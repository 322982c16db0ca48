/* What two measurements must have in common to be compared. */
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

/* GPU (name, SM, memory, power limit, MIG, ECC, maximum and application clocks), driver, CUDA
 * runtime, cuBLAS, cuBLASLt, environment variables that matter, on the host device CPU model, cores
 * allowed and OpenBLAS; and of the plan accumulate, protocol, cache, qps,
 * workspace, autotune, and the element where it is not f16: what plan.json and manifest.json of the
 * run hold or will hold. What they do not say is "", and equal to "" alone. */
void fingerprint_take(const json_t *plan, const json_t *manifest, struct fingerprint *fingerprint);

/* {"key": KEY, "fields": {NAME: VALUE, ...}}, and back; fields that do not give the key are
 * refused. NULL where a value is no UTF-8. */
json_t *fingerprint_json(const struct fingerprint *fingerprint);
int fingerprint_from_json(const json_t *json, const char *file, struct fingerprint *fingerprint);

/* Writes the differing fields as "name: here A, there B; ..." and returns how many differ. */
size_t fingerprint_differ(const struct fingerprint *here, const struct fingerprint *there,
                          char *text, size_t size);

#endif
