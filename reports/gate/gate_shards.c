#include "reports/gate/gate_shards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "reports/run/controls.h"

static const char file_name[] = "shards.json";

size_t gate_shards_units(size_t units, int shard, int shards) {
    const size_t before = (size_t)shard - 1;
    return before < units ? (units - before - 1) / (size_t)shards + 1 : 0;
}

static int refuse(const char *run, char why[RUNDIR_TEXT]) {
    snprintf(why, RUNDIR_TEXT,
             "%.300s/%s does not name every unit of the plan once: it was edited or damaged, merge "
             "the shards again",
             run, file_name);
    return error("%s", why);
}

/* Every unit of the plan in one shard. */
static bool is_whole(const json_t *plan, const struct gate_shards *shards) {
    const json_t *all = json_object_get(plan, "units"), *unit;
    size_t named = 0, at;
    for (size_t i = 0; i < shards->count; i++)
        named += json_array_size(shards->list[i].units);
    if (named != json_array_size(all))
        return false;
    json_array_foreach(all, at, unit) {
        size_t found = 0;
        for (size_t i = 0; i < shards->count; i++)
            found += jsonfile_lists(shards->list[i].units, json_string_value(unit));
        if (found != 1)
            return false;
    }
    return true;
}

static int read_file(const struct gate_run *run, struct gate_shards *shards,
                     char why[RUNDIR_TEXT]) {
    const size_t units = json_array_size(json_object_get(run->plan, "units"));
    snprintf(why, RUNDIR_TEXT, "%.300s/%s cannot be read", run->folder, file_name);
    if (!(shards->json = rundir_read_json(run->folder, file_name)))
        return -1;
    const size_t count = json_array_size(json_object_get(shards->json, "shards"));
    if (count < 1 || count > GATE_SHARDS)
        return refuse(run->folder, why);
    shards->merged = true;
    shards->count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *list = json_array_get(json_object_get(shards->json, "shards"), i);
        shards->list[i] = (struct gate_shard){
            .units = list, .share = (double)json_array_size(list) / (double)(units ? units : 1)};
    }
    return is_whole(run->plan, shards) ? 0 : refuse(run->folder, why);
}

int gate_shards_read(struct gate_case *of, char why[RUNDIR_TEXT]) {
    const struct gate_call *call = of->call;
    const size_t units = json_array_size(json_object_get(of->run.plan, "units"));
    char path[PATH_MAX];
    of->shards = (struct gate_shards){.count = 1, .list = {{.share = 1}}};
    if (call->shards) {
        of->shards.list[0].share =
            (double)gate_shards_units(units, call->shard, call->shards) / (double)units;
        return 0;
    }
    if (files_join(path, call->run, file_name) < 0)
        return -1;
    return access(path, F_OK) == 0 ? read_file(&of->run, &of->shards, why) : 0;
}

void gate_shards_free(struct gate_shards *shards) {
    json_decref(shards->json);
    *shards = (struct gate_shards){0};
}

size_t gate_shards_find(const struct gate_shards *shards, struct shape shape,
                        const char *candidate) {
    char id[RUNDIR_UNIT];
    rundir_unit_id(shape, candidate, id);
    for (size_t i = 0; i < shards->count; i++)
        if (jsonfile_lists(shards->list[i].units, id))
            return i;
    return 0;
}

/* Adds what one more folder of the second stage holds; the manifest is that of the first, or of one
 * whose controls failed. */
static int join(struct gate_run *all, struct gate_run *one) {
    if (rows_append(&all->rows, &one->rows) < 0)
        return -1;
    const size_t count = all->speeds.count + one->speeds.count;
    struct round_speed *list = realloc(all->speeds.list, (count + 1) * sizeof *list);
    if (!list)
        return error("no memory for %zu speeds", count);
    if (one->speeds.count)
        memcpy(list + all->speeds.count, one->speeds.list, one->speeds.count * sizeof *list);
    qsort(list, count, sizeof *list, round_speeds_compare);
    all->speeds = (struct round_speeds){list, count};
    const char *verdict = json_string_value(rundir_find(one->manifest, "controls.verdict"));
    if (!all->manifest || (verdict && strcmp(verdict, controls_word(CONTROLS_FAILED)) == 0)) {
        json_t *manifest = json_incref(one->manifest);
        json_decref(all->manifest);
        all->manifest = manifest;
        all->folder = one->folder;
    }
    return 0;
}

static int add_stage(struct gate_case *of, const char *folder, char why[RUNDIR_TEXT]) {
    struct gate_run one;
    int status = gate_run_read(folder, GATE_READ_VERIFIED, &one, why);
    if (status == 0)
        status = gate_run_fits(&one, &of->run, why);
    if (status == 0 && (status = join(&of->confirm, &one)) < 0)
        snprintf(why, RUNDIR_TEXT, "no memory for %.300s", folder);
    gate_run_free(&one);
    return status;
}

int gate_shards_read_confirm(struct gate_case *of, char why[RUNDIR_TEXT]) {
    for (size_t i = 0; i < of->shards.count; i++) {
        char name[32] = "confirm", *folder = of->shards.list[i].confirm;
        if (of->shards.merged)
            snprintf(name, sizeof name, "confirm-%zu", i + 1);
        if (files_join(folder, of->call->run, name) < 0)
            return -1;
        if (access(folder, F_OK) == 0 && add_stage(of, folder, why) < 0)
            return -1;
    }
    return 0;
}

/* The units that are in the folder. */
static json_t *list_units(const char *folder, const json_t *units) {
    json_t *list = json_array(), *unit;
    size_t at;
    json_array_foreach(units, at, unit) {
        if (rundir_has_unit(folder, json_string_value(unit)) == 1)
            json_array_append(list, unit);
    }
    return list;
}

int gate_shards_write(const char *run, const char *const *folders, size_t count,
                      const json_t *units) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, list_units(folders[i], units));
    json_t *json = json_pack("{s:o}", "shards", list);
    const int status = json ? rundir_write_json(run, file_name, json)
                            : error("no memory for the shards of %s", run);
    json_decref(json);
    return status;
}
