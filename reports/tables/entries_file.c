#include "reports/tables/entries_file.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/rows/rows.h"

/* The section that ends must have said everything. */
static bool end_section(struct inifile *file) {
    const struct entries_file *entries = file->target;
    if (!entries->entry || entries->entry == entries->defaults)
        return true;
    for (int key = 0; key < entries->needed; key++)
        if (!(entries->said & 1u << key)) {
            file->line = entries->line;
            return inifile_refuse(file, "[%s] has no %s", (const char *)entries->entry,
                                  entries->keys[key]);
        }
    return true;
}

static bool take(struct inifile *file, const char *name, const char *value) {
    struct entries_file *entries = file->target;
    const int key = inifile_key(file, entries->keys, name);
    if (key < 0)
        return false;
    entries->said |= 1u << key;
    return entries->take(file, key, value, entries->entry);
}

static bool begin_defaults(struct inifile *file) {
    struct entries_file *entries = file->target;
    if (entries->entry)
        return inifile_refuse(file, "[defaults] is said once, before all %ss", entries->one);
    entries->entry = entries->defaults;
    return true;
}

static bool begin_entry(struct inifile *file, const char *section) {
    struct entries_file *entries = file->target;
    char name[RUNDIR_NAME];
    if (entries->entry == entries->defaults)
        entries->said_by_defaults = entries->said;
    if (!inifile_name(file, section, name, sizeof name))
        return false;
    for (size_t i = 0; i < entries->count; i++)
        if (strcmp((const char *)entries->list + i * entries->bytes, name) == 0)
            return inifile_refuse(file, "[%s] is there already; remove one", name);
    if (entries->count == entries->most)
        return inifile_refuse(file, "is one %s too many; at most %zu are read", entries->one,
                              entries->most);
    char *more = realloc(entries->list, (entries->count + 1) * entries->bytes);
    if (!more)
        return inifile_refuse(file, "no memory for another %s", entries->one);
    entries->list = more;
    entries->entry = more + entries->count++ * entries->bytes;
    memcpy(entries->entry, entries->defaults, entries->bytes);
    strcpy(entries->entry, name);
    entries->said = entries->said_by_defaults;
    return true;
}

static bool begin(struct inifile *file, const char *section) {
    struct entries_file *entries = file->target;
    const int line = file->line;
    if (!end_section(file))
        return false;
    file->take = take;
    entries->line = line;
    return strcmp(section, "defaults") == 0 ? begin_defaults(file) : begin_entry(file, section);
}

int entries_file_read(struct entries_file *entries, const char *path) {
    struct inifile file = {.what = entries->what, .target = entries, .begin = begin};
    entries->path = path;
    const int status = inifile_read(&file, path);
    if (status == 0 && !end_section(&file))
        return error("%s:%d: %s", path, file.line, file.why);
    return status;
}

bool entries_file_word(struct inifile *file, const char *value, const char *const words[],
                       char *word) {
    int index;
    if (!inifile_word(file, value, words, &index))
        return false;
    strcpy(word, words[index]);
    return true;
}
