#include "reports/gate/gate_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/gate/gate.h"
#include "reports/gate/gate_shards.h"
#include "reports/run/merge.h"

struct part {
    const char *folder;
    json_t *plan, *manifest;
    int shard, shards;
};

static int read_part(const char *folder, struct part *part) {
    *part = (struct part){.folder = folder};
    if (!rundir_is(folder))
        return error("--merge %s: it is no run directory: there is no %s/plan.json", folder,
                     folder);
    if (!(part->plan = rundir_read_json(folder, "plan.json")) ||
        !(part->manifest = rundir_read_json(folder, "manifest.json")) ||
        !rundir_plan_units(part->plan, folder)) /* folders may come from anywhere */
        return -1;
    const char *shard = jsonfile_text(part->manifest, "shard");
    if (sscanf(shard, "%d/%d", &part->shard, &part->shards) != 2 || part->shard < 1 ||
        part->shards < part->shard)
        return error("--merge %s: it is no shard: it was not measured with --shard", folder);
    return part->shards <= GATE_SHARDS
               ? 0
               : error("--merge %s: %d shards are too many: %d are the most", folder, part->shards,
                       GATE_SHARDS);
}

static int compare_parts(const void *left, const void *right) {
    const struct part *a = left, *b = right;
    return (a->shard > b->shard) - (a->shard < b->shard);
}

/* Sorted: each shard once. */
static int check_numbers(const struct part *parts, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (parts[i].shards != parts[0].shards)
            return error("--merge: %s is shard %d/%d and %s is shard %d/%d: they are not of one "
                         "gate",
                         parts[0].folder, parts[0].shard, parts[0].shards, parts[i].folder,
                         parts[i].shard, parts[i].shards);
    for (size_t i = 1; i < count; i++)
        if (parts[i].shard == parts[i - 1].shard)
            return error("--merge: %s and %s are both shard %d/%d: leave one out",
                         parts[i - 1].folder, parts[i].folder, parts[i].shard, parts[i].shards);
    for (size_t i = 0; i < (size_t)parts[0].shards; i++)
        if (i >= count || parts[i].shard != (int)i + 1)
            return error("--merge: shard %zu/%d is missing: there %s %zu, the first is %s "
                         "(shard %d/%d)",
                         i + 1, parts[0].shards, count == 1 ? "is" : "are", count, parts[0].folder,
                         parts[0].shard, parts[0].shards);
    return 0;
}

/* Where they differ: the member, with both values where these are short. */
static int refuse_plans(const struct part *a, const struct part *b) {
    const char *member;
    json_t *value;
    json_object_foreach(a->plan, member, value) {
        const json_t *other = json_object_get(b->plan, member);
        if (json_equal(value, other))
            continue;
        char *here = jsonfile_shown(value), *there = jsonfile_shown(other);
        const int status =
            error("--merge: %s and %s are of different plans, in %s: %.120s and "
                  "%.120s; shards have the same kernels, options and --seed",
                  a->folder, b->folder, member, here ? here : "nothing", there ? there : "nothing");
        free(here);
        free(there);
        return status;
    }
    return error("--merge: %s and %s are of different plans", a->folder, b->folder);
}

/* The plan has what the kernels' files hold. Their commit, where both know it, tells of headers. */
static int check_commits(const struct part *a, const struct part *b) {
    static const char *const names[] = {"kernels_commit", "previous_commit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *here = jsonfile_text(a->manifest, names[i]);
        const char *there = jsonfile_text(b->manifest, names[i]);
        if (*here && *there && strcmp(here, there) != 0)
            return error("--merge: %s and %s have measured other kernels: %s is %.70s and %.70s",
                         a->folder, b->folder, names[i], here, there);
    }
    return 0;
}

static int check_alike(const struct part *parts, size_t count) {
    struct fingerprint first, other;
    char text[1024];
    if (fingerprint_read(parts[0].folder, &first) < 0)
        return -1;
    for (size_t i = 1; i < count; i++) {
        if (!json_equal(parts[0].plan, parts[i].plan))
            return refuse_plans(&parts[0], &parts[i]);
        if (check_commits(&parts[0], &parts[i]) < 0)
            return -1;
        if (fingerprint_read(parts[i].folder, &other) < 0)
            return -1;
        if (fingerprint_differ(&first, &other, text, sizeof text) > 0)
            return error("--merge: %s (here) and %s (there) are from unlike machines: %s",
                         parts[0].folder, parts[i].folder, text);
    }
    return 0;
}

