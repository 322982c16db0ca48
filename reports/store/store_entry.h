/* One entry of a store, its files and folders. The functions are for store.c, which lists, and
 * store_promote.c, which adds. */
#ifndef REPORTS_STORE_STORE_ENTRY_H
#define REPORTS_STORE_STORE_ENTRY_H

#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"

struct store_entry {
    char key[17], name[RUNDIR_NAME];
    char promoted[32], start[32], plan_hash[33], set[RUNDIR_NAME], commit[64], device[RUNDIR_TEXT];
    char forced[RUNDIR_TEXT]; /* why it was promoted although it is refused; "": it is not */
    char kernels[64];         /* the commit of the kernels' own repository; "": in none */
    size_t shapes, rounds;
};

/* In store.json. */
#define STORE_FORMAT 4

/* A name becomes a folder's in repositories and buckets of every kind. */
bool store_name_is_fit(const char *name);
bool store_key_is_fit(const char *key);
bool store_time_is_fit(const char *time); /* 2026-01-31T23:59:59Z: entries are sorted by it */
bool store_is_folder(const char *path);

/* Calls visit for everything in the folder, by name, as long as it returns 0. What begins with a
 * dot is passed over. Returns what visit did, or -1 after error(). */
int store_each(const char *folder, int (*visit)(const char *folder, const char *name, void *to),
               void *to);

/* entry.json in the folder KEY/NAME; hash is what levels.csv must have. */
int store_entry_read(const char *folder, const char *key, const char *name,
                     struct store_entry *entry, char hash[33]);
int store_entry_write(const char *folder, const struct store_entry *entry, const char *hash);

/* fingerprint.json in the folder KEY. */
int store_fingerprint_read(const char *folder, const char *key, struct fingerprint *fingerprint);
int store_fingerprint_write(const char *folder, const struct fingerprint *fingerprint);

/* Keeps the entries of that name; returns how many there are. */
size_t store_keep_named(struct store_entry *list, size_t count, const char *name);

#endif
