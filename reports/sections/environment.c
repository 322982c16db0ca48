/* The machine and its software as manifest.json has them, and how to do it again. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sections/sections.h"

enum { PATH = 256, VALUE = 1024 };

/* A number, text or truth as text; "" for what is none. */
static void describe(const json_t *json, char text[VALUE]) {
    *text = 0;
    if (json_is_string(json))
        snprintf(text, VALUE, "%s", json_string_value(json));
    else if (json_is_integer(json))
        snprintf(text, VALUE, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
    else if (json_is_real(json))
        snprintf(text, VALUE, "%.9g", json_real_value(json));
    else if (json_is_boolean(json))
        snprintf(text, VALUE, "%s", json_is_true(json) ? "yes" : "no");
}

/* Of an array: its words; of anything with parts, how many there are. */
static void describe_array(const json_t *array, char text[VALUE]) {
    const size_t count = json_array_size(array);
    char word[VALUE];
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < count && used < VALUE; i++) {
        const json_t *element = json_array_get(array, i);
        if (json_is_object(element) || json_is_array(element)) {
            snprintf(text, VALUE, "%zu, in manifest.json", count);
            return;
        }
        describe(element, word);
        used += (size_t)snprintf(text + used, VALUE - used, "%s%s", i ? ", " : "", word);
    }
}

static void add_json(struct document *page, const char *path, const json_t *json) {
    const char *name;
    json_t *part;
    char text[VALUE], below[PATH];
    json_object_foreach((json_t *)json, name, part) {
        snprintf(below, sizeof below, "%.120s%s%.120s", path, *path ? "." : "", name);
        if (json_is_object(part)) {
            add_json(page, below, part);
            continue;
        }
        if (json_is_array(part))
            describe_array(part, text);
        else
            describe(part, text);
        document_fact(page, below, text);
    }
}

void section_environment(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "environment", "Environment");
    if (!report->manifest) {
        document_paragraph(page, "Not recorded: the run has no manifest.json yet.");
        return;
    }
    document_facts(page, "Machine, software and time, from manifest.json");
    add_json(page, "", report->manifest);
}

/* In single quotes where a shell would read more than a word. */
static void put_word(FILE *out, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+%@";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    char quoted[4 * VALUE], *to = quoted;
    *to++ = '\'';
    for (; *word && to < quoted + sizeof quoted - 8; word++)
        to = stpcpy(to, *word == '\'' ? "'\\''" : (const char[]){*word, 0});
    strcpy(to, "'");
    fputs(quoted, out);
}

static void put_option(FILE *out, const char *option, const char *value) {
    if (!*value)
        return;
    fprintf(out, " --%s ", option);
    put_word(out, value);
}

/* The options of `gemmgate run` with a value, where they stand in the plan, and what to multiply
 * by.
 */
static const struct {
    const char *option, *member;
    double scale;
} options[] = {
    {"device", "device", 1},
    {"baselines", "baselines", 1},
    {"accumulate", "accumulate", 1},
    {"mode", "modes", 1},
    {"lens", "lenses", 1},
    {"protocol", "protocol", 1},
    {"precision", "precision", 100},
    {"warmup", "warmup_seconds", 1},
    {"duration", "duration_seconds", 1},
    {"rounds", "rounds", 1},
    {"cache", "cache", 1},
    {"arrival", "arrival", 1},
    {"qps", "qps", 1},
    {"seed", "seed", 1},
    {"workspace", "workspace_bytes", 1.0 / (1 << 20)},
    {"autotune", "autotune", 1},
    {"autotune-lens", "autotune_lens", 1},
    {"search-budget", "search_seconds", 1},
    {"autotune-warmup", "autotune_warmup", 1},
    {"autotune-rounds", "autotune_rounds", 1},
    {"call-timeout", "call_timeout_seconds", 1},
    {"setup-timeout", "setup_timeout_seconds", 1},
    {"shape-timeout", "shape_timeout_seconds", 1},
    {"alpha", "alpha", 1},
    {"beta", "beta", 1},
};

/* Those without a value, and what the plan has where they are given. */
static const struct {
    const char *option, *member;
    bool given;
} flags[] = {
    {"memcheck", "memcheck", true},
    {"count-padding", "count_padding", true},
    {"no-sandbox", "sandbox", false},
    {"no-audit", "audit", false},
};