/* All units of its own. */
static int check_whole(const struct part *part) {
    const json_t *units = json_object_get(part->plan, "units"), *unit;
    const size_t own = gate_shards_units(json_array_size(units), part->shard, part->shards);
    size_t there = 0, at;
    json_array_foreach(units, at, unit) there +=
        rundir_has_unit(part->folder, json_string_value(unit)) == 1;
    return there == own ? 0
                        : error("--merge %s: shard %d/%d has %zu of its %zu units: its own command "
                                "with --resume goes on",
                                part->folder, part->shard, part->shards, there, own);
}

/* Where each shard has as many units as are its own and no two have the same, all are there. */
static int check_apart(const struct part *parts, size_t count) {
    const json_t *units = json_object_get(parts[0].plan, "units"), *unit;
    size_t at;
    json_array_foreach(units, at, unit) {
        const struct part *first = NULL;
        for (size_t i = 0; i < count; i++) {
            if (rundir_has_unit(parts[i].folder, json_string_value(unit)) != 1)
                continue;
            if (first)
                return error("--merge: %s and %s both have %.150s: a shard has been mixed with "
                             "another; measure it again",
                             first->folder, parts[i].folder, json_string_value(unit));
            first = &parts[i];
        }
    }
    return 0;
}

/* That the shard's second stage is the one that its screening asks for. */
static int check_confirmed(const struct gate_call *call, const struct part *part) {
    struct gate_call own = *call;
    struct gate_suspects wanted;
    char confirm[PATH_MAX];
    own.run = part->folder;
    own.shard = part->shard;
    own.shards = part->shards;
    if (files_join(confirm, part->folder, "confirm") < 0 || gate_screen(&own, &wanted) < 0)
        return -1;
    const bool is_there = rundir_is(confirm);
    json_t *plan = is_there ? rundir_read_json(confirm, "plan.json") : NULL;
    if (is_there && (!plan || !rundir_plan_units(plan, confirm))) {
        json_decref(plan);
        gate_suspects_free(&wanted);
        return -1;
    }
    const json_t *units = json_object_get(plan, "units");
    const size_t rounds = (size_t)json_integer_value(json_object_get(plan, "rounds"));
    bool same =
        json_array_size(units) == wanted.count && (wanted.count == 0 || rounds == wanted.rounds);
    for (size_t i = 0; i < wanted.count && same; i++)
        same = jsonfile_lists(units, wanted.ids[i]);
    const int status =
        same ? 0
             : error("--merge %s: by this policy %zu of its kernels are measured again in %zu "
                     "rounds, and %s has %zu in %zu: merge with the --policy and the store that "
                     "the shard was measured with, or go on with the shard by its own command with "
                     "--resume",
                     part->folder, wanted.count, wanted.count ? wanted.rounds : 0, confirm,
                     json_array_size(units), rounds);
    json_decref(plan);
    gate_suspects_free(&wanted);
    return status;
}

static int check(const struct gate_call *call, struct part *parts, size_t count) {
    qsort(parts, count, sizeof *parts, compare_parts);
    if (check_numbers(parts, count) < 0 || check_alike(parts, count) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (check_whole(&parts[i]) < 0)
            return -1;
    if (check_apart(parts, count) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (check_confirmed(call, &parts[i]) < 0)
            return -1;
    return 0;
}

/* The second stage of the shard, where it has one, beside the run. */
static int take_confirm(const struct part *part, const char *run) {
    char from[PATH_MAX], to[PATH_MAX], name[32];
    const char *const list[] = {from};
    snprintf(name, sizeof name, "confirm-%d", part->shard);
    if (files_join(from, part->folder, "confirm") < 0 || files_join(to, run, name) < 0)
        return -1;
    return access(from, F_OK) != 0 || merge_runs(list, 1, to) == EXIT_PASS ? 0 : -1;
}

static int make(const struct part *parts, size_t count, const char *run) {
    const char *folders[GATE_SHARDS] = {0};
    for (size_t i = 0; i < count; i++)
        folders[i] = parts[i].folder;
    if (merge_runs(folders, count, run) != EXIT_PASS)
        return -1;
    int status = gate_shards_write(run, folders, count, json_object_get(parts[0].plan, "units"));
    for (size_t i = 0; i < count && status == 0; i++)
        status = take_confirm(&parts[i], run);
    if (status < 0)
        files_remove_tree(run);
    return status;
}

int gate_merge(const struct gate_call *call, const char *const *folders, size_t count) {
    struct part *parts = calloc(count, sizeof *parts);
    int status = parts ? 0 : error("no memory for %zu shards", count);
    for (size_t i = 0; i < count && status == 0; i++)
        status = read_part(folders[i], &parts[i]);
    if (status == 0 && (status = check(call, parts, count)) == 0)
        status = make(parts, count, call->run);
    for (size_t i = 0; parts && i < count; i++) {
        json_decref(parts[i].plan);
        json_decref(parts[i].manifest);
    }
    free(parts);
    return status;
}
