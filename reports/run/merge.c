#include "reports/run/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/run/controls.h"
#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"
#include "reports/run/verify.h"
#include "reports/run/versions.h"

struct shard {
    const char *folder;
    json_t *plan, *manifest;
    char hash[33];
    char label[RUNDIR_NAME]; /* of its first device: what shards are sorted by */
};

static int read_shard(const char *folder, struct shard *shard) {
    shard->folder = folder;
    if (!(shard->plan = rundir_read_json(folder, "plan.json")) ||
        !(shard->manifest = rundir_read_json(folder, "manifest.json")) ||
        rundir_plan_hash(shard->plan, shard->hash) < 0 ||
        verify_clean(folder, ": it was edited or damaged") < 0)
        return -1;
    const json_t *devices = json_object_get(shard->manifest, "devices");
    if (json_array_size(devices) == 0)
        return error("%s/manifest.json names no device", folder);
    snprintf(shard->label, sizeof shard->label, "%s",
             jsonfile_text(json_array_get(devices, 0), "label"));
    return 0;
}

/* 0 for a shard and its copy. */
static int compare_shards(const struct shard *a, const struct shard *b) {
    int order = strcmp(a->label, b->label);
    return order ? order
                 : strcmp(jsonfile_text(a->manifest, "start"), jsonfile_text(b->manifest, "start"));
}

/* Of a shard and an earlier copy of it the one that ended later comes first; of equal ones it does
 * not matter. */
static int order_shards(const void *left, const void *right) {
    const struct shard *a = left, *b = right;
    int order = compare_shards(a, b);
    return order ? order
                 : strcmp(jsonfile_text(b->manifest, "end"), jsonfile_text(a->manifest, "end"));
}

static const char *element_of(const struct shard *shard) {
    return jsonfile_text(shard->plan, "element");
}

/* The plan has what the kernels' files hold. Their commit, where both know it, tells of headers. */
static int check_commits(const struct shard *a, const struct shard *b) {
    static const char *const names[] = {"kernels_commit", "previous_commit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *here = jsonfile_text(a->manifest, names[i]);
        const char *there = jsonfile_text(b->manifest, names[i]);
        if (*here && *there && strcmp(here, there) != 0)
            return error("%s and %s have measured other kernels: %s is %.70s and %.70s", a->folder,
                         b->folder, names[i], here, there);
    }
    return 0;
}

/* One plan, and machines that may be compared. Returns an exit status. */
static int agree(const struct shard *shards, size_t count) {
    struct fingerprint first, other;
    char text[1024];
    if (fingerprint_read(shards[0].folder, &first) < 0)
        return EXIT_TROUBLE;
    for (size_t i = 1; i < count; i++) {
        const char *one = element_of(&shards[0]), *other_one = element_of(&shards[i]);
        if (strcmp(one, other_one) != 0) {
            error("%s and %s are not mixed: their operands are of %s and %s", shards[0].folder,
                  shards[i].folder, one, other_one);
            return EXIT_TROUBLE;
        }
        if (strcmp(shards[i].hash, shards[0].hash) != 0) {
            error("%s and %s are of different plans (%s, %s): only shards of one run are merged, "
                  "with the same options and seed",
                  shards[0].folder, shards[i].folder, shards[0].hash, shards[i].hash);
            return EXIT_TROUBLE;
        }
        if (check_commits(&shards[0], &shards[i]) < 0 ||
            fingerprint_read(shards[i].folder, &other) < 0)
            return EXIT_TROUBLE;
        if (fingerprint_differ(&first, &other, text, sizeof text) > 0) {
            error("%s and %s are from unlike machines: %s", shards[0].folder, shards[i].folder,
                  text);
            return EXIT_NOT_COMPARABLE;
        }
    }
    return EXIT_PASS;
}

static bool same_samples(const struct samples *a, size_t a_count, const struct samples *b,
                         size_t b_count) {
    bool same = a_count == b_count;
    for (size_t i = 0; i < a_count && same; i++)
        same = a[i].blocks == b[i].blocks && a[i].column_count == b[i].column_count &&
               memcmp(a[i].values, b[i].values,
                      a[i].blocks * a[i].column_count * sizeof *a[i].values) == 0;
    return same;
}

