#include "reports/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/gate/gate.h"
#include "reports/run/verify.h"
#include "reports/tables/controls.h"

/* What is going to be added. */
struct promotion {
    struct rundir run;
    const char *force;
    char name[RUNDIR_NAME];
    const char *now;
    size_t shapes;
    bool forced; /* it would be refused but for the reason */
    bool gated;  /* a gate has judged it */
    char verdict
        [32]; /* the word of the gate that it had, whether that has judged or not; "": none */
};

/* Leaves the speeds against libraries. There must be some. */
static int keep_libraries(struct rundir *run) {
    struct pairs *speeds = &run->speeds;
    const struct rows *rows = &run->rows;
    size_t kept = 0, timed = 0;
    for (size_t i = 0; i < speeds->count; i++)
        if (strcmp(speeds->list[i].reference, RUNDIR_PREVIOUS) != 0)
            speeds->list[kept++] = speeds->list[i];
    speeds->count = kept;
    if (kept > 0)
        return 0;
    for (size_t i = 0; i < rows->time_count; i++)
        timed += *rows->times[i].candidate &&
                 strcmp(rows->times[i].kernel, rows->times[i].candidate) == 0;
    return timed ? error("%s: has no honest candidate with a library beside it; see checks.csv, "
                         "and measure with --baselines all",
                         run->folder)
                 : error("%s: holds no timed candidate; measure with --candidates", run->folder);
}

/* What the plan says, cheap to look at first. */
static int check_plan(const struct rundir *run) {
    const struct about *about = &run->about;
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
    pairs_keep_passed(&run->speeds);
    if (keep_libraries(run) < 0)
        return -1;
    return controls == CONTROLS_NONE
               ? error("%s: has no control that could be judged, and nothing else shows whether "
                       "its numbers can be trusted; measure again, and see what it warns of",
                       run->folder)
               : 0;
}

/* What is kept for a reason alone: says why, and keeps the reason. 0, or -1. */
__attribute__((format(printf, 2, 3))) static int refuse_or_force(struct promotion *promotion,
                                                                 const char *format, ...) {
    char why[RUNDIR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (!promotion->force)
        return error("%s; to keep it all the same, give a reason: --force REASON", why);
    warning("%s; it is promoted all the same: %s", why, promotion->force);
    promotion->forced = true;
    return 0;
}

/* Whether the run's files are those that were measured. Every complete run has digests. */
static int check_files(struct promotion *promotion) {
    char lacking[400];
    if (verify_clean(&promotion->run, "; measure again") < 0)
        return -1;
    return digests_lack(promotion->run.folder, lacking, sizeof lacking)
               ? refuse_or_force(promotion, "%s; measure again", lacking)
               : 0;
}

/* What the run's gate has said, if there was one that judged. */
static int check_gate(struct promotion *promotion) {
    const char *run = promotion->run.folder;
    char folder[PATH_MAX], path[PATH_MAX];
    if (files_join(folder, run, "gate") < 0 || files_join(path, folder, "gate.json") < 0)
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
        strcmp(verdict, gate_verdict_word(GATE_INCONCLUSIVE)) != 0)
        status = refuse_or_force(promotion, "%.150s: its gate ended with %s: %.200s", run, verdict,
                                 jsonfile_text(gate, "reason"));
    json_decref(gate);
    return status;
}

static bool has_shape(const struct pairs *speeds, struct shape shape) {
    for (size_t i = 0; i < speeds->count; i++)
        if (shape_compare(speeds->list[i].shape, shape) == 0)
            return true;
    return false;
}

/* Whether the pair is the first of its shape. Speeds are sorted by shape. */
static bool begins_shape(const struct pairs *speeds, size_t i) {
    return i == 0 || shape_compare(speeds->list[i - 1].shape, speeds->list[i].shape) != 0;
}

/* Whether the run has every shape of the entry that it follows. */
static int check_shapes(struct store_entry *before, struct promotion *promotion) {
    char first[SHAPE_TEXT] = "";
    size_t lost = 0;
    if (verify_speeds(&before->run) < 0)
        return -1;
    const struct pairs *old = &before->run.speeds;
    for (size_t i = 0; i < old->count; i++) {
        const struct shape shape = old->list[i].shape;
        if (begins_shape(old, i) && !has_shape(&promotion->run.speeds, shape) && lost++ == 0)
            shape_format(shape, first);
    }
    return lost == 0
               ? 0
               : refuse_or_force(promotion,
                                 "%.150s: lacks %zu of the %zu shapes of %.95s, the newest "
                                 "entry of such a machine; the first: %s",
                                 promotion->run.folder, lost, before->shapes, before->name, first);
}

/* The run and its name, checked. */
static int prepare(struct promotion *promotion, const char *name) {
    struct rundir *run = &promotion->run;
    if (check_plan(run) < 0 || check_files(promotion) < 0 || check_rows(run) < 0 ||
        check_gate(promotion) < 0)
        return -1;
    for (size_t i = 0; i < run->speeds.count; i++)
        promotion->shapes += begins_shape(&run->speeds, i);
    if (name)
        snprintf(promotion->name, sizeof promotion->name, "%s", name);
    else
        snprintf(promotion->name, sizeof promotion->name, "%.31s-%.8s", run->about.start,
                 run->about.hash);
    for (char *at = promotion->name; !name && *at; at++)
        *at = *at == ':' ? '-' : *at;
    return 0;
}

