#include "reports/store/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "reports/run/verify.h"
#include "reports/tables/about.h"
#include "reports/tables/controls.h"

#define FORMAT 1

/* The texts of entry.json. */
#define TEXT(member)                                                                               \
    { #member, offsetof(struct store_entry, member), sizeof(((struct store_entry *)0)->member) }
static const struct {
    const char *name;
    size_t offset, size;
} texts[] = {TEXT(name),      TEXT(key), TEXT(promoted), TEXT(start),
             TEXT(plan_hash), TEXT(set), TEXT(commit),   TEXT(device)};
enum { TEXTS = sizeof texts / sizeof *texts };

/* A name becomes a folder's in repositories and buckets of every kind. */
static bool name_is_fit(const char *name) {
    return *name && *name != '.' && strlen(name) < RUNDIR_NAME &&
           name[strspn(name,
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-")] == 0;
}

static bool key_is_fit(const char *key) {
    return strlen(key) == 16 && strspn(key, "0123456789abcdef") == 16;
}

/* Entries are sorted by it as a text. */
static bool time_is_fit(const char *time) {
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t i = 0;
    while (time[i] && i < sizeof form &&
           (form[i] == '0' ? time[i] >= '0' && time[i] <= '9' : time[i] == form[i]))
        i++;
    return i == sizeof form - 1 && !time[i];
}

static bool is_folder(const char *path) {
    struct stat is;
    return lstat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

static int compare_texts(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry) {
    return *entry->d_name != '.';
}

/* Calls visit for everything in the folder, by name. */
static int each(const char *folder, int (*visit)(const char *folder, const char *name, void *to),
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

static int refuse_foreign(const char *folder, const char *name) {
    return error("%s/%s: does not belong into a store; move it elsewhere", folder, name);
}

bool store_is(const char *folder) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/store.json", folder) < PATH_MAX &&
           access(path, F_OK) == 0;
}

static int check_store(const char *store) {
    int format = 0;
    if (!store_is(store))
        return error("%s: is no store, for it has no store.json; `gemmgate baseline promote RUN "
                     "--store %s` makes one in a new folder",
                     store, store);
    json_t *json = rundir_read_json(store, "store.json");
    if (!json)
        return -1;
    int status = json_unpack(json, "{s:i}", "format", &format) < 0 || format != FORMAT
                     ? error("%s/store.json: says format %d where this version knows %d", store,
                             format, FORMAT)
                     : 0;
    json_decref(json);
    return status;
}

struct listing {
    struct store_entry *list;
    size_t count;
    const char *key; /* of the folder that is being read */
};

/* From entry.json; hash is what levels.csv must have. */
static int take_entry(const json_t *json, const char *file, struct store_entry *entry,
                      char hash[33]) {
    json_int_t shapes, rounds;
    const char *digest;
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = json_string_value(json_object_get(json, texts[i].name));
        if (!text || strlen(text) >= texts[i].size)
            return error("%s: %s must be a text of at most %zu bytes", file, texts[i].name,
                         texts[i].size - 1);
        strcpy((char *)entry + texts[i].offset, text);
    }
    if (json_unpack((json_t *)json, "{s:I, s:I, s:s}", "shapes", &shapes, "rounds", &rounds,
                    "levels", &digest) < 0 ||
        shapes < 1 || rounds < 2 || strlen(digest) != 32)
        return error("%s: lacks shapes, rounds or the hash of levels.csv", file);
    if (!time_is_fit(entry->promoted))
        return error("%s: promoted is '%s', and a time like 2026-01-31T23:59:59Z is wanted", file,
                     entry->promoted);
    entry->shapes = (size_t)shapes;
    entry->rounds = (size_t)rounds;
    strcpy(hash, digest);
    return 0;
}

static int read_entry(const char *folder, const char *key, const char *name,
                      struct store_entry *entry, char hash[33]) {
    char path[PATH_MAX];
    *entry = (struct store_entry){.shapes = 0};
    if (files_join(path, folder, "entry.json") < 0)
        return -1;
    json_t *json = rundir_read_json(folder, "entry.json");
    int status = json ? take_entry(json, path, entry, hash) : -1;
    json_decref(json);
    if (status == 0 && strcmp(entry->name, name) != 0)
        status = error("%s: calls itself %s; give the folder that name back", path, entry->name);
    if (status == 0 && strcmp(entry->key, key) != 0)
        status = error("%s: belongs to the fingerprint %s; move its folder back there", path,
                       entry->key);
    return status;
}

static int read_fingerprint(const char *folder, const char *key, struct fingerprint *fingerprint) {
    char path[PATH_MAX];
    if (files_join(path, folder, "fingerprint.json") < 0)
        return -1;
    json_t *json = rundir_read_json(folder, "fingerprint.json");
    int status = json ? fingerprint_from_json(json, path, fingerprint) : -1;
    json_decref(json);
    if (status == 0 && strcmp(fingerprint->key, key) != 0)
        status = error("%s: is of %s; give the folder that name back", path, fingerprint->key);
    return status;
}

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
    if (!name_is_fit(name) || !is_folder(path))
        return refuse_foreign(folder, name);
    struct store_entry *moved =
        realloc(listing->list, (listing->count + 1) * sizeof *listing->list);
    if (!moved)
        return error("no memory for %zu entries", listing->count + 1);
    listing->list = moved;
    if (each(path, visit_file, NULL) < 0 ||
        read_entry(path, listing->key, name, &moved[listing->count], hash) < 0)
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
    if (!key_is_fit(name) || !is_folder(path))
        return refuse_foreign(store, name);
    listing->key = name;
    return read_fingerprint(path, name, &fingerprint) < 0 ? -1 : each(path, visit_entry, listing);
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
    if (check_store(store) < 0 || each(store, visit_key, &listing) < 0) {
        free(listing.list);
        return -1;
    }
    if (listing.count > 0)
        qsort(listing.list, listing.count, sizeof *listing.list, compare_entries);
    *list = listing.list;
    *count = listing.count;
    return 0;
}

int store_read(const char *store, const struct store_entry *entry, struct round_speeds *speeds,
               struct fingerprint *fingerprint) {
    char key[PATH_MAX], folder[PATH_MAX], path[PATH_MAX], wanted[33], found[33];
    struct store_entry again;
    if (!key_is_fit(entry->key) || !name_is_fit(entry->name))
        return error("'%s' in '%s' cannot be an entry of a store", entry->name, entry->key);
    if (files_join(key, store, entry->key) < 0 || files_join(folder, key, entry->name) < 0 ||
        files_join(path, folder, "levels.csv") < 0 ||
        read_fingerprint(key, entry->key, fingerprint) < 0 ||
        read_entry(folder, entry->key, entry->name, &again, wanted) < 0 ||
        hash_file(path, found) < 0)
        return -1;
    if (strcmp(wanted, found) != 0)
        return error("%s: is not what was promoted: entry.json says XXH128 %s and it has %s; "
                     "restore it, or promote the run again",
                     path, wanted, found);
    return round_speeds_read_csv(path, speeds);
}

/* Names of all entries, as far as they fit. */
static void put_names(const struct store_entry *list, size_t count, const char *name, char *why,
                      size_t size) {
    size_t used = (size_t)snprintf(why, size, "no entry is called %s; there %s", name,
                                   count == 0 ? "is none" : "are: ");
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(why + used, size - used, "%s%s", i ? ", " : "", list[i].name);
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
            read_fingerprint(path, list[i].key, &there) < 0)
            return -1;
        const size_t differ = fingerprint_differ(fingerprint, &there, text, sizeof text);
        if (differ >= least)
            continue;
        least = differ;
        snprintf(why, size, "%s differs in %s", list[i].name, text);
    }
    return 0;
}

