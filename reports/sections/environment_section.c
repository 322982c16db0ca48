/* The machine and its software as manifest.json has them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sections/sections.h"

enum { PATH = 256, VALUE = 1024 };

/* A number, text or truth as text; "" for what is none. */
static void put_value(const json_t *json, char text[VALUE]) {
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
        put_value(element, word);
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
            put_value(part, text);
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
