/* One entry of a store, its files and folders. The functions are for store.c, which lists, and
 * store_promote.c, which adds. */
#ifndef REPORTS_STORE_STORE_ENTRY_H
#define REPORTS_STORE_STORE_ENTRY_H

#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"
#include "reports/tables/cards.h"

struct store_entry {
    char key[17], name[RUNDIR_NAME];
    char promoted[32], start[32], plan_hash[33], set[RUNDIR_NAME], commit[64], device[RUNDIR_TEXT];
    char forced[RUNDIR_TEXT]; /* why it was promoted although it is refused; "": it is not */
    char kernels[64];         /* the commit of the kernels' own repository; "": in none */
    char cards[512];          /* of struct about: which have measured it; "": not known */
    size_t shapes, visits;
};

/* In store.json. */
#define STORE_FORMAT 6

/* A name becomes a folder's in repositories and buckets of every kind. */
bool store_name_is_fit(const char *name);
bool store_key_is_fit(const char *key);
bool store_time_is_fit(const char *time); /* 2026-01-31T23:59:59Z: entries are sorted by it */
bool store_is_folder(const char *path);

/* Calls visit for everything in the folder, by name, as long as it returns 0. What begins with a
 * dot is passed over. Returns what visit did, or -1 after error(). */
int store_each(const char *folder, int (*visit)(const char *folder, const char *name, void *to),
               void *to);

/* entry.json in the folder KEY/NAME; hash is what levels.csv must have. differences: what
 * store_differ has made; NULL where one card has measured it. */
int store_entry_read(const char *folder, const char *key, const char *name,
                     struct store_entry *entry, char hash[33]);
int store_entry_write(const char *folder, const struct store_entry *entry, const char *hash,
                      json_t *differences);

/* By how much cards differ, as entry.json keeps it: how far ln ratio may be on another card, at most
 * with 95 %, by candidate, reference, mode, lens and size class. */
json_t *store_differ(const struct cards *cards);

/* Adds that to what speeds are uncertain by. How many of them are known in that way, or -1 after
 * error(). */
long store_entry_widen(const char *folder, struct pairs *speeds);

/* fingerprint.json in the folder KEY. */
int store_fingerprint_read(const char *folder, const char *key, struct fingerprint *fingerprint);
int store_fingerprint_write(const char *folder, const struct fingerprint *fingerprint);

/* Keeps the entries of that name; returns how many there are. */
size_t store_keep_named(struct store_entry *list, size_t count, const char *name);

#endif
