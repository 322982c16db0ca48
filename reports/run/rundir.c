#include "reports/run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "reports/run/fingerprint.h"

#define STATE "state.json"

/* RUN/units/ID, RUN/units/.ID.part or RUN/units/.ID.visits. */
enum unit_folder { WHOLE, PART, VISITS };
static int unit_path(char path[PATH_MAX], const char *run, const char *id, enum unit_folder which) {
    static const char *const before[] = {"", ".", "."}, *const after[] = {"", ".part", ".visits"};
    if (!*id || *id == '.' || strchr(id, '/') || strlen(id) > 240)
        return error("'%.100s' cannot name a unit's folder", id);
    int length = snprintf(path, PATH_MAX, "%s/units/%s%s%s", run, before[which], id, after[which]);
    return length >= 0 && length < PATH_MAX ? 0 : error("%.200s...: the path is too long", run);
}

const char *rundir_unit_id(struct shape shape, const char *candidate, char id[RUNDIR_UNIT]) {
    char text[SHAPE_TEXT];
    snprintf(id, RUNDIR_UNIT, "%s%s%s", shape_format(shape, text), *candidate ? "." : "",
             candidate);
    return id;
}

int rundir_has_unit(const char *run, const char *id) {
    char path[PATH_MAX];
    bool there;
    return unit_path(path, run, id, WHOLE) < 0 || files_exists(path, &there) < 0 ? -1 : there;
}

/* It is written as `part`, and renamed `whole`. */
static int write_folder(const struct rundir_unit *unit, const char *part, const char *whole) {
    files_remove_tree(part);
    if (mkdir(part, 0777) < 0)
        return error("%s: cannot make the folder: %s", part, strerror(errno));
    int status = rows_csv_write(part, ROWS_CSV_UNIT, &unit->rows);
    if (status == 0 && unit->sample_count > 0)
        status = samples_write(part, unit->samples, unit->sample_count);
    if (status == 0 && unit->state)
        status = jsonfile_write(part, STATE, unit->state);
    if (status == 0 && rename(part, whole) < 0)
        status = error("%s: cannot rename the finished unit: %s", whole, strerror(errno));
    if (status < 0)
        files_remove_tree(part);
    return status < 0 ? -1 : files_sync_parent(whole);
}

/* The folder of what was stored last: its number, 0 where there is none. */
static long last_stored(const char *folder) {
    char **names = files_names(folder);
    long last = 0;
    for (size_t i = 0; names && names[i]; i++) {
        char *end;
        const long number = strtol(names[i], &end, 10);
        if (!*end && number > last)
            last = number;
    }
    files_free_names(names);
    return last;
}

/* The path of what is stored the number-th time, or of what comes to be that. */
static int stored_path(char path[PATH_MAX], const char *folder, long number, const char *suffix) {
    char name[40];
    snprintf(name, sizeof name, "%ld%s", number, suffix);
    return files_join(path, folder, name);
}

/* A unit that is not whole, behind what was stored of it before. */
static int write_visits(const char *run, const char *id, const struct rundir_unit *unit) {
    char folder[PATH_MAX], part[PATH_MAX], whole[PATH_MAX], before[PATH_MAX];
    if (unit_path(folder, run, id, VISITS) < 0 || files_make_folder(folder) < 0)
        return -1;
    const long last = last_stored(folder);
    if (stored_path(part, folder, last + 1, ".part") < 0 ||
        stored_path(whole, folder, last + 1, "") < 0 || stored_path(before, folder, last, "") < 0 ||
        write_folder(unit, part, whole) < 0)
        return -1;
    files_remove_tree(before);
    return files_sync_parent(folder);
}

int rundir_write_unit(const char *run, const char *id, const struct rundir_unit *unit) {
    char part[PATH_MAX], whole[PATH_MAX];
    if (unit->state)
        return write_visits(run, id, unit);
    if (unit_path(part, run, id, PART) < 0 || unit_path(whole, run, id, WHOLE) < 0 ||
        write_folder(unit, part, whole) < 0)
        return -1;
    rundir_drop_visits(run, id);
    return 0;
}

/* Where the last visits are stored; *stored is false where none are. */
static int find_visits(const char *run, const char *id, char path[PATH_MAX], bool *stored) {
    char folder[PATH_MAX];
    if (unit_path(folder, run, id, VISITS) < 0)
        return -1;
    const long last = last_stored(folder);
    *stored = last > 0;
    return last > 0 ? stored_path(path, folder, last, "") : 0;
}

