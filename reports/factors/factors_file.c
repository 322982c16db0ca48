#include "reports/factors/factors_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/tables/entries_file.h"
#include "reports/tables/tables.h"

enum { STEPS_MOST = 26 };

enum key { SAYS, RUN, MODE, LENS, LIBRARY, MEAN, REFUSED, NEEDED, TITLE = NEEDED };
static const char *const keys[] = {[SAYS] = "says",       [RUN] = "run",     [MODE] = "mode",
                                   [LENS] = "lens",       [MEAN] = "mean",   [LIBRARY] = "library",
                                   [REFUSED] = "refused", [TITLE] = "title", NULL};

/* A library's name, also with a release in it: cublas@12.4.5-max, torch-matmul@12.4.5. Which
 * releases there are the run says. */
static bool take_library(struct inifile *file, const char *value, char library[RUNDIR_NAME]) {
    char plain[RUNDIR_NAME];
    const char *at = strchr(value, '@'), *layout = at ? strrchr(at, '-') : NULL;
    if (!at || strlen(value) >= RUNDIR_NAME)
        return entries_file_word(file, value, tables_baselines, library);
    snprintf(plain, sizeof plain, "%.*s%s", (int)(at - value), value, layout ? layout : "");
    if (!entries_file_word(file, plain, tables_baselines, library))
        return false;
    strcpy(library, value);
    return true;
}

/* A path that does not begin with / is taken from the file's folder. */
static bool take_run(struct inifile *file, const char *value, char run[PATH_MAX]) {
    const struct entries_file *entries = file->target;
    const char *slash = *value == '/' ? NULL : strrchr(entries->path, '/');
    const int folder = slash ? (int)(slash - entries->path) + 1 : 0;
    return snprintf(run, PATH_MAX, "%.*s%s", folder, entries->path, value) < PATH_MAX ||
           inifile_refuse(file, "the path is too long");
}

static bool take(struct inifile *file, int key, const char *value, void *entry) {
    static const char *const means[] = {"paper", "geometric", NULL}, *const refusals[] = {
                                                                         "omit", "one", "count",
                                                                         NULL};
    const struct entries_file *entries = file->target;
    struct factors_chain *chain = entries->context;
    struct factors_step *step = entry;
    switch ((enum key)key) {
    case SAYS:
        return inifile_text(file, value, step->says, sizeof step->says);
    case RUN:
        return take_run(file, value, step->run);
    case MODE:
        return entries_file_word(file, value, words_modes, step->mode);
    case LENS:
        return entries_file_word(file, value, words_lenses, step->lens);
    case LIBRARY:
        return take_library(file, value, step->library);
    case MEAN:
        return inifile_word(file, value, means, &step->mean);
    case REFUSED:
        return inifile_word(file, value, refusals, &step->refused);
    case TITLE:
        return entry == entries->defaults
                   ? inifile_text(file, value, chain->title, sizeof chain->title)
                   : inifile_refuse(file, "the title is the chain's: say it in [defaults]");
    }
    return false;
}

int factors_file_read(const char *path, struct factors_chain *chain) {
    struct factors_step defaults = {0};
    struct entries_file entries = {.what = "a chain of steps",
                                   .one = "step",
                                   .bytes = sizeof(struct factors_step),
                                   .most = STEPS_MOST,
                                   .keys = keys,
                                   .needed = NEEDED,
                                   .take = take,
                                   .defaults = &defaults,
                                   .context = chain};
    *chain = (struct factors_chain){0};
    int status = entries_file_read(&entries, path);
    chain->steps = entries.list;
    chain->count = entries.count;
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