/* The run without its samples. */
static int write_entry(const char *folder, const struct promotion *promotion) {
    const struct rundir *run = &promotion->run;
    json_t *manifest = json_copy(run->manifest);
    json_t *promoted =
        json_pack("{s:s, s:I}", "at", promotion->now, "shapes", (json_int_t)promotion->shapes);
    if (promotion->forced)
        json_object_set_new(promoted, "forced", json_string(promotion->force));
    json_object_set_new(manifest, RUNDIR_PROMOTED, promoted);
    const int status = jsonfile_write(folder, "plan.json", run->plan) < 0 ||
                               rows_csv_write(folder, ROWS_CSV_RUN, &run->rows) < 0
                           ? -1
                           : digests_write_manifest(folder, run->plan, manifest);
    json_decref(manifest);
    return status;
}

/* The entry is made in STORE/.part, which one that was killed may have left, and gets its name. */
static int add(const char *store, const struct promotion *promotion, char folder[PATH_MAX]) {
    char part[PATH_MAX];
    if (files_join(part, store, ".part") < 0 || files_join(folder, store, promotion->name) < 0)
        return -1;
    files_remove_tree(part);
    int status = files_make_folder(part) < 0 ? -1 : write_entry(part, promotion);
    if (status == 0 && rename(part, folder) < 0)
        status = error("%s: cannot rename the finished entry: %s", folder, strerror(errno));
    files_remove_tree(part);
    return status < 0 ? -1 : files_sync_parent(folder);
}

/* Makes the folder of a new store. One that is there must be empty. Nothing needs to be undone where
 * the promotion then fails. */
static int begin(const char *store) {
    char **names = files_names(store);
    int status = 0;
    for (size_t i = 0; names && names[i] && status == 0; i++)
        if (*names[i] != '.')
            status = error("%s: is no store and not empty either (it holds %s); name a store, or a "
                           "new folder",
                           store, names[i]);
    files_free_names(names);
    return status < 0 ? -1 : files_make_folder(store);
}

/* A run that is kept already would count twice in histories. */
static int check_same(const struct store *store, struct promotion *promotion) {
    const struct about *about = &promotion->run.about;
    for (size_t i = 0; i < store->count; i++) {
        const struct about *there = &store->list[i].run.about;
        if (strcmp(there->start, about->start) == 0 && strcmp(there->hash, about->hash) == 0 &&
            strcmp(there->cards, about->cards) == 0)
            return refuse_or_force(promotion, "%.150s: is there already, as %.95s",
                                   promotion->run.folder, store->list[i].name);
    }
    return 0;
}

/* Whether the run may follow the newest entry of such a machine. */
static int check_next(struct store_entry *before, struct promotion *promotion) {
    if (!promotion->gated &&
        refuse_or_force(promotion,
                        "%.150s: %s%s%s, so nothing says whether it is slower than %.95s; judge it "
                        "first: `gemmgate gate RUN --against STORE`",
                        promotion->run.folder,
                        *promotion->verdict ? "its gate ended with '" : "was not gated",
                        promotion->verdict, *promotion->verdict ? "' and judged nothing" : "",
                        before->name) < 0)
        return -1;
    return check_shapes(before, promotion);
}

static struct store_entry *newest_like(const struct store *store, const struct rundir *run) {
    for (size_t i = store->count; i-- > 0;)
        if (strcmp(store->list[i].run.fingerprint.key, run->fingerprint.key) == 0)
            return &store->list[i];
    return NULL;
}

/* Against what the store has, if it has anything. */
static int check_store(const char *folder, struct promotion *promotion) {
    struct store store = {0};
    int status = store_is(folder) ? store_open(folder, &store) : 0;
    struct store_entry *newest = status == 0 ? newest_like(&store, &promotion->run) : NULL;
    if (newest)
        status = check_next(newest, promotion);
    if (status == 0)
        status = check_same(&store, promotion);
    for (size_t i = 0; i < store.count && status == 0; i++)
        if (strcmp(store.list[i].name, promotion->name) == 0)
            status =
                error("%s: has an entry %s already; give another --name", folder, promotion->name);
    store_close(&store);
    return status;
}

/* Behind whatever the store has. One promotion at a time: others wait. */
static int add_next(const char *store, struct promotion *promotion, char folder[PATH_MAX]) {
    const int lock = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0)
        return error("%s: %s", store, strerror(errno));
    flock(lock, LOCK_EX);
    const int status = check_store(store, promotion) < 0 ? -1 : add(store, promotion, folder);
    close(lock);
    return status;
}

/* A name becomes a folder's in repositories and buckets of every kind. */
static bool is_fit(const char *name) {
    return *name && *name != '.' && strlen(name) < RUNDIR_NAME &&
           name[strspn(name,
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-")] == 0;
}

int store_promote(const char *store, const char *run, const char *name, const char *force,
                  const char *now, struct store_entry *entry) {
    struct promotion promotion = {.force = force, .now = now};
    char folder[PATH_MAX];
    if (name && !is_fit(name))
        return error("'%.100s' cannot name an entry: letters, digits, . _ + - are wanted, at most "
                     "%d of them, and no dot at the beginning",
                     name, RUNDIR_NAME - 1);
    int status = rundir_open(run, &promotion.run);
    if (status == 0)
        status = prepare(&promotion, name);
    if (status == 0 && !store_is(store))
        status = begin(store);
    if (status == 0)
        status = add_next(store, &promotion, folder);
    if (status == 0)
        status = store_entry_open(folder, entry);
    rundir_close(&promotion.run);
    return status;
}