/* Keeps the entries of that name. */
static size_t keep_named(struct store_entry *list, size_t count, const char *name) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            list[kept++] = list[i];
    return kept;
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
        named = keep_named(list, count, name);
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

/* What is going to be added. */
struct promotion {
    const char *run;
    struct store_entry entry;
    struct fingerprint fingerprint;
    struct round_speeds speeds;
    char precise[64]; /* as in struct about */
};

/* Leaves the speeds of honest kernels against libraries. */
static void keep_honest(struct round_speeds *speeds, const struct rows *rows) {
    size_t kept = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct round_speed *speed = &speeds->list[i];
        bool honest = strcmp(speed->reference, ROUND_SPEEDS_PREVIOUS) != 0;
        for (size_t c = 0; honest && c < rows->check_count; c++) {
            const struct check_row *row = &rows->checks[c];
            honest = !rows_refused(row) || strcmp(row->kernel, speed->candidate) != 0 ||
                     shape_compare(row->shape, speed->shape) != 0;
        }
        if (honest)
            speeds->list[kept++] = *speed;
    }
    speeds->count = kept;
}

static int check_levels(const struct promotion *promotion, const struct rows *rows) {
    const struct round_speeds *speeds = &promotion->speeds;
    char text[SHAPE_TEXT];
    bool timed = false;
    for (size_t i = 0; i < speeds->count; i++)
        if (speeds->list[i].rounds < 2)
            return error("%s: %s of %s was timed in one round only; measure with --rounds 4",
                         promotion->run, speeds->list[i].candidate,
                         shape_format(speeds->list[i].shape, text));
    for (size_t i = 0; i < rows->time_count; i++)
        timed = timed || (*rows->times[i].candidate &&
                          strcmp(rows->times[i].kernel, rows->times[i].candidate) == 0);
    if (speeds->count > 0)
        return 0;
    return timed ? error("%s: has no honest candidate with a library beside it; see checks.csv, "
                         "and measure with --baselines all",
                         promotion->run)
                 : error("%s: holds no timed candidate; measure with --candidates", promotion->run);
}

