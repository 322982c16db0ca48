#include "reports/store/store_entry.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/rows/size_class.h"
#include "timing/tails.h"

/* The texts of entry.json. */
#define TEXT(member)                                                                               \
    { #member, offsetof(struct store_entry, member), sizeof(((struct store_entry *)0)->member) }
static const struct {
    const char *name;
    size_t offset, size;
} texts[] = {TEXT(name),   TEXT(key),    TEXT(promoted), TEXT(start),   TEXT(plan_hash), TEXT(set),
             TEXT(commit), TEXT(device), TEXT(forced),   TEXT(kernels), TEXT(cards)};
enum { TEXTS = sizeof texts / sizeof *texts, NEEDED = TEXTS - 3 }; /* older entries lack the rest */

bool store_name_is_fit(const char *name) {
    return *name && *name != '.' && strlen(name) < RUNDIR_NAME &&
           name[strspn(name,
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-")] == 0;
}

bool store_key_is_fit(const char *key) {
    return strlen(key) == 16 && strspn(key, "0123456789abcdef") == 16;
}

bool store_time_is_fit(const char *time) {
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t i = 0;
    while (time[i] && i < sizeof form &&
           (form[i] == '0' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i]))
        i++;
    return i == sizeof form - 1 && !time[i];
}

bool store_is_folder(const char *path) {
    struct stat is;
    return lstat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

static int compare_texts(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry) {
    return *entry->d_name != '.';
}

int store_each(const char *folder, int (*visit)(const char *folder, const char *name, void *to),
               void *to) {
    struct dirent **list;
    int count = scandir(folder, &list, is_shown, compare_texts), status = 0;
    if (count < 0)
        return error("%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == 0)
            status = visit(folder, list[i]->d_name, to);
        free(list[i]);
    }
    free(list);
    return status;
}

/* From entry.json; hash is what levels.csv must have. */
static int take_entry(const json_t *json, const char *file, struct store_entry *entry,
                      char hash[33]) {
    json_int_t shapes, visits;
    const char *digest;
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = json_string_value(json_object_get(json, texts[i].name));
        if (!text && i >= NEEDED)
            continue;
        if (!text || strlen(text) >= texts[i].size)
            return error("%s: %s must be a text of at most %zu bytes", file, texts[i].name,
                         texts[i].size - 1);
        strcpy((char *)entry + texts[i].offset, text);
    }
    if (json_unpack((json_t *)json, "{s:I, s:I, s:s}", "shapes", &shapes, "visits", &visits,
                    "levels", &digest) < 0 ||
        shapes < 1 || visits < 2 || strlen(digest) != 32)
        return error("%s: lacks shapes, visits or the hash of levels.csv", file);
    if (!store_time_is_fit(entry->promoted))
        return error("%s: promoted is '%s', and a time like 2026-01-31T23:59:59Z is wanted", file,
                     entry->promoted);
    entry->shapes = (size_t)shapes;
    entry->visits = (size_t)visits;
    strcpy(hash, digest);
    return 0;
}

int store_entry_read(const char *folder, const char *key, const char *name,
                     struct store_entry *entry, char hash[33]) {
    char path[PATH_MAX];
    *entry = (struct store_entry){.shapes = 0};
    if (files_join(path, folder, "entry.json") < 0)
        return -1;
    json_t *json = jsonfile_read(folder, "entry.json", "part of a store");
    int status = json ? take_entry(json, path, entry, hash) : -1;
    json_decref(json);
    if (status == 0 && strcmp(entry->name, name) != 0)
        status = error("%s: calls itself %s; give the folder that name back", path, entry->name);
    if (status == 0 && strcmp(entry->key, key) != 0)
        status = error("%s: belongs to the fingerprint %s; move its folder back there", path,
                       entry->key);
    return status;
}

int store_fingerprint_read(const char *folder, const char *key, struct fingerprint *fingerprint) {
    char path[PATH_MAX];
    if (files_join(path, folder, "fingerprint.json") < 0)
        return -1;
    json_t *json = jsonfile_read(folder, "fingerprint.json", "part of a store");
    int status = json ? fingerprint_from_json(json, path, fingerprint) : -1;
    json_decref(json);
    if (status == 0 && strcmp(fingerprint->key, key) != 0)
        status = error("%s: is of %s; give the folder that name back", path, fingerprint->key);
    return status;
}

int store_entry_write(const char *folder, const struct store_entry *entry, const char *hash,
                      json_t *differences) {
    json_t *json = json_pack("{s:I, s:I, s:s}", "shapes", (json_int_t)entry->shapes, "visits",
                             (json_int_t)entry->visits, "levels", hash);
    bool failed = differences && json_object_set(json, "differences", differences) < 0;
    for (size_t i = 0; i < TEXTS && !failed; i++)
        failed = json_object_set_new(json, texts[i].name,
                                     json_string((const char *)entry + texts[i].offset)) < 0;
    int status = failed ? error("%s/entry.json: a text is not UTF-8", folder)
                        : jsonfile_write(folder, "entry.json", json);
    json_decref(json);
    return status;
}

json_t *store_differ(const struct cards *cards) {
    json_t *list = json_array();
    for (size_t i = 0; i < cards->group_count; i++) {
        const struct pair *pair = cards->groups[i].cells->pair;
        char sizes[SIZE_CLASS_TEXT];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:f}", "candidate",
                                              pair->candidate, "reference", pair->reference, "mode",
                                              pair->mode, "lens", pair->lens, "sizes",
                                              size_class_format(size_class_of(pair->shape), sizes),
                                              "difference", cards_difference(&cards->groups[i])));
    }
    return list;
}

