#include "reports/import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/text.h"
#include "reports/run/verify.h"
#include "reports/tables/controls.h"
#include "reports/tables/runs.h"

static int check_shard(struct rundir *shard) {
    if (verify_clean(shard, ": it was edited or damaged") < 0)
        return -1;
    return json_array_size(json_object_get(shard->manifest, "devices")) > 0
               ? 0
               : error("%s/manifest.json names no device", shard->folder);
}

/* The label of its first device: what shards are sorted by. */
static const char *label_of(const struct rundir *shard) {
    return jsonfile_text(json_array_get(json_object_get(shard->manifest, "devices"), 0), "label");
}

/* 0 for a shard and its copy. */
static int compare_shards(const struct rundir *a, const struct rundir *b) {
    const int order = strcmp(label_of(a), label_of(b));
    return order ? order : strcmp(a->about.start, b->about.start);
}

/* Of a shard and an earlier copy of it the one that ended later comes first; of equal ones it does
 * not matter. */
static int order_shards(const void *left, const void *right) {
    const struct rundir *a = left, *b = right;
    const int order = compare_shards(a, b);
    return order ? order : strcmp(b->about.end, a->about.end);
}

/* One plan, and machines that may be compared. Returns an exit status. */
static int agree(const struct rundir *shards, size_t count) {
    const struct rundir *first = shards;
    sqlite3 *db = query_open();
    char text[1024];
    int status = EXIT_PASS;
    for (size_t i = 0; i < count; i++)
        runs_add(db, shards[i].folder, &shards[i], NULL);
    for (size_t i = 1; i < count && status == EXIT_PASS; i++) {
        const struct rundir *other = &shards[i];
        status =
            query_refuse(query_ask(db, query_merge_refused, first->folder, other->folder, NULL));
        if (status == EXIT_PASS && fingerprint_differ(&first->fingerprint, &other->fingerprint,
                                                      text, sizeof text) > 0) {
            error("%s and %s are from unlike machines: %s", first->folder, other->folder, text);
            status = EXIT_NOT_COMPARABLE;
        }
    }
    sqlite3_close(db);
    return status;
}

/* Takes a unit over, or sees that it is the same as the one that is there: the seconds that it took
 * tell two measurements apart. first: the first shard that has it. */
static int take_unit(const struct rundir *shard, const struct rundir *first, const char *id,
                     const char *run) {
    struct rundir_unit unit, there = {0};
    const bool taken = rundir_has_unit(run, id);
    int status = rundir_read_unit(shard->folder, id, &unit) < 0 ? -1 : 0;
    if (status == 0 && !taken)
        status = rundir_write_unit(run, id, &unit);
    else if (status == 0)
        status = rundir_read_unit(run, id, &there) < 0 ? -1 : 0;
    if (status == 0 && taken && rows_differ(id, &unit.rows, &there.rows, 1) > 0)
        status = error("%s was measured twice, in %s and again in %s: merge one of these two only",
                       id, first->folder, shard->folder);
    rundir_free_unit(&unit);
    rundir_free_unit(&there);
    return status;
}

/* A unit that no shard has whole, and which have begun with it. */
static void tell_missing(const struct rundir *shards, size_t count, const char *id) {
    char text[RUNDIR_TEXT];
    snprintf(text, sizeof text, "%s", id);
    for (size_t i = 0; i < count; i++) {
        int visits = 0;
        if (rundir_count_visits(shards[i].folder, id, &visits) == 0 && visits > 0)
            text_append(text, sizeof text, "; %s has %d of its visits", shards[i].folder, visits);
    }
    text_print_line(stdout, "%s", text);
}

/* Every unit of the plan from every shard that has it; prints those that none has. Returns how many
 * are missing, or -1. */
static long take_units(const struct rundir *shards, size_t count, const char *run) {
    long missing = 0;
    json_t *unit;
    size_t at;
    json_array_foreach(json_object_get(shards[0].plan, "units"), at, unit) {
        const char *id = json_string_value(unit);
        const struct rundir *first = NULL;
        for (size_t i = 0; id && i < count; i++) {
            const int there = rundir_has_unit(shards[i].folder, id);
            if (there < 0)
                return -1;
            if (!there)
                continue;
            first = first ? first : &shards[i];
            if (take_unit(&shards[i], first, id, run) < 0)
                return -1;
        }
        if (id && !first) {
            if (missing++ == 0)
                text_print_line(stdout, "not measured by any shard:");
            tell_missing(shards, count, id);
        }
    }
    return missing;
}