json_t *rundir_read_json(const char *run, const char *name) {
    return jsonfile_read(run, name, "a run directory");
}

static int read_state(const char *path, json_t **state, int *visits) {
    *state = rundir_read_json(path, STATE);
    if (!*state)
        return -1;
    if (json_unpack(*state, "{s:i}", "visit", visits) == 0 && *visits >= 0)
        return 0;
    return error("%s/" STATE ": \"visit\" is no number of visits; remove the folder, and --resume "
                 "measures the unit from its first visit",
                 path);
}

int rundir_count_visits(const char *run, const char *id, int *visits) {
    char path[PATH_MAX];
    json_t *state = NULL;
    bool stored;
    *visits = -1;
    int status = find_visits(run, id, path, &stored);
    if (status == 0 && stored)
        status = read_state(path, &state, visits);
    json_decref(state);
    return status;
}

static int read_folder(const char *path, struct rundir_unit *unit) {
    return rows_csv_read(path, ROWS_CSV_UNIT, &unit->rows) < 0 ||
                   samples_read(path, &unit->samples, &unit->sample_count) < 0
               ? -1
               : 0;
}

int rundir_read_unit(const char *run, const char *id, struct rundir_unit *unit) {
    char path[PATH_MAX];
    const int whole = rundir_has_unit(run, id);
    bool stored;
    int visits;
    *unit = (struct rundir_unit){0};
    if (whole < 0 || unit_path(path, run, id, WHOLE) < 0)
        return -1;
    if (whole)
        return read_folder(path, unit) < 0 ? -1 : RUNDIR_WHOLE;
    if (find_visits(run, id, path, &stored) < 0)
        return -1;
    if (!stored)
        return RUNDIR_ABSENT;
    if (read_state(path, &unit->state, &visits) == 0 && read_folder(path, unit) == 0)
        return RUNDIR_BEGUN;
    return error("%s is damaged: remove it, and --resume measures the unit from its first visit",
                 path);
}

void rundir_free_unit(struct rundir_unit *unit) {
    rows_free(&unit->rows);
    samples_free(unit->samples, unit->sample_count);
    json_decref(unit->state);
    *unit = (struct rundir_unit){0};
}

void rundir_drop_visits(const char *run, const char *id) {
    char folder[PATH_MAX];
    if (unit_path(folder, run, id, VISITS) == 0)
        files_remove_tree(folder);
}

bool rundir_is(const char *run) {
    char path[PATH_MAX];
    return files_join(path, run, "plan.json") == 0 && access(path, F_OK) == 0;
}

int rundir_plan_hash(const json_t *plan, char hex[33]) {
    char *text = json_dumps(plan, JSON_SORT_KEYS | JSON_COMPACT);
    if (!text)
        return error("the plan cannot be put into JSON");
    hash_bytes(text, strlen(text), hex);
    free(text);
    return 0;
}

static int refuse_other_plan(const char *run, const json_t *plan) {
    struct plan_difference found;
    json_t *old = rundir_read_json(run, "plan.json");
    if (!old)
        return -1;
    int status = 0;
    const json_int_t there = json_integer_value(json_object_get(old, "format")),
                     here = json_integer_value(json_object_get(plan, "format"));
    if (there != here)
        status = error("%s was begun in format %lld and this gemmgate measures in format %lld: go "
                       "on with the gemmgate that began it, or start another run",
                       run, (long long)there, (long long)here);
    else if (fingerprint_plans_differ(old, plan, false, &found))
        status =
            error("%s was made by another plan: %s was %.80s and is now %.80s; resume with the "
                  "old options, or start another run",
                  run, found.path, found.here, found.there);
    json_decref(old);
    return status;
}

static int refuse_existing(const char *run) {
    char path[PATH_MAX];
    bool stopped = rundir_is(run);
    if (stopped && files_join(path, run, "manifest.json") == 0 && access(path, F_OK) == 0) {
        json_t *manifest = rundir_read_json(run, "manifest.json");
        stopped = !json_is_true(json_object_get(manifest, "complete"));
        json_decref(manifest);
    }
    return error("%s exists; choose another name%s", run,
                 stopped ? " or, since it is a run that is not complete, go on with it by --resume"
                         : "");
}