/* Takes a unit over, or sees that it is the same as the one of the first shard that had it. */
static int take_unit(const struct shard *shard, const struct shard *first, const char *id,
                     const char *run) {
    struct rows rows = {0}, there = {0};
    struct samples *samples = NULL, *others = NULL;
    size_t count = 0, other_count = 0;
    int status = -1;
    if (rundir_read_unit(shard->folder, id, &rows) < 0 ||
        rundir_read_samples(shard->folder, id, &samples, &count) < 0)
        goto done;
    const int present = rundir_has_unit(run, id);
    if (present == 0) {
        status = rundir_write_unit(run, id, &rows, samples, count);
        goto done;
    }
    if (present < 0 || rundir_read_unit(run, id, &there) < 0 ||
        rundir_read_samples(run, id, &others, &other_count) < 0)
        goto done;
    status =
        same_samples(samples, count, others, other_count) &&
                rows_differ(id, &rows, &there, true, 1) == 0
            ? 0
            : error("%s was measured twice, in %s and again in %s: merge one of these two only", id,
                    first->folder, shard->folder);
done:
    samples_free(samples, count);
    samples_free(others, other_count);
    rows_free(&rows);
    rows_free(&there);
    return status;
}

/* Which shards have begun with the unit. */
static void tell_rounds(const struct shard *shards, size_t count, const char *id) {
    for (size_t i = 0; i < count; i++) {
        int rounds = 0;
        if (rundir_count_rounds(shards[i].folder, id, &rounds) == 0 && rounds > 0)
            printf("; %s has %d of its rounds", shards[i].folder, rounds);
    }
}

/* Every unit of the plan from every shard that has it; prints those that none has. Returns how many
 * are missing, or -1. */
static long take_units(const struct shard *shards, size_t count, const char *run) {
    long missing = 0;
    json_t *unit;
    size_t at;
    json_array_foreach(json_object_get(shards[0].plan, "units"), at, unit) {
        const char *id = json_string_value(unit);
        const struct shard *first = NULL;
        for (size_t i = 0; id && i < count; i++) {
            if (rundir_has_unit(shards[i].folder, id) != 1)
                continue;
            first = first ? first : &shards[i];
            if (take_unit(&shards[i], first, id, run) < 0)
                return -1;
        }
        if (id && !first) {
            printf("%s%s", missing ? "" : "not measured by any shard:\n", id);
            tell_rounds(shards, count, id);
            putchar('\n');
            missing++;
        }
    }
    return missing;
}

/* Adds the kernels of a shard that the list does not have yet. */
static void add_kernels(json_t *list, const json_t *more) {
    json_t *entry;
    size_t i;
    json_array_foreach(more, i, entry) {
        if (!jsonfile_entry(list, "file", jsonfile_text(entry, "file")))
            json_array_append(list, entry);
    }
}

/* Says where versions of gemmgate are mixed; a change between them may be one of the harness. */
static void put_versions(const struct shard *shards, size_t count, json_t *manifest) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        versions_add(all, shards[i].manifest);
    if (json_array_size(all) > 1)
        warning("%zu versions of gemmgate have measured these shards, see measured_by in the "
                "manifest: see what has changed between them",
                json_array_size(all));
    json_object_set_new(manifest, "measured_by", all);
}

