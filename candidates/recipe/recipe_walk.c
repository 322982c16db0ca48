#include "candidates/recipe/recipe_walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool walk_fail(struct walk *walk, const char *phrase, ...) {
    enum { PATH_SHOWN = 500 };
    char text[RECIPE_WHY / 4];
    va_list arguments;
    va_start(arguments, phrase);
    vsnprintf(text, sizeof text, phrase, arguments);
    va_end(arguments);
    snprintf(walk->why, RECIPE_WHY, "%.*s: %s %s", PATH_SHOWN, walk->recipe->path,
             *walk->place ? walk->place : "the recipe", text);
    return false;
}

size_t walk_into(struct walk *walk, const char *name, size_t entry) {
    const size_t before = strlen(walk->place), room = sizeof walk->place - before;
    if (name)
        snprintf(walk->place + before, room, "%s%.60s", before > 0 ? "." : "", name);
    else
        snprintf(walk->place + before, room, "[%zu]", entry);
    return before;
}

void walk_back(struct walk *walk, size_t before) {
    walk->place[before] = 0;
}

bool walk_keys(struct walk *walk, const json_t *object, const char *const *keys) {
    char all[160] = "";
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return walk_fail(walk, "is no object");
    for (size_t i = 0; keys[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", keys[i]);
    json_object_foreach((json_t *)object, key, value) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return walk_fail(walk, "has '%.40s', and it may have %s", key, all);
    }
    return true;
}

static bool evaluate(struct walk *walk, const char *text, int64_t least, int64_t *value) {
    char why[EXPRESSION_WHY];
    *value = least;
    if (walk->known ? expression_value(text, &walk->scope, value, why)
                    : expression_check(text, &walk->scope, why))
        return true;
    return walk_fail(walk, "%s", why);
}

bool walk_integer(struct walk *walk, const json_t *json, int64_t least, int64_t most,
                  int64_t *value) {
    if (json_is_string(json)) {
        if (!evaluate(walk, json_string_value(json), least, value))
            return false;
    } else if (json_is_integer(json)) {
        *value = json_integer_value(json);
    } else {
        return walk_fail(walk, "is to be an integer, or an expression as a string");
    }
    return (*value >= least && *value <= most) ||
           walk_fail(walk, "is %" PRId64 ", and %" PRId64 " to %" PRId64 " is wanted", *value,
                     least, most);
}

bool walk_member(struct walk *walk, const json_t *object, const char *key, int64_t least,
                 int64_t most, int64_t *value) {
    const json_t *json = json_object_get(object, key);
    const size_t before = walk_into(walk, key, 0);
    const bool good = !json || walk_integer(walk, json, least, most, value);
    walk_back(walk, before);
    return good;
}

bool walk_list(struct walk *walk, const json_t *object, const char *key, size_t least, size_t most,
               int64_t smallest, int64_t largest, int64_t *values, size_t *count) {
    const json_t *list = json_object_get(object, key);
    const size_t before = walk_into(walk, key, 0);
    bool good = true;
    *count = json_array_size(list);
    if (list ? !json_is_array(list) || *count < least || *count > most : least > 0)
        good = walk_fail(walk, "is to be an array of %zu to %zu numbers", least, most);
    for (size_t i = 0; good && i < *count; i++) {
        const size_t inside = walk_into(walk, NULL, i);
        good = walk_integer(walk, json_array_get(list, i), smallest, largest, &values[i]);
        if (good)
            walk_back(walk, inside);
    }
    if (good)
        walk_back(walk, before);
    return good;
}

bool walk_text(struct walk *walk, const json_t *object, const char *key, bool needed,
               const char **text) {
    const json_t *json = json_object_get(object, key);
    const size_t before = walk_into(walk, key, 0);
    *text = json_string_value(json);
    if (!*text && (json || needed))
        return walk_fail(walk, json ? "is no text" : "is missing");
    walk_back(walk, before);
    return true;
}

bool walk_word(struct walk *walk, const json_t *object, const char *key, const char *const *words,
               uint32_t *value) {
    char all[160] = "";
    const char *text;
    uint32_t found = 0;
    if (!walk_text(walk, object, key, false, &text) || !text)
        return !json_object_get(object, key);
    while (words[found] && strcmp(words[found], text) != 0)
        found++;
    if (words[found]) {
        *value = found;
        return true;
    }
    for (size_t i = 0; words[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", words[i]);
    walk_into(walk, key, 0);
    return walk_fail(walk, "is '%.40s', and it may be %s", text, all);
}

bool walk_flag(struct walk *walk, const json_t *object, const char *key, bool *value) {
    const json_t *json = json_object_get(object, key);
    if (json && !json_is_boolean(json)) {
        walk_into(walk, key, 0);
        return walk_fail(walk, "is to be true or false");
    }
    *value = json ? json_is_true(json) : *value;
    return true;
}
