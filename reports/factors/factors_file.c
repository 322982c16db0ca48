#include "reports/factors/factors_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/inifile.h"
#include "bench/base/words.h"
#include "reports/tables/tables.h"

enum { STEPS_MOST = 26 };

enum key { SAYS, RUN, MODE, LENS, LIBRARY, MEAN, REFUSED, NEEDED, TITLE = NEEDED };
static const char *const keys[] = {[SAYS] = "says",       [RUN] = "run",     [MODE] = "mode",
                                   [LENS] = "lens",       [MEAN] = "mean",   [LIBRARY] = "library",
                                   [REFUSED] = "refused", [TITLE] = "title", NULL};

/* Of one file. */
struct reading {
    struct factors_chain *chain;
    const char *path;
    struct factors_step defaults, *step; /* of the section; NULL before the first */
    unsigned default_keys, keys;         /* said by [defaults], by both: a bit each */
    int line;                            /* of the section */
};

/* The section that ends must have said everything. */
static bool end_section(struct inifile *file) {
    const struct reading *reading = file->target;
    if (!reading->step || reading->step == &reading->defaults)
        return true;
    for (int key = 0; key < NEEDED; key++)
        if (!(reading->keys & 1u << key)) {
            file->line = reading->line;
            return inifile_refuse(file, "[%s] has no %s", reading->step->name, keys[key]);
        }
    return true;
}

static bool take_word(struct inifile *file, const char *value, const char *const words[],
                      char *word) {
    int index;
    if (!inifile_word(file, value, words, &index))
        return false;
    strcpy(word, words[index]);
    return true;
}

/* A path that does not begin with / is taken from the file's folder. */
static bool take_run(struct inifile *file, const char *value, char run[PATH_MAX]) {
    const struct reading *reading = file->target;
    const char *slash = *value == '/' ? NULL : strrchr(reading->path, '/');
    const int folder = slash ? (int)(slash - reading->path) + 1 : 0;
    return snprintf(run, PATH_MAX, "%.*s%s", folder, reading->path, value) < PATH_MAX ||
           inifile_refuse(file, "the path is too long");
}

static bool take(struct inifile *file, const char *name, const char *value) {
    static const char *const means[] = {"paper", "geometric", NULL}, *const refusals[] = {
                                                                         "omit", "one", "count",
                                                                         NULL};
    struct reading *reading = file->target;
    struct factors_step *step = reading->step;
    const int key = inifile_key(file, keys, name);
    if (key < 0)
        return false;
    reading->keys |= 1u << key;
    switch ((enum key)key) {
    case SAYS:
        return inifile_text(file, value, step->says, sizeof step->says);
    case RUN:
        return take_run(file, value, step->run);
    case MODE:
        return take_word(file, value, words_modes, step->mode);
    case LENS:
        return take_word(file, value, words_lenses, step->lens);
    case LIBRARY:
        return take_word(file, value, tables_baselines, step->library);
    case MEAN:
        return inifile_word(file, value, means, &step->mean);
    case REFUSED:
        return inifile_word(file, value, refusals, &step->refused);
    case TITLE:
        return step == &reading->defaults
                   ? inifile_text(file, value, reading->chain->title, sizeof reading->chain->title)
                   : inifile_refuse(file, "the title is the chain's: say it in [defaults]");
    }
    return false;
}

static bool begin_step(struct inifile *file, const char *section) {
    struct reading *reading = file->target;
    struct factors_chain *chain = reading->chain;
    if (reading->step == &reading->defaults)
        reading->default_keys = reading->keys & ~(1u << TITLE);
    for (size_t i = 0; i < chain->count; i++)
        if (strcmp(chain->steps[i].name, section) == 0)
            return inifile_refuse(file, "[%s] is there already; remove one", section);
    if (chain->count == STEPS_MOST)
        return inifile_refuse(file, "is one step too many; at most %d are read", STEPS_MOST);
    struct factors_step *more = realloc(chain->steps, (chain->count + 1) * sizeof *more);
    if (!more)
        return inifile_refuse(file, "no memory for another step");
    chain->steps = more;
    reading->step = &more[chain->count++];
    *reading->step = reading->defaults;
    reading->keys = reading->default_keys;
    return inifile_name(file, section, reading->step->name, sizeof reading->step->name);
}

static bool begin(struct inifile *file, const char *section) {
    struct reading *reading = file->target;
    const int line = file->line;
    if (!end_section(file))
        return false;
    file->take = take;
    reading->line = line;
    if (strcmp(section, "defaults") != 0)
        return begin_step(file, section);
    if (reading->step)
        return inifile_refuse(file, "[defaults] is said once, before all steps");
    reading->step = &reading->defaults;
    return true;
}

int factors_file_read(const char *path, struct factors_chain *chain) {
    struct reading reading = {.chain = chain, .path = path};
    struct inifile file = {.what = "a chain of steps", .target = &reading, .begin = begin};
    *chain = (struct factors_chain){0};
    int status = inifile_read(&file, path);
    if (status == 0 && !end_section(&file))
        status = error("%s:%d: %s", path, file.line, file.why);
    if (status == 0 && chain->count < 2)
        status = error("%s: has %zu step%s; a step is a [section], and two or more are wanted",
                       path, chain->count, chain->count == 1 ? "" : "s");
    if (status < 0)
        factors_chain_free(chain);
    return status;
}

void factors_chain_free(struct factors_chain *chain) {
    free(chain->steps);
    *chain = (struct factors_chain){0};
}
