#include "reports/compare/field.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/run/verify.h"

int field_read_run(struct rundir *run) {
    if (*run->about.imported)
        return error("%s: an imported run has no samples to compare", run->folder);
    if (!run->about.complete)
        return error("%s is not complete: %s", run->folder, about_remedy(&run->about));
    if (verify_clean(run, ": it was edited or damaged") < 0 || rundir_speeds(run) < 0)
        return -1;
    pairs_keep_passed(&run->speeds, &run->rows);
    return 0;
}

/* The set's name, or if another run has that, the folder's. */
static int name_run(const struct rundir *run, struct field_run *runs, size_t index) {
    const char *folder = run->folder, *slash = strrchr(folder, '/');
    const char *const names[] = {run->about.set, slash && slash[1] ? slash + 1 : folder, folder};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        bool taken = !*names[n] || strlen(names[n]) >= sizeof runs->name;
        for (size_t i = 0; i < index; i++)
            taken |= strcmp(runs[i].name, names[n]) == 0;
        if (taken)
            continue;
        strcpy(runs[index].name, names[n]);
        return 0;
    }
    return error("%s: is named twice, or its name is too long", folder);
}

int field_read(struct rundir *opened, size_t count, struct field_run runs[FIELD_RUNS]) {
    char text[1024];
    for (size_t i = 0; i < count; i++) {
        if (field_read_run(&opened[i]) < 0 || name_run(&opened[i], runs, i) < 0)
            return EXIT_TROUBLE;
        if (fingerprint_differ(&opened[0].fingerprint, &opened[i].fingerprint, text, sizeof text) >
            0)
            return error("%s and %s cannot be compared: %s", opened[0].folder, opened[i].folder,
                         text),
                   EXIT_NOT_COMPARABLE;
        runs[i].speeds = opened[i].speeds;
        runs[i].opened = &opened[i];
    }
    return EXIT_PASS;
}
