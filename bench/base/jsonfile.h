/* JSON in files, on top of jansson (whose own names begin with json_). */
#ifndef BENCH_BASE_JSONFILE_H
#define BENCH_BASE_JSONFILE_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/* Reads folder/name; NULL after error() that names file, line and cause, and asks whether the
 * folder is `what`: "a run directory". An object with two members of one name is refused. The
 * caller decrefs. */
json_t *jsonfile_read(const char *folder, const char *name, const char *what);

/* Writes folder/name whole or not at all. 0, or -1 after error(). */
int jsonfile_write(const char *folder, const char *name, const json_t *json);

/* Prints json, which it takes, and a newline; numbers have so many digits. NULL is what jansson
 * makes of what is no UTF-8. 0, or -1 after error() that names `what`. */
int jsonfile_print(FILE *out, json_t *json, int digits, int flags, const char *what);

/* A text; each byte that cannot be shown (bench/base/utf8.h) becomes U+FFFD. */
json_t *jsonfile_string(const char *text);

/* A number, or null for NaN and infinities, which JSON does not have. */
json_t *jsonfile_number(double value);

/* What stands at a dotted path, "gpu.clocks.sm_mhz"; NULL where nothing does. */
const json_t *jsonfile_find(const json_t *json, const char *path);

/* The text of an object's member, or "". */
const char *jsonfile_text(const json_t *object, const char *member);

/* Whether one of the list's elements is that text; no element is NULL. */
bool jsonfile_lists(const json_t *list, const char *text);

/* The first object of the list whose member is that text: borrowed, or NULL. */
json_t *jsonfile_entry(const json_t *list, const char *member, const char *text);

#endif
