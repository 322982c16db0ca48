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

/* A library's name, also with a release in it: cublas@12.4.5-max, torch-matmul@12.4.5. Which
 * releases there are the run says. */
static bool take_library(struct inifile *file, const char *value, void *step) {
    char *library = ((struct factors_step *)step)->library, plain[RUNDIR_NAME];
    const char *at = strchr(value, '@'), *layout = at ? strrchr(at, '-') : NULL;
    if (!at || strlen(value) >= RUNDIR_NAME)
        return inifile_spelling(file, value, tables_baselines, library);
    snprintf(plain, sizeof plain, "%.*s%s", (int)(at - value), value, layout ? layout : "");
    if (!inifile_spelling(file, plain, tables_baselines, library))
        return false;
    strcpy(library, value);
    return true;
}

/* A path that does not begin with / is taken from the file's folder. */
static bool take_run(struct inifile *file, const char *value, void *step) {
    char *run = ((struct factors_step *)step)->run;
    const struct entries_file *entries = file->target;
    const char *slash = *value == '/' ? NULL : strrchr(entries->path, '/');
    const int folder = slash ? (int)(slash - entries->path) + 1 : 0;
    return snprintf(run, PATH_MAX, "%.*s%s", folder, entries->path, value) < PATH_MAX ||
           inifile_refuse(file, "the path is too long");
}

static bool take_title(struct inifile *file, const char *value, void *step) {
    const struct entries_file *entries = file->target;
    struct factors_chain *chain = entries->context;
    return step == entries->defaults
               ? inifile_text(file, value, chain->title, sizeof chain->title)
               : inifile_refuse(file, "the title is the chain's: say it in [defaults]");
}

static const char *const means[] = {"paper", "geometric", NULL};
static const char *const refusals[] = {"omit", "one", "count", NULL};

#define OF(field) INIFILE_FIELD(struct factors_step, field)
static const struct inifile_row rows[] = {
    {"says", INIFILE_TEXT, OF(says)},
    {"run", .take = take_run},
    {"mode", INIFILE_SPELLING, OF(mode), .words = words_modes},
    {"lens", INIFILE_SPELLING, OF(lens), .words = words_lenses},
    {"library", .take = take_library},
    {"mean", INIFILE_WORD, OF(mean), .words = means},
    {"refused", INIFILE_WORD, OF(refused), .words = refusals},
    {"title", .take = take_title},
    {NULL}};
enum { NEEDED = 7 };

int factors_file_read(const char *path, struct factors_chain *chain) {
    struct factors_step defaults = {0};
    struct entries_file entries = {.what = "a chain of steps",
                                   .one = "step",
                                   .bytes = sizeof(struct factors_step),
                                   .most = STEPS_MOST,
                                   .rows = rows,
                                   .needed = NEEDED,
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
