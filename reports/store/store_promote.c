#include "reports/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/jsonfile.h"
#include "reports/gate/gate_result.h"
#include "reports/run/controls.h"
#include "reports/run/digests.h"
#include "reports/run/verify.h"
#include "reports/store/store_entry.h"
#include "reports/tables/agree.h"

/* What is going to be added. */
struct promotion {
    struct rundir *runs; /* the one that is kept, and others of its plan */
    size_t run_count;
    const char *force;
    json_t *differences; /* store_differ; NULL: there is one card */
    struct store_entry entry;
    bool gated; /* a gate has judged it */
    char verdict
        [32]; /* the word of the gate that it had, whether that has judged or not; "": none */
};

/* Leaves the speeds against libraries. By a lens that need not be precise, as one that a gate does
 * not judge, one visit may be all, and does not show how much visits differ. */
static void keep_libraries(struct pairs *speeds, const json_t *plan) {
    size_t kept = 0;
    for (size_t i = 0; i < speeds->count; i++) {
        const struct pair *pair = &speeds->list[i];
        if (strcmp(pair->reference, RUNDIR_PREVIOUS) != 0 &&
            (pair->visits > 1 || controls_want(plan, pair->lens)))
            speeds->list[kept++] = *pair;
    }
    speeds->count = kept;
}

static int check_levels(const struct rundir *run) {
    const struct pairs *speeds = &run->speeds;
    const struct rows *rows = &run->rows;
    char text[SHAPE_TEXT];
    bool timed = false;
    for (size_t i = 0; i < speeds->count; i++)
        if (speeds->list[i].visits < 2)
            return error("%s: %s of %s was timed in one visit only; measure with --visits 4",
                         run->folder, speeds->list[i].candidate,
                         shape_format(speeds->list[i].shape, text));
    for (size_t i = 0; i < rows->time_count; i++)
        timed = timed || (*rows->times[i].candidate &&
                          strcmp(rows->times[i].kernel, rows->times[i].candidate) == 0);
    if (speeds->count > 0)
        return 0;
    return timed ? error("%s: has no honest candidate with a library beside it; see checks.csv, "
                         "and measure with --baselines all",
                         run->folder)
                 : error("%s: holds no timed candidate; measure with --candidates", run->folder);
}

/* What the plan says, cheap to look at first. */
static int check_plan(struct promotion *promotion) {
    const struct rundir *run = promotion->runs;
    const struct about *about = &run->about;
    struct store_entry *entry = &promotion->entry;
    int visits = 1;
    if (!about->complete)
        return error("%s: is not complete: %s", run->folder, about_remedy(about));
    if (*about->imported)
        return error("%s: holds published numbers and no samples, and cannot be promoted",
                     run->folder);
    json_unpack(run->plan, "{s:i}", "visits", &visits);
    if (visits < 2)
        return error("%s: has one visit, which does not show how much processes differ; measure "
                     "with --visits 4",
                     run->folder);
    if (!store_time_is_fit(about->start))
        return error("%s/manifest.json: start is '%s', and a time like 2026-01-31T23:59:59Z is "
                     "wanted",
                     run->folder, about->start);
    const char *commit = json_string_value(rundir_find(run->manifest, "gemmgate.git_commit"));
    snprintf(entry->commit, sizeof entry->commit, "%s", commit ? commit : "");
    snprintf(entry->kernels, sizeof entry->kernels, "%.63s",
             jsonfile_text(run->manifest, "kernels_commit"));
    entry->visits = (size_t)visits;
    snprintf(entry->start, sizeof entry->start, "%.31s", about->start);
    snprintf(entry->plan_hash, sizeof entry->plan_hash, "%s", about->hash);
    snprintf(entry->set, sizeof entry->set, "%.95s", about->set);
    snprintf(entry->device, sizeof entry->device, "%s", about->device);
    snprintf(entry->cards, sizeof entry->cards, "%s", about->cards);
    return 0;
}

static int check_rows(struct rundir *run) {
    char why[RUNDIR_TEXT];
    if (rundir_speeds(run) < 0)
        return -1;
    const enum controls_verdict controls = controls_judge(&run->rows, run->plan, why, sizeof why);
    if (controls == CONTROLS_FAILED)
        return error("%s: its controls failed: %s; measure again, on a quieter machine "
                     "or in more --visits",
                     run->folder, why);
    pairs_keep_passed(&run->speeds, &run->rows);
    keep_libraries(&run->speeds, run->plan);
    if (check_levels(run) < 0)
        return -1;
    return controls == CONTROLS_NONE
               ? error("%s: has no control that could be judged, and nothing else shows whether "
                       "its numbers can be trusted; measure again, and see what it warns of",
                       run->folder)
               : 0;
}

/* What would be kept without the reason to force it: says so, and keeps the reason. 0, or -1. */
static int refuse_or_force(struct promotion *promotion, const char *why) {
    if (!promotion->force)
        return error("%s; to keep it all the same, give a reason: --force REASON", why);
    warning("%s; it is promoted all the same: %s", why, promotion->force);
    snprintf(promotion->entry.forced, sizeof promotion->entry.forced, "%s", promotion->force);
    return 0;
}