int rundir_refuse_taken(const char *run) {
    char **names = files_names(run);
    const bool fit = names ? !*names /* or what is above is no folder */
                           : errno != ENOTDIR || access(run, F_OK) < 0;
    files_free_names(names);
    return fit ? 0 : refuse_existing(run);
}

/* RUN without slashes at its end, and a folder beside it. */
static int part_paths(const char *run, const char *suffix, char whole[PATH_MAX],
                      char part[PATH_MAX]) {
    int length = snprintf(whole, PATH_MAX, "%s", run);
    while (length > 1 && length < PATH_MAX && whole[length - 1] == '/')
        whole[--length] = 0;
    return length < PATH_MAX && snprintf(part, PATH_MAX, "%s%s", whole, suffix) < PATH_MAX
               ? 0
               : error("%.200s...: the path is too long", run);
}

/* The message names the folder that was asked for, not the one that is renamed. */
static int make_folder(const char *run, const char *part) {
    if (mkdir(part, 0777) == 0 || errno == EEXIST)
        return 0;
    return errno == ENOENT ? files_make_folder(part)
                           : error("%s: cannot make the run directory: %s", run, strerror(errno));
}

static int fill_part(const char *part, const json_t *plan) {
    char units[PATH_MAX];
    if (files_join(units, part, "units") == 0 && files_make_folder(units) == 0 &&
        jsonfile_write(part, "plan.json", plan) == 0)
        return 0;
    files_remove_tree(part);
    return -1;
}

/* Renames it onto RUN, which works where there is nothing or an empty folder, and nowhere else; else
 * removes it. 0; 1 where a RUN is there; -1 after error(). */
static int name_part(const char *run, const char *part, const char *whole) {
    if (rename(part, whole) == 0)
        return files_sync_parent(whole);
    const int cause = errno;
    files_remove_tree(part);
    return cause == EEXIST || cause == ENOTEMPTY || cause == ENOTDIR
               ? 1
               : error("%s: cannot make the run directory: %s", run, strerror(cause));
}

int rundir_create(const char *run, const json_t *plan, int resume) {
    char whole[PATH_MAX], part[PATH_MAX], suffix[32];
    snprintf(suffix, sizeof suffix, ".%ld.part", (long)getpid());
    if (part_paths(run, suffix, whole, part) < 0 || make_folder(run, part) < 0 ||
        fill_part(part, plan) < 0)
        return -1;
    const int is = name_part(run, part, whole);
    return is <= 0 ? is : resume ? refuse_other_plan(run, plan) : refuse_existing(run);
}

/* Two seconds, for those whom one that was killed has left to be gone. */
#define CLAIM_TRIES 20

int rundir_claim(const char *run) {
    const int folder = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return error("%s: %s", run, strerror(errno));
    for (int tries = CLAIM_TRIES; flock(folder, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;) {
        if (--tries == 0) {
            close(folder);
            return error(
                "%s: another gemmgate is measuring into it: wait until it is done, or stop it",
                run);
        }
        usleep(100000);
    }
    return folder;
}

int rundir_begin(const char *run, const json_t *plan, char part[PATH_MAX]) {
    char whole[PATH_MAX], units[PATH_MAX];
    if (rundir_refuse_taken(run) < 0 || part_paths(run, ".part", whole, part) < 0 ||
        make_folder(run, part) < 0 || files_join(units, part, "units") < 0)
        return -1;
    const int claim = rundir_claim(part);
    if (claim < 0)
        return -1;
    files_remove_tree(units); /* of one that was killed */
    if (fill_part(part, plan) == 0)
        return claim;
    close(claim);
    return -1;
}

int rundir_end(const char *run, int claim, const char *part, bool whole) {
    char path[PATH_MAX], same[PATH_MAX];
    int is = -1;
    if (!whole)
        files_remove_tree(part);
    else if (part_paths(run, "", path, same) == 0)
        is = name_part(run, part, path);
    close(claim);
    return is > 0 ? refuse_existing(run) : is;
}

bool rundir_is_claimed(const char *run) {
    const int folder = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool claimed =
        folder >= 0 && flock(folder, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    if (folder >= 0)
        close(folder);
    return claimed;
}
