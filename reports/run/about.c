#include "reports/run/about.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/element.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/timed_inputs.h"
#include "reports/rows/run_json.h"
#include "reports/run/rundir.h"

/* The text at a dotted path, a number as text, or "". */
static void look_up(const json_t *json, const char *path, char *text, size_t size) {
    char number[32] = "";
    json = rundir_find(json, path);
    if (json_is_number(json))
        snprintf(number, sizeof number, "%.9g", json_number_value(json));
    snprintf(text, size, "%s", json_is_string(json) ? json_string_value(json) : number);
}

/* Strings of an array with commas between. */
static void join(const json_t *array, char *text, size_t size) {
    size_t i;
    json_t *element;
    *text = 0;
    json_array_foreach(array, i, element) {
        const char *word = json_string_value(element);
        if (word)
            text_append(text, size, "%s%s", *text ? ", " : "", word);
    }
}

/* Names the lenses that decide when to stop, where these are not all. */
static void take_protocol(const json_t *plan, char *text, size_t size) {
    char name[64], warmup[32], duration[32], cache[32], ratios[32], some[64] = "";
    const json_t *precise = json_object_get(plan, "precise_lenses");
    const double precision = json_number_value(json_object_get(plan, "precision"));
    const double visits = json_number_value(json_object_get(plan, "visits"));
    look_up(plan, "protocol", name, sizeof name);
    look_up(plan, "precise_ratios", ratios, sizeof ratios);
    look_up(plan, "warmup_seconds", warmup, sizeof warmup);
    look_up(plan, "duration_seconds", duration, sizeof duration);
    look_up(plan, "cache", cache, sizeof cache);
    if (!*name)
        return;
    text_append(text, size, "%s protocol", name);
    if (*warmup)
        text_append(text, size, ", %s s warm-up", warmup);
    if (*duration)
        text_append(text, size, " + %s s timing", duration);
    const bool one = strcmp(ratios, "previous") == 0;
    if (json_array_size(precise) < json_array_size(json_object_get(plan, "lenses")))
        join(precise, some, sizeof some);
    if (precision > 0 && strcmp(name, "paper") != 0)
        text_append(text, size, ", until ±%g %%%s%s%s", one ? 50 * precision : 100 * precision,
                    *some ? " by " : "", some, one ? " of new against old" : "");
    if (visits > 0)
        text_append(text, size, ", %g visit%s", visits, visits > 1 ? "s" : "");
    if (*cache)
        text_append(text, size, ", %s cache", cache);
}

const char about_host_clock[] = "The host device is for trying, testing and demonstrating: "
                                "products are checked as on a GPU, and "
                                "its clock is not defended against a hostile kernel.";

static void take_plan(const json_t *plan, struct about *about) {
    look_up(plan, "device", about->device, sizeof about->device);
    about->on_host = strcmp(about->device, "host") == 0;
    look_up(plan, "set", about->set, sizeof about->set);
    look_up(plan, "suite", about->suite, sizeof about->suite);
    look_up(plan, "element", about->element, sizeof about->element);
    if (!*about->element)
        snprintf(about->element, sizeof about->element, "%s", element_words[ELEMENT_F16]);
    look_up(plan, "accumulate", about->accumulate, sizeof about->accumulate);
    look_up(plan, "inputs", about->inputs, sizeof about->inputs);
    if (strcmp(about->inputs, timed_inputs_words[INPUTS_NORMAL]) == 0)
        *about->inputs = 0;
    join(json_object_get(plan, "modes"), about->modes, sizeof about->modes);
    about->shapes = json_array_size(json_object_get(plan, "shapes"));
    if (*about->modes)
        take_protocol(plan, about->protocol, sizeof about->protocol);
}

/* Appends ", NAME VALUE" where the manifest has a value. */
static void add_software(const json_t *manifest, const char *path, const char *name,
                         struct about *about) {
    char value[160];
    look_up(manifest, path, value, sizeof value);
    if (*value)
        text_append(about->software, sizeof about->software, "%s%s %s",
                    *about->software ? ", " : "", name, value);
}

