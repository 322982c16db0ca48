/* A store: a folder of runs that were promoted, fit for git or a bucket.
 *
 *   STORE/NAME/    a run without its raw samples: plan.json, the CSV files, xxh128sums, and
 *                  manifest.json with one member more:
 *
 *     "promoted": {"at": "2026-01-31T23:59:59Z",
 *                  "shapes": 100,              with an honest kernel and a library beside it
 *                  "forced": "..."}            why, although the run is refused; else absent
 *
 * An entry is read as any run is. Its digests show whether it was changed. Files, and folders whose
 * name begins with a dot, are passed over; a folder without such a run is refused. Functions
 * return 0, or -1 after error() that names file, cause and what to do. */
#ifndef REPORTS_STORE_STORE_H
#define REPORTS_STORE_STORE_H

#include "reports/query/query.h"
#include "reports/run/opened.h"

struct store_entry {
    struct rundir run; /* opened; its rows are read by who wants them. Its folder is the entry's */
    const char *name, *promoted; /* these texts are of the run */
    size_t shapes;
};

/* Of the folder STORE/NAME. Either way the caller ends it with store_entry_close, which takes one of
 * zeros, too. */
int store_entry_open(const char *folder, struct store_entry *entry);
void store_entry_close(struct store_entry *entry);

struct store {
    struct store_entry *list; /* the oldest promotion first, then by name */
    size_t count;
};

bool store_time_is_fit(const char *time); /* 2026-01-31T23:59:59Z: entries are sorted by it */

/* Whether the folder holds a promoted run. */
bool store_is(const char *folder);

/* Opens all entries. Either way the caller ends it with store_close. */
int store_open(const char *folder, struct store *store);
void store_close(struct store *store);

/* Adds a run: complete, verified, controls passed, at least two visits, and at least one honest
 * kernel with a library beside it; makes the store if there is none. name NULL: the start of the
 * run and its plan hash's first eight digits. A name that is there already is refused. now:
 * 2026-01-31T23:59:59Z. Refused, too, is a run that is there already, one whose gate found it wrong
 * or slower, and where there is an entry with its fingerprint one that had no gate or lacks shapes
 * of the newest such; `force`, a reason, takes it all the same and is kept (NULL: none). *entry is the
 * new one; the caller ends it with store_entry_close where this returns 0. */
int store_promote(const char *store, const char *run, const char *name, const char *force,
                  const char *now, struct store_entry *entry);

/* The folder of the entry of that name, or (NULL) of the newest one, with this fingerprint (NULL:
 * with any). 1 found; 0 not, with the fields in which the nearest entry differs, or what else there
 * is, in `why`; -1 after error(). */
int store_find(const char *store, const char *name, const struct fingerprint *fingerprint,
               char folder[PATH_MAX], char *why, size_t size);

/* Adds all entries to the view `entries`, each called by its number. */
void store_load(sqlite3 *db, const struct store *store);

/* The name of an entry's run in the database; returns name. */
#define STORE_NUMBER 24
const char *store_number(size_t number, char name[STORE_NUMBER]);

#endif