/* The manifest of the first, with the devices and kernels of all. */
static int write_manifest(const struct shard *shards, size_t count, const char *run,
                          bool complete) {
    static const char *const sets[] = {"kernels", "previous_kernels"};
    json_t *manifest = json_deep_copy(shards[0].manifest), *devices = json_array(),
           *merged = json_array(), *entry;
    const char *start = jsonfile_text(manifest, "start"), *end = "";
    size_t at;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && compare_shards(&shards[i - 1], &shards[i]) == 0)
            continue;
        const char *from = jsonfile_text(shards[i].manifest, "start");
        const char *to = jsonfile_text(shards[i].manifest, "end");
        start = strcmp(from, start) < 0 ? from : start;
        end = strcmp(to, end) > 0 ? to : end;
        json_array_foreach(json_object_get(shards[i].manifest, "devices"), at, entry)
            json_array_append(devices, entry);
        for (size_t set = 0; set < 2; set++)
            add_kernels(json_object_get(manifest, sets[set]),
                        json_object_get(shards[i].manifest, sets[set]));
        json_array_append_new(merged, json_pack("{s:s, s:s, s:s}", "shard",
                                                jsonfile_text(shards[i].manifest, "shard"), "start",
                                                from, "end", to));
    }
    int status = json_object_set_new(manifest, "start", json_string(start)) < 0 ? -1 : 0;
    json_object_set_new(manifest, "end", complete ? json_string(end) : json_null());
    json_object_set_new(manifest, "devices", devices);
    json_object_set_new(manifest, "merged", merged);
    json_object_del(manifest, "seconds"); /* each machine's own */
    put_versions(shards, count, manifest);
    json_object_set_new(manifest, "shard", json_null());
    json_object_set_new(manifest, "complete", json_boolean(complete));
    if (status == 0 && complete) {
        char why[512];
        status = controls_record(run, manifest, why, sizeof why) < 0 ? -1 : 0;
    }
    if (status == 0)
        status = rundir_write_json(run, "manifest.json", manifest);
    json_decref(manifest);
    return status;
}

/* The command line of a shard is that of the whole but for --shard. 0, or -1 after error(). */
static int take_command(const struct shard *shard, const char *run) {
    char path[PATH_MAX];
    if (files_join(path, shard->folder, "command.json") < 0)
        return -1;
    if (access(path, F_OK) < 0)
        return 0;
    json_t *command = rundir_read_json(shard->folder, "command.json");
    json_t *words = json_object_get(command, "words");
    for (size_t i = 0; i < json_array_size(words);) {
        const char *word = json_string_value(json_array_get(words, i));
        const bool apart = word && strcmp(word, "--shard") == 0;
        if (apart)
            json_array_remove(words, i + 1);
        if (apart || (word && strncmp(word, "--shard=", 8) == 0))
            json_array_remove(words, i);
        else
            i++;
    }
    const int status = command ? rundir_write_json(run, "command.json", command) : -1;
    json_decref(command);
    return status;
}

int merge_runs(const char *const *folders, size_t count, const char *run) {
    struct shard *shards = calloc(count, sizeof *shards);
    int status = shards ? EXIT_PASS : EXIT_TROUBLE;
    long missing = -1;
    bool created = false; /* not left half-made */
    if (!shards)
        error("no memory for %zu shards", count);
    for (size_t i = 0; i < count && status == EXIT_PASS; i++)
        status = read_shard(folders[i], &shards[i]) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    if (status == EXIT_PASS) {
        qsort(shards, count, sizeof *shards, order_shards);
        status = agree(shards, count);
    }
    if (status == EXIT_PASS) {
        status = EXIT_TROUBLE;
        created = rundir_create(run, shards[0].plan, 0) == 0;
        if (created && (missing = take_units(shards, count, run)) >= 0 &&
            (missing > 0 || rundir_collect(run) == 0) && take_command(&shards[0], run) == 0 &&
            write_manifest(shards, count, run, missing == 0) == 0)
            status = missing ? EXIT_INCONCLUSIVE : EXIT_PASS;
        else if (created)
            files_remove_tree(run);
    }
    if (status == EXIT_INCONCLUSIVE)
        error(
            "%s lacks %ld of the plan's units: measure them in their shards (--shard I/N "
            "--resume) and merge again into another folder, or go on here: `gemmgate run --resume "
            "-o %s`",
            run, missing, run);
    for (size_t i = 0; shards && i < count; i++) {
        json_decref(shards[i].plan);
        json_decref(shards[i].manifest);
    }
    free(shards);
    return status;
}