static bool has_mode(const json_t *plan, const char *mode) {
    const json_t *modes = json_object_get(plan, "modes");
    for (size_t i = 0; i < json_array_size(modes); i++) {
        const char *text = json_string_value(json_array_get(modes, i));
        if (text && strcmp(text, mode) == 0)
            return true;
    }
    return false;
}

/* What the program would refuse: a limit of nothing, where the plan has none, and what is of a mode
 * that is not timed. */
static bool is_idle(const char *option, const json_t *value, const json_t *plan) {
    if (strstr(option, "-timeout"))
        return json_number_value(value) == 0;
    return (strcmp(option, "qps") == 0 || strcmp(option, "arrival") == 0) &&
           !has_mode(plan, "server");
}

static void put_options(FILE *out, const json_t *plan) {
    char text[VALUE];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const json_t *value = json_object_get(plan, options[i].member);
        if (is_idle(options[i].option, value, plan))
            continue;
        describe(value, text);
        if (json_is_number(value))
            snprintf(text, sizeof text, "%.9g", options[i].scale * json_number_value(value));
        if (json_is_array(value))
            describe_array(value, text);
        for (char *blank = text; (blank = strstr(blank, ", "));)
            memmove(blank + 1, blank + 2, strlen(blank + 2) + 1);
        put_option(out, options[i].option, text);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const json_t *value = json_object_get(plan, flags[i].member);
        if (json_is_boolean(value) && json_is_true(value) == flags[i].given)
            fprintf(out, " --%s", flags[i].option);
    }
}

/* A list of shapes, or the suite they are of. */
static void put_shapes(FILE *out, const json_t *plan) {
    const char *suite = json_string_value(json_object_get(plan, "suite"));
    const json_t *shapes = json_object_get(plan, "shapes");
    if (suite && strcmp(suite, "shapes") != 0) {
        put_option(out, "suite", suite);
        return;
    }
    fputs(" --shapes ", out);
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        const char *shape = json_string_value(json_array_get(shapes, i));
        fputs(i ? "," : "", out);
        put_word(out, shape ? shape : "");
    }
}

static void put_run(FILE *out, const struct report *report) {
    const char *set = json_string_value(json_object_get(report->plan, "set"));
    const char *against = json_string_value(rundir_find(report->plan, "previous.set"));
    const json_t *modes = json_object_get(report->plan, "modes");
    fprintf(out, "gemmgate %s", modes && json_array_size(modes) == 0 ? "check" : "run");
    put_shapes(out, report->plan);
    if (set && *set)
        put_option(out, "candidates", set);
    if (against)
        put_option(out, "against", against);
    put_options(out, report->plan);
    fputs(" -o RUN", out);
}

static void put_import(FILE *out, const struct report *report) {
    size_t i;
    json_t *source;
    fputs("gemmgate import ", out);
    put_word(out, json_string_value(json_object_get(report->plan, "imported")));
    json_array_foreach(json_object_get(report->manifest, "sources"), i, source) {
        const char *mode = json_string_value(json_object_get(source, "mode")),
                   *name = json_string_value(json_object_get(source, "name"));
        if (mode && name)
            put_option(out, mode, name);
    }
    fputs(" -o RUN", out);
}

/* The command line as text. NULL without memory. The caller frees. */
static char *command_of(const struct report *report) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (json_is_string(json_object_get(report->plan, "imported")))
        put_import(out, report);
    else
        put_run(out, report);
    fputs(" && gemmgate report RUN", out);
    if (report->claims_file)
        put_option(out, "claims", report->claims_file);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void section_reproduce(struct document *page, const struct report *report) {
    char *command = command_of(report);
    document_section(page, 2, "reproduce", "How to reproduce this");
    document_paragraph(page, "One command measures, or imports, and makes this page:");
    document_code(page, command ? command : "");
    document_paragraph(
        page,
        "A set of kernels is named by its folder, and a suite from a file by that file. What the "
        "plan does not tell must be added: `--cutlass DIR` for sets that include CUTLASS, "
        "`--sample N` where the shapes are a sample of the suite, `--policy FILE` where one was "
        "given. The plan (`plan.json`) has every setting and the seed of all inputs and orders; "
        "its hash names the run. `gemmgate verify RUN` computes all numbers again from the raw "
        "samples.");
    free(command);
}
