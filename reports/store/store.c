#include "reports/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/tables/runs.h"

/* The path of a folder in it. False where the name is none of an entry, or of no folder. */
static bool find_folder(const char *store, const char *name, char path[PATH_MAX]) {
    struct stat is;
    return *name != '.' && files_join(path, store, name) == 0 && lstat(path, &is) == 0 &&
           S_ISDIR(is.st_mode);
}

bool store_is(const char *folder) {
    char **names = files_names(folder), entry[PATH_MAX], path[PATH_MAX];
    bool is = false;
    for (size_t i = 0; names && names[i] && !is; i++) {
        json_t *manifest =
            find_folder(folder, names[i], entry) && files_join(path, entry, "manifest.json") == 0
                ? json_load_file(path, 0, NULL)
                : NULL;
        is = json_object_get(manifest, RUNDIR_PROMOTED) != NULL;
        json_decref(manifest);
    }
    files_free_names(names);
    return is;
}

bool store_time_is_fit(const char *time) {
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t i = 0;
    while (time[i] && i < sizeof form &&
           (form[i] == '0' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i]))
        i++;
    return i == sizeof form - 1 && !time[i];
}

int store_entry_open(const char *path, struct store_entry *entry) {
    struct rundir *run = &entry->run;
    *entry = (struct store_entry){0};
    run->folder = need_copy(path);
    if (!rundir_is(path))
        return error("%s: does not belong into a store; move it elsewhere", path);
    if (rundir_open(run->folder, run) < 0)
        return -1;
    const json_t *promoted = json_object_get(run->manifest, RUNDIR_PROMOTED);
    entry->name = strrchr(run->folder, '/') + 1;
    entry->promoted = jsonfile_text(promoted, "at");
    entry->shapes = (size_t)json_integer_value(json_object_get(promoted, "shapes"));
    if (!promoted)
        return error("%s: was not promoted, and does not belong into a store; move it elsewhere",
                     path);
    return store_time_is_fit(entry->promoted)
               ? 0
               : error("%s/manifest.json: promoted at '%s', and a time like 2026-01-31T23:59:59Z "
                       "is wanted",
                       path, entry->promoted);
}

void store_entry_close(struct store_entry *entry) {
    char *folder = (char *)entry->run.folder;
    rundir_close(&entry->run);
    free(folder);
}

static int compare_entries(const void *left, const void *right) {
    const struct store_entry *a = left, *b = right;
    const int order = strcmp(a->promoted, b->promoted);
    return order ? order : strcmp(a->name, b->name);
}

int store_open(const char *folder, struct store *store) {
    char **names = files_names(folder), path[PATH_MAX];
    int status = 0;
    *store = (struct store){0};
    if (!store_is(folder))
        status = error("%s: is no store: it has no promoted run; `gemmgate baseline promote RUN "
                       "--store %s` makes one in a new folder",
                       folder, folder);
    for (size_t i = 0; names && names[i] && status == 0; i++)
        if (find_folder(folder, names[i], path)) {
            store->list = need_more(store->list, store->count, sizeof *store->list);
            status = store_entry_open(path, &store->list[store->count++]);
        }
    files_free_names(names);
    if (status == 0 && store->count > 0)
        qsort(store->list, store->count, sizeof *store->list, compare_entries);
    return status;
}

void store_close(struct store *store) {
    for (size_t i = 0; i < store->count; i++)
        store_entry_close(&store->list[i]);
    free(store->list);
    *store = (struct store){0};
}

/* Names of all entries, as far as they fit. */
static void put_names(const struct store *store, const char *name, char *why, size_t size) {
    snprintf(why, size, "no entry is called %s; there are: ", name);
    for (size_t i = 0; i < store->count; i++)
        text_append(why, size, "%s%s", i ? ", " : "", store->list[i].name);
}

/* Finds the newest entry of that name (NULL: of any) and fingerprint. If there is none, says which of
 * that name differs least. */
static bool choose(const struct store *store, const char *name, const struct fingerprint *wanted,
                   char found[PATH_MAX], char *why, size_t size) {
    char text[8192] = "";
    size_t least = SIZE_MAX;
    for (size_t i = store->count; i-- > 0;) {
        const struct store_entry *entry = &store->list[i];
        if (name && strcmp(entry->name, name) != 0)
            continue;
        const size_t differ =
            wanted ? fingerprint_differ(wanted, &entry->run.fingerprint, text, sizeof text) : 0;
        if (differ == 0) {
            snprintf(found, PATH_MAX, "%s", entry->run.folder);
            *why = 0;
            return true;
        }
        if (differ < least)
            snprintf(why, size, "%s differs in %s", entry->name, text);
        least = differ < least ? differ : least;
    }
    if (least == SIZE_MAX)
        put_names(store, name, why, size);
    *found = 0;
    return false;
}

int store_find(const char *folder, const char *name, const struct fingerprint *fingerprint,
               char found[PATH_MAX], char *why, size_t size) {
    struct store store;
    int status = store_open(folder, &store);
    if (status == 0)
        status = choose(&store, name, fingerprint, found, why, size);
    store_close(&store);
    return status;
}

const char *store_number(size_t number, char name[STORE_NUMBER]) {
    snprintf(name, STORE_NUMBER, "%08zu", number);
    return name;
}

void store_load(sqlite3 *db, const struct store *store) {
    char name[STORE_NUMBER];
    for (size_t i = 0; i < store->count; i++)
        runs_add(db, store_number(i, name), &store->list[i].run, NULL);
}