/* Whether the difference is of pairs like this one. */
static bool is_about(const json_t *difference, const struct pair *pair) {
    char sizes[SIZE_CLASS_TEXT];
    return strcmp(jsonfile_text(difference, "candidate"), pair->candidate) == 0 &&
           strcmp(jsonfile_text(difference, "reference"), pair->reference) == 0 &&
           strcmp(jsonfile_text(difference, "mode"), pair->mode) == 0 &&
           strcmp(jsonfile_text(difference, "lens"), pair->lens) == 0 &&
           strcmp(jsonfile_text(difference, "sizes"),
                  size_class_format(size_class_of(pair->shape), sizes)) == 0;
}

/* The difference is one for all shapes of a size, so that it is not wider the more of them are
 * tested: it counts as known, with 1.96 standard deviations. */
static void widen(double difference, struct pair *pair) {
    const double sd = difference / tails_student_quantile((1 + VERDICT_CONFIDENCE) / 2, INFINITY);
    pair->used = spread_sum(pair->used, (struct spread){(double)pair->visits * sd * sd, INFINITY});
}

long store_entry_widen(const char *folder, struct pairs *speeds) {
    json_t *json = jsonfile_read(folder, "entry.json", "part of a store"), *difference;
    size_t at;
    long known = json ? 0 : -1;
    for (size_t i = 0; json && i < speeds->count; i++)
        json_array_foreach(json_object_get(json, "differences"), at, difference) {
            const double is = json_number_value(json_object_get(difference, "difference"));
            if (!is_about(difference, &speeds->list[i]) || !(is >= 0 && is <= PAIRS_MOST_X))
                continue;
            widen(is, &speeds->list[i]);
            known++;
        }
    json_decref(json);
    return known;
}

int store_fingerprint_write(const char *folder, const struct fingerprint *fingerprint) {
    json_t *json = fingerprint_json(fingerprint);
    const int status = jsonfile_write(folder, "fingerprint.json", json);
    json_decref(json);
    return status;
}

size_t store_keep_named(struct store_entry *list, size_t count, const char *name) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            list[kept++] = list[i];
    return kept;
}