/* What the plan says, cheap to look at first. */
static int check_plan(struct promotion *promotion) {
    struct store_entry *entry = &promotion->entry;
    struct about about;
    int rounds = 1;
    if (about_read(promotion->run, &about) < 0)
        return -1;
    if (!about.complete)
        return error("%s: is not complete: %s", promotion->run, about_remedy(&about));
    json_t *plan = rundir_read_json(promotion->run, "plan.json");
    json_t *manifest = rundir_read_json(promotion->run, "manifest.json");
    if (plan && manifest) {
        const char *commit = json_string_value(about_find(manifest, "gemmgate.git_commit"));
        json_unpack(plan, "{s:i}", "rounds", &rounds);
        snprintf(entry->commit, sizeof entry->commit, "%s", commit ? commit : "");
    }
    const bool read = plan && manifest;
    json_decref(plan);
    json_decref(manifest);
    if (!read)
        return -1;
    if (*about.imported)
        return error("%s: holds published numbers and no samples, and cannot be promoted",
                     promotion->run);
    if (rounds < 2)
        return error("%s: has one round, which does not show how much processes differ; measure "
                     "with --rounds 4",
                     promotion->run);
    entry->rounds = (size_t)rounds;
    if (!time_is_fit(about.start))
        return error("%s/manifest.json: start is '%s', and a time like 2026-01-31T23:59:59Z is "
                     "wanted",
                     promotion->run, about.start);
    snprintf(entry->start, sizeof entry->start, "%.31s", about.start);
    snprintf(entry->plan_hash, sizeof entry->plan_hash, "%s", about.hash);
    snprintf(entry->set, sizeof entry->set, "%.95s", about.set);
    snprintf(entry->device, sizeof entry->device, "%s", about.device);
    memcpy(promotion->precise, about.precise, sizeof promotion->precise);
    return 0;
}

static int check_rows(struct promotion *promotion) {
    struct rows rows = {0};
    char why[RUNDIR_TEXT];
    if (rundir_read(promotion->run, &rows) < 0)
        return -1;
    int status = -1;
    const enum controls_verdict controls =
        controls_judge(&rows, promotion->precise, why, sizeof why);
    if (controls == CONTROLS_FAILED)
        error("%s: its controls failed: %s; measure again, on a quieter machine "
              "or in more --rounds",
              promotion->run, why);
    else if (round_speeds_read(promotion->run, &promotion->speeds) == 0) {
        keep_honest(&promotion->speeds, &rows);
        status = check_levels(promotion, &rows);
    }
    if (status == 0 && controls == CONTROLS_NONE)
        status =
            error("%s: has no control that could be judged, and nothing else shows whether its "
                  "numbers can be trusted; measure again, and see what it warns of",
                  promotion->run);
    rows_free(&rows);
    return status;
}

/* The run, its name and time, checked. */
static int prepare(struct promotion *promotion, const char *name, const char *now) {
    struct store_entry *entry = &promotion->entry;
    if (check_plan(promotion) < 0 || verify_clean(promotion->run, "; measure again") < 0 ||
        fingerprint_read(promotion->run, &promotion->fingerprint) < 0 || check_rows(promotion) < 0)
        return -1;
    for (size_t i = 0; i < promotion->speeds.count; i++)
        entry->shapes += i == 0 || shape_compare(promotion->speeds.list[i].shape,
                                                 promotion->speeds.list[i - 1].shape) != 0;
    strcpy(entry->key, promotion->fingerprint.key);
    snprintf(entry->promoted, sizeof entry->promoted, "%s", now);
    if (name)
        snprintf(entry->name, sizeof entry->name, "%s", name);
    else
        snprintf(entry->name, sizeof entry->name, "%s-%.8s", entry->start, entry->plan_hash);
    for (char *at = entry->name; !name && *at; at++)
        *at = *at == ':' ? '-' : *at;
    return 0;
}