/* Whether the run's files are those that were measured. Every complete run has digests. */
static int check_files(struct promotion *promotion, struct rundir *run) {
    char lacking[400], why[RUNDIR_TEXT];
    if (verify_clean(run, "; measure again") < 0)
        return -1;
    if (!digests_lack(run->folder, lacking, sizeof lacking))
        return 0;
    snprintf(why, sizeof why, "%s; measure again", lacking);
    return refuse_or_force(promotion, why);
}

/* What the run's gate has said, if there was one that judged. */
static int check_gate(struct promotion *promotion) {
    char folder[PATH_MAX], path[PATH_MAX], why[RUNDIR_TEXT];
    if (files_join(folder, promotion->runs->folder, "gate") < 0 ||
        files_join(path, folder, "gate.json") < 0)
        return -1;
    if (access(path, F_OK) < 0)
        return 0;
    json_t *gate = jsonfile_read(folder, "gate.json", "a gate");
    if (!gate)
        return -1;
    const char *verdict = jsonfile_text(gate, "verdict");
    snprintf(promotion->verdict, sizeof promotion->verdict, "%.31s", verdict);
    promotion->gated = gate_verdict_judged(verdict);
    int status = 0;
    if (promotion->gated && strcmp(verdict, gate_verdict_word(GATE_PASS)) != 0 &&
        strcmp(verdict, gate_verdict_word(GATE_INCONCLUSIVE)) != 0) {
        snprintf(why, sizeof why, "%.150s: its gate ended with %s: %.200s", promotion->runs->folder,
                 verdict, jsonfile_text(gate, "reason"));
        status = refuse_or_force(promotion, why);
    }
    json_decref(gate);
    return status;
}

static bool has_shape(const struct pairs *speeds, struct shape shape) {
    for (size_t i = 0; i < speeds->count; i++)
        if (shape_compare(speeds->list[i].shape, shape) == 0)
            return true;
    return false;
}

/* Whether the run has every shape of the entry that it follows. Speeds are sorted by shape. */
static int check_shapes(const char *store, const struct store_entry *before,
                        struct promotion *promotion) {
    struct pairs old = {0};
    struct fingerprint fingerprint;
    char why[RUNDIR_TEXT], first[SHAPE_TEXT] = "";
    size_t lost = 0;
    if (store_read(store, before, &old, &fingerprint) < 0)
        return -1;
    for (size_t i = 0; i < old.count; i++) {
        const struct shape shape = old.list[i].shape;
        if ((i > 0 && shape_compare(old.list[i - 1].shape, shape) == 0) ||
            has_shape(&promotion->runs->speeds, shape))
            continue;
        if (lost++ == 0)
            shape_format(shape, first);
    }
    pairs_free(&old);
    if (lost == 0)
        return 0;
    snprintf(
        why, sizeof why,
        "%.150s: lacks %zu of the %zu shapes of %.95s, the newest entry of such a machine; the "
        "first: %s",
        promotion->runs->folder, lost, before->shapes, before->name, first);
    return refuse_or_force(promotion, why);
}

/* What the other runs say of cards. */
static int take_differences(struct promotion *promotion) {
    struct cards cards;
    if (promotion->run_count < 2)
        return 0;
    for (size_t i = 1; i < promotion->run_count; i++)
        if (check_files(promotion, &promotion->runs[i]) < 0)
            return -1;
    if (agree_read(promotion->runs, promotion->run_count) != EXIT_PASS)
        return -1;
    int status = 0;
    cards_make(promotion->runs, promotion->run_count, &cards);
    if (cards.count < 2)
        status = error("--again %s: it is of the card that has measured %s, or does not name its "
                       "own, and says nothing of how cards differ",
                       promotion->runs[1].folder, promotion->runs->folder);
    if (status == 0)
        promotion->differences = store_differ(&cards);
    cards_free(&cards);
    return status;
}

