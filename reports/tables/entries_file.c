#include "reports/tables/entries_file.h"

#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/rows/rows.h"

/* The section that ends must have said everything. */
static bool end_section(struct inifile *file) {
    const struct entries_file *entries = file->target;
    if (!entries->entry || entries->entry == entries->defaults)
        return true;
    for (int key = 0; key < entries->needed; key++)
        if (!((entries->said_by_defaults | file->said) & UINT64_C(1) << key)) {
            file->line = entries->line;
            return inifile_refuse(file, "[%s] has no %s", (const char *)entries->entry,
                                  entries->rows[key].key);
        }
    return true;
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
        entries->said_by_defaults = file->said;
    if (!inifile_name(file, section, name, sizeof name))
        return false;
    for (size_t i = 0; i < entries->count; i++)
        if (strcmp((const char *)entries->list + i * entries->bytes, name) == 0)
            return inifile_refuse(file, "[%s] is there already; remove one", name);
    if (entries->count == entries->most)
        return inifile_refuse(file, "is one %s too many; at most %zu are read", entries->one,
                              entries->most);
    entries->list = need_more(entries->list, entries->count, entries->bytes);
    entries->entry = (char *)entries->list + entries->count++ * entries->bytes;
    memcpy(entries->entry, entries->defaults, entries->bytes);
    strcpy(entries->entry, name);
    return true;
}

static bool begin(struct inifile *file, const char *section) {
    struct entries_file *entries = file->target;
    const int line = file->line;
    if (!end_section(file))
        return false;
    entries->line = line;
    file->rows = entries->rows;
    const bool begun =
        strcmp(section, "defaults") == 0 ? begin_defaults(file) : begin_entry(file, section);
    file->into = entries->entry;
    return begun;
}

int entries_file_read(struct entries_file *entries, const char *path) {
    struct inifile file = {.what = entries->what, .target = entries, .begin = begin};
    const int status = inifile_read(&file, path);
    if (status == 0 && !end_section(&file))
        return error("%s:%d: %s", path, file.line, file.why);
    return status;
}
