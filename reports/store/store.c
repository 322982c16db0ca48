#include "reports/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/store/store_entry.h"

bool store_is(const char *folder) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/store.json", folder) < PATH_MAX &&
           access(path, F_OK) == 0;
}

static int check_store(const char *store) {
    int format = 0;
    if (!store_is(store))
        return error("%s: is no store: it has no store.json; `gemmgate baseline promote RUN "
                     "--store %s` makes one in a new folder",
                     store, store);
    json_t *json = jsonfile_read(store, "store.json", "a store");
    if (!json)
        return -1;
    int status = json_unpack(json, "{s:i}", "format", &format) < 0 || format != STORE_FORMAT
                     ? error("%s/store.json: says format %d where this version knows %d: %s", store,
                             format, STORE_FORMAT,
                             format < STORE_FORMAT
                                 ? "promote its runs again into a new store; runs that an earlier "
                                   "version has measured are measured again"
                                 : "take the version of gemmgate that wrote it")
                     : 0;
    json_decref(json);
    return status;
}

static int refuse_foreign(const char *folder, const char *name) {
    return error("%s/%s: does not belong into a store; move it elsewhere", folder, name);
}

struct listing {
    struct store_entry *list;
    size_t count;
    const char *key; /* of the folder that is being read */
};

static int visit_file(const char *folder, const char *name, void *to) {
    (void)to;
    return strcmp(name, "entry.json") == 0 || strcmp(name, "levels.csv") == 0
               ? 0
               : refuse_foreign(folder, name);
}

static int visit_entry(const char *folder, const char *name, void *to) {
    struct listing *listing = to;
    char path[PATH_MAX], hash[33];
    if (strcmp(name, "fingerprint.json") == 0)
        return 0;
    if (files_join(path, folder, name) < 0)
        return -1;
    if (!store_name_is_fit(name) || !store_is_folder(path))
        return refuse_foreign(folder, name);
    listing->list = need_more(listing->list, listing->count, sizeof *listing->list);
    if (store_each(path, visit_file, NULL) < 0 ||
        store_entry_read(path, listing->key, name, &listing->list[listing->count], hash) < 0)
        return -1;
    listing->count++;
    return 0;
}

static int visit_key(const char *store, const char *name, void *to) {
    struct listing *listing = to;
    struct fingerprint fingerprint;
    char path[PATH_MAX];
    if (strcmp(name, "store.json") == 0)
        return 0;
    if (files_join(path, store, name) < 0)
        return -1;
    if (!store_key_is_fit(name) || !store_is_folder(path))
        return refuse_foreign(store, name);
    listing->key = name;
    return store_fingerprint_read(path, name, &fingerprint) < 0
               ? -1
               : store_each(path, visit_entry, listing);
}

static int compare_entries(const void *left, const void *right) {
    const struct store_entry *a = left, *b = right;
    int order = strcmp(a->promoted, b->promoted);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : strcmp(a->key, b->key);
}

int store_list(const char *store, struct store_entry **list, size_t *count) {
    struct listing listing = {.count = 0};
    *list = NULL;
    *count = 0;
    if (check_store(store) < 0 || store_each(store, visit_key, &listing) < 0) {
        free(listing.list);
        return -1;
    }
    if (listing.count > 0)
        qsort(listing.list, listing.count, sizeof *listing.list, compare_entries);
    *list = listing.list;
    *count = listing.count;
    return 0;
}

int store_read(const char *store, const struct store_entry *entry, struct pairs *speeds,
               struct fingerprint *fingerprint) {
    char key[PATH_MAX], folder[PATH_MAX], path[PATH_MAX], wanted[33], found[33];
    struct store_entry again;
    if (!store_key_is_fit(entry->key) || !store_name_is_fit(entry->name))
        return error("'%s' in '%s' cannot be an entry of a store", entry->name, entry->key);
    if (files_join(key, store, entry->key) < 0 || files_join(folder, key, entry->name) < 0 ||
        files_join(path, folder, "levels.csv") < 0 ||
        store_fingerprint_read(key, entry->key, fingerprint) < 0 ||
        store_entry_read(folder, entry->key, entry->name, &again, wanted) < 0 ||
        hash_file(path, found) < 0)
        return -1;
    if (strcmp(wanted, found) != 0)
        return error("%s: is not what was promoted: entry.json says XXH128 %s and it has %s; "
                     "restore it, or promote the run again",
                     path, wanted, found);
    return pairs_read_csv(path, speeds);
}

int store_on_other_card(const char *store, const struct store_entry *entry, struct pairs *speeds) {
    char key[PATH_MAX], folder[PATH_MAX];
    if (files_join(key, store, entry->key) < 0 || files_join(folder, key, entry->name) < 0)
        return -1;
    const long known = store_entry_widen(folder, speeds);
    return known < 0 ? -1 : known > 0;
}

/* Names of all entries, as far as they fit. */
static void put_names(const struct store_entry *list, size_t count, const char *name, char *why,
                      size_t size) {
    snprintf(why, size, "no entry is called %s; there %s", name, count == 0 ? "is none" : "are: ");
    for (size_t i = 0; i < count; i++)
        text_append(why, size, "%s%s", i ? ", " : "", list[i].name);
}

/* Which of the entries is wanted but for its fingerprint differs least? */
static int put_nearest(const char *store, const struct store_entry *list, size_t count,
                       const struct fingerprint *fingerprint, char *why, size_t size) {
    char path[PATH_MAX], text[FINGERPRINT_FIELDS * 2 * FINGERPRINT_TEXT];
    size_t least = SIZE_MAX;
    snprintf(why, size, "the store is empty");
    for (size_t i = count; i-- > 0;) {
        struct fingerprint there;
        if (files_join(path, store, list[i].key) < 0 ||
            store_fingerprint_read(path, list[i].key, &there) < 0)
            return -1;
        const size_t differ = fingerprint_differ(fingerprint, &there, text, sizeof text);
        if (differ >= least)
            continue;
        least = differ;
        snprintf(why, size, "%s differs in %s", list[i].name, text);
    }
    return 0;
}

int store_find(const char *store, const char *name, const struct fingerprint *fingerprint,
               struct store_entry *entry, char *why, size_t size) {
    struct store_entry *list;
    size_t count, named;
    int status = 0;
    *why = 0;
    if (store_list(store, &list, &count) < 0)
        return -1;
    if (name) {
        put_names(list, count, name, why, size);
        named = store_keep_named(list, count, name);
        if (named == 0)
            goto done;
        count = named;
    }
    for (size_t i = count; i-- > 0 && status == 0;)
        if (!fingerprint || strcmp(list[i].key, fingerprint->key) == 0) {
            *entry = list[i];
            status = 1;
        }
    if (status == 1)
        *why = 0;
    else if (fingerprint)
        status = put_nearest(store, list, count, fingerprint, why, size);
    else
        snprintf(why, size, "the store is empty");
done:
    free(list);
    return status;
}