/* Says where versions of gemmgate are mixed; a change between them may be one of the harness. */
static void put_versions(const struct rundir *shards, size_t count, json_t *manifest) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        about_add_versions(all, shards[i].manifest);
    if (json_array_size(all) > 1)
        warning("%zu versions of gemmgate have measured these shards, see measured_by in the "
                "manifest: see what has changed between them",
                json_array_size(all));
    json_object_set_new(manifest, "measured_by", all);
}

/* The manifest of the first, with the devices of all. */
static json_t *manifest_of(const struct rundir *shards, size_t count, bool complete) {
    json_t *manifest = json_deep_copy(shards[0].manifest), *devices = json_array(),
           *merged = json_array(), *entry;
    const char *start = shards[0].about.start, *end = "";
    size_t at;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && compare_shards(&shards[i - 1], &shards[i]) == 0)
            continue;
        const char *from = shards[i].about.start, *to = shards[i].about.end;
        start = strcmp(from, start) < 0 ? from : start;
        end = strcmp(to, end) > 0 ? to : end;
        json_array_foreach(json_object_get(shards[i].manifest, "devices"), at, entry)
            json_array_append(devices, entry);
        json_array_append_new(merged, json_pack("{s:s, s:s, s:s}", "shard",
                                                jsonfile_text(shards[i].manifest, "shard"), "start",
                                                from, "end", to));
    }
    json_object_set_new(manifest, "start", json_string(start));
    json_object_set_new(manifest, "end", complete ? json_string(end) : json_null());
    json_object_set_new(manifest, "devices", devices);
    json_object_set_new(manifest, "merged", merged);
    json_object_del(manifest, "seconds"); /* each machine's own */
    put_versions(shards, count, manifest);
    json_object_set_new(manifest, "shard", json_null());
    json_object_set_new(manifest, "complete", json_boolean(complete));
    return manifest;
}

/* The command line of a shard is that of the whole but for --shard. 0, or -1 after error(). */
static int take_command(const struct rundir *shard, const char *run) {
    char path[PATH_MAX];
    bool there;
    if (files_join(path, shard->folder, "command.json") < 0 || files_exists(path, &there) < 0)
        return -1;
    if (!there)
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
    const int status = command ? jsonfile_write(run, "command.json", command) : -1;
    json_decref(command);
    return status;
}

/* What the shards give, in the run's folder. Returns how many units are missing, or -1. */
static long fill(const struct rundir *shards, size_t count, const char *run) {
    const long missing = take_units(shards, count, run);
    char why[512];
    if (missing < 0 || take_command(&shards[0], run) < 0)
        return -1;
    struct rundir whole = {.folder = run,
                           .plan = json_incref(shards[0].plan),
                           .manifest = manifest_of(shards, count, missing == 0)};
    int status = missing ? 0 : rundir_collect(&whole);
    if (status == 0 && !missing)
        controls_record(&whole.rows, whole.plan, whole.manifest, why, sizeof why);
    if (status == 0)
        status = digests_write_manifest(run, whole.plan, whole.manifest);
    rundir_close(&whole);
    return status < 0 ? -1 : missing;
}

int merge_runs(const char *const *folders, size_t count, const char *run) {
    struct rundir *shards = rundir_open_all(folders, count);
    char part[PATH_MAX];
    int claim = -1, status = shards ? EXIT_PASS : EXIT_TROUBLE;
    for (size_t i = 0; i < count && status == EXIT_PASS; i++)
        status = check_shard(&shards[i]) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    if (status == EXIT_PASS) {
        qsort(shards, count, sizeof *shards, order_shards);
        status = agree(shards, count);
    }
    if (status == EXIT_PASS && (claim = rundir_begin(run, shards[0].plan, part)) < 0)
        status = EXIT_TROUBLE;
    if (status == EXIT_PASS) {
        const long missing = fill(shards, count, part);
        status = rundir_end(run, claim, part, missing >= 0) < 0 ? EXIT_TROUBLE
                 : missing                                      ? EXIT_INCONCLUSIVE
                                                                : EXIT_PASS;
        if (status == EXIT_INCONCLUSIVE)
            error("%s lacks %ld of the plan's units: measure them in their shards (--shard I/N "
                  "--resume) and merge again into another folder, or go on here: `gemmgate run "
                  "--resume -o %s`",
                  run, missing, run);
    }
    rundir_close_all(shards, count);
    return status;
}