/* Writes the entry into its folder, speeds first: entry.json holds their hash. */
static int write_entry(const char *folder, const struct promotion *promotion) {
    const struct store_entry *entry = &promotion->entry;
    struct round_speeds again;
    struct file file;
    char path[PATH_MAX], hash[33];
    if (file_open(&file, folder, "levels.csv") < 0)
        return -1;
    round_speeds_write_csv(file.stream, &promotion->speeds);
    /* Samples may hold what speeds may not, and one entry that cannot be read spoils a store. */
    if (file_commit(&file) < 0 || files_join(path, folder, "levels.csv") < 0 ||
        round_speeds_read_csv(path, &again) < 0)
        return -1;
    round_speeds_free(&again);
    if (hash_file(path, hash) < 0)
        return -1;
    json_t *json = json_pack("{s:I, s:I, s:s}", "shapes", (json_int_t)entry->shapes, "rounds",
                             (json_int_t)entry->rounds, "levels", hash);
    bool failed = !json;
    for (size_t i = 0; i < TEXTS && !failed; i++)
        failed = json_object_set_new(json, texts[i].name,
                                     json_string((const char *)entry + texts[i].offset)) < 0;
    int status = failed ? error("%s/entry.json: no memory, or a text that is not UTF-8", folder)
                        : rundir_write_json(folder, "entry.json", json);
    json_decref(json);
    return status;
}

static int write_key(const char *folder, const struct promotion *promotion) {
    json_t *json = fingerprint_json(&promotion->fingerprint);
    int status = json ? rundir_write_json(folder, "fingerprint.json", json) : error("no memory");
    json_decref(json);
    return status;
}

/* Renames the whole KEY folder into the store where there is none of that name, else the entry into
 * it. Neither replaces anything but an empty folder. */
static int move_in(const char *store, const char *part, const struct store_entry *entry) {
    char from[PATH_MAX], to[PATH_MAX], inner_from[PATH_MAX], inner_to[PATH_MAX];
    if (files_join(from, part, entry->key) < 0 || files_join(to, store, entry->key) < 0 ||
        files_join(inner_from, from, entry->name) < 0 || files_join(inner_to, to, entry->name) < 0)
        return -1;
    if (rename(from, to) == 0)
        return files_sync_parent(to);
    if (errno != EEXIST && errno != ENOTEMPTY)
        return error("%s: cannot rename the finished entry: %s", to, strerror(errno));
    if (rename(inner_from, inner_to) == 0)
        return files_sync_parent(inner_to);
    return error("%s: cannot rename the finished entry: %s", inner_to, strerror(errno));
}

/* The entry is made in STORE/.PID.part and moved to its place. */
static int add(const char *store, const struct promotion *promotion) {
    char part[PATH_MAX], key[PATH_MAX], folder[PATH_MAX];
    if (snprintf(part, sizeof part, "%s/.%ld.part", store, (long)getpid()) >= PATH_MAX)
        return error("%.200s...: the path is too long", store);
    files_remove_tree(part);
    int status = files_join(key, part, promotion->entry.key) < 0 ||
                         files_join(folder, key, promotion->entry.name) < 0 ||
                         files_make_folder(folder) < 0 || write_entry(folder, promotion) < 0 ||
                         write_key(key, promotion) < 0
                     ? -1
                     : move_in(store, part, &promotion->entry);
    files_remove_tree(part);
    return status;
}

static int refuse_file(const char *folder, const char *name, void *to) {
    (void)to;
    return error("%s: is no store and not empty either (it holds %s); name a store, or a new "
                 "folder",
                 folder, name);
}

/* Adds to a new store, which goes again when that fails. */
static int add_first(const char *store, const struct promotion *promotion) {
    char path[PATH_MAX];
    const bool there = is_folder(store);
    if ((there && each(store, refuse_file, NULL) < 0) || files_make_folder(store) < 0 ||
        files_join(path, store, "store.json") < 0)
        return -1;
    json_t *json = json_pack("{s:i}", "format", FORMAT);
    int status = !json ? error("no memory") : rundir_write_json(store, "store.json", json);
    json_decref(json);
    if (status == 0)
        status = add(store, promotion);
    if (status < 0) {
        unlink(path);
        if (!there)
            rmdir(store);
    }
    return status;
}

static int add_next(const char *store, const struct promotion *promotion) {
    const char *name = promotion->entry.name;
    struct store_entry *list;
    size_t count;
    if (store_list(store, &list, &count) < 0)
        return -1;
    const bool taken = keep_named(list, count, name) > 0;
    free(list);
    return taken ? error("%s: has an entry %s already; give another --name", store, name)
                 : add(store, promotion);
}

int store_promote(const char *store, const char *run, const char *name, const char *now,
                  struct store_entry *entry) {
    struct promotion promotion = {.run = run};
    if (name && !name_is_fit(name))
        return error("'%.100s' cannot name an entry: letters, digits, . _ + - are wanted, at most "
                     "%d of them, and no dot at the beginning",
                     name, RUNDIR_NAME - 1);
    int status = prepare(&promotion, name, now);
    if (status == 0)
        status = store_is(store) ? add_next(store, &promotion) : add_first(store, &promotion);
    *entry = promotion.entry;
    round_speeds_free(&promotion.speeds);
    return status;
}
