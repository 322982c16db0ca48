#include "reports/run/about.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/text.h"
#include "bench/base/timed_inputs.h"
#include "reports/query/query.h"
#include "reports/run/rundir.h"

const char about_host_clock[] = "The host device is for trying, testing and demonstrating: "
                                "products are checked as on a GPU, and "
                                "its clock is not defended against a hostile kernel.";

#define TEXT(member)                                                                               \
    { #member, offsetof(struct about, member), sizeof(((struct about *)0)->member) }
static const struct {
    const char *name;
    size_t place, size;
} texts[] = {TEXT(device),     TEXT(cards),  TEXT(software), TEXT(set),      TEXT(suite),
             TEXT(element),    TEXT(inputs), TEXT(modes),    TEXT(protocol), TEXT(start),
             TEXT(accumulate), TEXT(end),    TEXT(imported), TEXT(shard)};

/* The plan's long lists say nothing of it. */
static char *dump_plan(const json_t *plan) {
    json_t *brief = json_copy((json_t *)plan);
    json_object_del(brief, "shapes");
    json_object_del(brief, "units");
    json_object_del(brief, "candidates");
    char *text = json_dumps(brief, 0);
    json_decref(brief);
    return text;
}

static void take_texts(const json_t *plan, const json_t *manifest, struct about *about) {
    char *is = dump_plan(plan), *was = manifest ? json_dumps(manifest, 0) : NULL;
    sqlite3 *db = query_open_empty();
    sqlite3_stmt *told = query_ask(db, query_about, is ? is : "{}", was ? was : "{}", NULL);
    query_next(told);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        snprintf((char *)about + texts[i].place, texts[i].size, "%s",
                 query_text(told, texts[i].name));
    sqlite3_finalize(told);
    sqlite3_close(db);
    free(is);
    free(was);
}

/* An unfinished run: how many of the plan's units are there, and how many visits of the others. */
static void count_units(const char *run, const json_t *plan, struct about *about) {
    const json_t *units = json_object_get(plan, "units"), *id;
    const json_int_t each = json_integer_value(json_object_get(plan, "visits"));
    size_t i, there = 0, visits = 0;
    json_array_foreach(units, i, id) {
        const char *name = json_string_value(id);
        int begun = 0;
        if (name && rundir_has_unit(run, name))
            there++;
        else if (name && rundir_count_visits(run, name, &begun) == 0 && begun > 0)
            visits += (size_t)begun;
    }
    char *text = about->how_complete;
    const size_t size = sizeof about->how_complete, count = json_array_size(units);
    snprintf(text, size, "no: %zu of %zu units are there", there, count);
    if (visits > 0)
        text_append(text, size, ", and %zu of the %lld visits of the others", visits,
                    (long long)each * (long long)(count - there));
    if (*about->shard)
        text_append(text, size, ", as shard %s", about->shard);
}

const char *about_remedy(const struct about *about) {
    return about->going_on ? "wait, it is being measured"
           : *about->shard
               ? "it is a shard: take what `gemmgate merge SHARD... -o RUN` makes of all"
               : "finish it with --resume";
}

int about_take(const char *run, const json_t *plan, const json_t *manifest, struct about *about) {
    *about = (struct about){.complete = json_is_true(json_object_get(manifest, "complete"))};
    take_texts(plan, manifest, about);
    about->shapes = json_array_size(json_object_get(plan, "shapes"));
    about->on_host = strcmp(jsonfile_text(plan, "device"), "host") == 0;
    if (strcmp(about->inputs, timed_inputs_words[INPUTS_NORMAL]) == 0)
        *about->inputs = 0;
    if (about->complete)
        snprintf(about->how_complete, sizeof about->how_complete, "yes");
    else
        count_units(run, plan, about);
    about->going_on = !about->complete && rundir_is_claimed(run);
    return rundir_plan_hash(plan, about->hash);
}

static void add(json_t *versions, const json_t *version) {
    json_t *there;
    size_t i;
    bool known = !json_is_string(version);
    json_array_foreach(versions, i, there) known |= json_equal(version, there) != 0;
    if (!known)
        json_array_append(versions, (json_t *)version);
}

void about_add_versions(json_t *versions, const json_t *manifest) {
    const json_t *list = json_object_get(manifest, "measured_by");
    json_t *version;
    size_t i;
    if (!json_is_array(list))
        add(versions, jsonfile_find(manifest, "gemmgate.git_commit"));
    json_array_foreach(list, i, version) add(versions, version);
}