/* The run, its name and time, checked. */
static int prepare(struct promotion *promotion, const char *name, const char *now) {
    struct store_entry *entry = &promotion->entry;
    struct rundir *run = promotion->runs;
    if (check_plan(promotion) < 0 || check_files(promotion, run) < 0 || check_rows(run) < 0 ||
        check_gate(promotion) < 0 || take_differences(promotion) < 0)
        return -1;
    for (size_t i = 0; i < run->speeds.count; i++)
        entry->shapes +=
            i == 0 || shape_compare(run->speeds.list[i].shape, run->speeds.list[i - 1].shape) != 0;
    strcpy(entry->key, run->fingerprint.key);
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
    struct pairs again;
    struct file file;
    char path[PATH_MAX], hash[33];
    if (file_open(&file, folder, "levels.csv") < 0)
        return -1;
    pairs_write_csv(file.stream, &promotion->runs->speeds);
    /* Samples may hold what speeds may not, and one entry that cannot be read spoils a store. */
    if (file_commit(&file) < 0 || files_join(path, folder, "levels.csv") < 0 ||
        pairs_read_csv(path, &again) < 0)
        return -1;
    pairs_free(&again);
    if (hash_file(path, hash) < 0)
        return -1;
    return store_entry_write(folder, entry, hash, promotion->differences);
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

/* The entry is made in STORE/.part, which one that was killed may have left, and moved to its place.
 */
static int add(const char *store, const struct promotion *promotion) {
    char part[PATH_MAX], key[PATH_MAX], folder[PATH_MAX];
    if (files_join(part, store, ".part") < 0)
        return -1;
    files_remove_tree(part);
    int status = files_join(key, part, promotion->entry.key) < 0 ||
                         files_join(folder, key, promotion->entry.name) < 0 ||
                         files_make_folder(folder) < 0 || write_entry(folder, promotion) < 0 ||
                         store_fingerprint_write(key, &promotion->runs->fingerprint) < 0
                     ? -1
                     : move_in(store, part, &promotion->entry);
    files_remove_tree(part);
    return status;
}

static int refuse_file(const char *folder, const char *name, void *to) {
    (void)to;
    return strcmp(name, "store.json.part") == 0 /* of a first promotion that was killed */
               ? 0
               : error("%s: is no store and not empty either (it holds %s); name a store, or a new "
                       "folder",
                       folder, name);
}

/* Makes a store of a new or empty folder. It has no entries, which every command takes: so nothing
 * needs to be undone where the promotion then fails. */
static int begin(const char *store) {
    if ((store_is_folder(store) && store_each(store, refuse_file, NULL) < 0) ||
        files_make_folder(store) < 0)
        return -1;
    json_t *json = json_pack("{s:i}", "format", STORE_FORMAT);
    const int status = jsonfile_write(store, "store.json", json);
    json_decref(json);
    return status;
}

/* A run that is kept already would count twice in histories. */
static int check_same(const struct store_entry *list, size_t count, struct promotion *promotion) {
    const struct store_entry *entry = &promotion->entry;
    char why[RUNDIR_TEXT];
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].start, entry->start) == 0 &&
            strcmp(list[i].plan_hash, entry->plan_hash) == 0 &&
            strcmp(list[i].cards, entry->cards) == 0) {
            snprintf(why, sizeof why, "%.150s: is there already, as %.95s", promotion->runs->folder,
                     list[i].name);
            return refuse_or_force(promotion, why);
        }
    return 0;
}

/* Whether the run may follow the newest entry of such a machine. */
static int check_next(const char *store, const struct store_entry *before,
                      struct promotion *promotion) {
    char why[RUNDIR_TEXT];
    snprintf(why, sizeof why,
             "%.150s: %s%s%s, so nothing says whether it is slower than %.95s; judge it first: "
             "`gemmgate gate RUN --against STORE`",
             promotion->runs->folder,
             *promotion->verdict ? "its gate ended with '" : "was not gated", promotion->verdict,
             *promotion->verdict ? "' and judged nothing" : "", before->name);
    return !promotion->gated && refuse_or_force(promotion, why) < 0
               ? -1
               : check_shapes(store, before, promotion);
}

/* Behind whatever the store has. One promotion at a time: others wait. */
static int add_next(const char *store, struct promotion *promotion) {
    const char *name = promotion->entry.name;
    struct store_entry *list;
    size_t count, newest;
    const int lock = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return error("%s: %s", store, strerror(errno));
    flock(lock, LOCK_EX);
    if (store_list(store, &list, &count) < 0) {
        close(lock);
        return -1;
    }
    for (newest = count; newest > 0 && strcmp(list[newest - 1].key, promotion->entry.key) != 0;)
        newest--;
    int status = newest > 0 ? check_next(store, &list[newest - 1], promotion) : 0;
    if (status == 0)
        status = check_same(list, count, promotion);
    if (status == 0 && store_keep_named(list, count, name) > 0)
        status = error("%s: has an entry %s already; give another --name", store, name);
    free(list);
    if (status == 0)
        status = add(store, promotion);
    close(lock);
    return status < 0 ? -1 : 0;
}

int store_promote(const char *store, const char *run, const char *const *again, const char *name,
                  const char *force, const char *now, struct store_entry *entry) {
    struct promotion promotion = {.force = force};
    int status = -1;
    if (name && !store_name_is_fit(name))
        return error("'%.100s' cannot name an entry: letters, digits, . _ + - are wanted, at most "
                     "%d of them, and no dot at the beginning",
                     name, RUNDIR_NAME - 1);
    promotion.runs = rundir_open_again(run, again, &promotion.run_count);
    if (promotion.runs)
        status = prepare(&promotion, name, now);
    if (status == 0 && !store_is(store))
        status = begin(store);
    if (status == 0)
        status = add_next(store, &promotion);
    *entry = promotion.entry;
    json_decref(promotion.differences);
    rundir_close_all(promotion.runs, promotion.run_count);
    return status;
}