/* Likewise for the versions of gemmgate that have measured, by the first digits of their commits.
 */
static void add_versions(const json_t *manifest, struct about *about) {
    json_t *versions = json_array(), *version;
    size_t i;
    about_add_versions(versions, manifest);
    json_array_foreach(versions, i, version)
        text_append(about->software, sizeof about->software, "%s%.12s",
                    i > 0              ? " and "
                    : *about->software ? ", gemmgate "
                                       : "gemmgate ",
                    json_string_value(version));
    json_decref(versions);
}

/* "host" of "2/8 node host". */
static const char *name_of(const json_t *device) {
    const char *label = jsonfile_text(device, "label"), *space = strrchr(label, ' ');
    return space ? space + 1 : label;
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of the devices, each once and sorted: GPUs by their UUIDs, hosts by their nodes. Returns
 * how many. */
static size_t list_devices(const json_t *list, bool gpus, const char **names) {
    const size_t entries = json_array_size(list);
    size_t count = 0;
    for (size_t i = 0; i < entries; i++) {
        const json_t *device = json_array_get(list, i);
        names[i] = gpus ? jsonfile_text(device, "uuid") : name_of(device);
    }
    qsort(names, entries, sizeof *names, compare_names);
    for (size_t i = 0; i < entries; i++)
        if (i == 0 || strcmp(names[count - 1], names[i]) != 0)
            names[count++] = names[i];
    return count;
}

/* The name of the device, or how many there are: a shard has its own entry for each of a host's. And the
 * cards: no order of the same cards is another card. */
static void take_devices(const json_t *list, char *text, size_t size, struct about *about) {
    const json_t *first = json_array_get(list, 0);
    const bool gpus = *jsonfile_text(first, "uuid");
    const char **names = need(json_array_size(list), sizeof *names);
    const size_t count = list_devices(list, gpus, names);
    for (size_t i = 0; i < count && gpus; i++)
        text_append(about->cards, sizeof about->cards, "%s%s", i ? "," : "", names[i]);
    free(names);
    if (count > 1)
        snprintf(text, size, "%zu devices", count);
    else if (count == 1)
        snprintf(text, size, "%s", name_of(first));
}

static void take_manifest(const json_t *manifest, struct about *about) {
    char name[128], number[48];
    snprintf(number, sizeof number, "%.20s", about->device);
    take_devices(json_object_get(manifest, "devices"), number, sizeof number, about);
    look_up(manifest, "gpu.name", name, sizeof name);
    if (!*name)
        look_up(manifest, "cpu.model", name, sizeof name);
    if (*name)
        snprintf(about->device, sizeof about->device, "%s (%s)", name, number);
    add_software(manifest, "driver", "driver", about);
    add_software(manifest, "cuda.runtime", "CUDA runtime", about);
    add_software(manifest, "cuda.cublas", "cuBLAS", about);
    add_software(manifest, "cuda.cublaslt", "cuBLASLt", about);
    add_software(manifest, "openblas", "OpenBLAS:", about);
    add_versions(manifest, about);
    look_up(manifest, "start", about->start, sizeof about->start);
    look_up(manifest, "end", about->end, sizeof about->end);
    look_up(manifest, "shard", about->shard, sizeof about->shard);
    look_up(manifest, "imported", about->imported, sizeof about->imported);
    size_t i;
    json_t *source;
    json_array_foreach(json_object_get(manifest, "sources"), i, source) {
        look_up(source, "name", name, sizeof name);
        text_append(about->imported, sizeof about->imported, "%s%s", i ? ", " : ": ", name);
    }
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
    take_plan(plan, about);
    if (manifest)
        take_manifest(manifest, about);
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
        add(versions, rundir_find(manifest, "gemmgate.git_commit"));
    json_array_foreach(list, i, version) add(versions, version);
}
