/* A store of promoted runs: plain files, fit for git or a bucket.
 *
 *   STORE/store.json                 {"format": 4}
 *   STORE/KEY/fingerprint.json       KEY is fingerprint.key
 *   STORE/KEY/NAME/entry.json        name, promoted, run's start, plan hash, set, commit, the
 *                                    XXH128 of levels.csv, and by how much cards differ
 *   STORE/KEY/NAME/levels.csv        reports/pairs/pairs.h: ratios to the libraries of the same
 *                                    run, with the variances behind their intervals
 *
 * What begins with a dot is passed over (.git, a promotion that was killed); anything else that is
 * not of a store is refused. Functions return 0, or -1 after error() that names file, cause and
 * what to do. */
#ifndef REPORTS_STORE_STORE_H
#define REPORTS_STORE_STORE_H

#include "reports/pairs/pairs.h"
#include "reports/store/store_entry.h"

/* Whether the folder is a store. */
bool store_is(const char *folder);

/* Adds a run: complete, verified, controls passed, at least two visits, and at least one honest
 * kernel with a library beside it; makes the store if there is none. name NULL: the start of the
 * run and its plan hash's first eight digits. A name that is there already is refused. now:
 * 2026-01-31T23:59:59Z. Refused, too, is a run that is there already, one whose gate found it wrong
 * or slower, and where there is an entry with its fingerprint one that had no gate or lacks shapes
 * of the newest such; `force`, a reason, takes it all the same and is kept (NULL: none). again: runs
 * of the same plan, NULL-ended (NULL: none), which agree.h takes and which say by how much cards
 * differ. *entry is what was added. */
int store_promote(const char *store, const char *run, const char *const *again, const char *name,
                  const char *force, const char *now, struct store_entry *entry);

/* All entries, oldest promotion first, then by name; the caller frees *list. A damaged entry is an
 * error; levels.csv is looked at by store_read alone. */
int store_list(const char *store, struct store_entry **list, size_t *count);

/* Reads an entry's levels and fingerprint; levels.csv that is not what entry.json says is refused.
 */
int store_read(const char *store, const struct store_entry *entry, struct pairs *speeds,
               struct fingerprint *fingerprint);

/* Makes the speeds that store_read has read as uncertain as they are for a card that has not measured
 * them. 1, 0 where nothing is known of how cards differ, or -1 after error(). */
int store_on_other_card(const char *store, const struct store_entry *entry, struct pairs *speeds);

/* The entry of that name, or (NULL) the newest one, with this fingerprint (NULL: with any). 1
 * found; 0 not, with the fields in which the nearest entry differs, or what else there is, in
 * `why`; -1 after error(). */
int store_find(const char *store, const char *name, const struct fingerprint *fingerprint,
               struct store_entry *entry, char *why, size_t size);

#endif
