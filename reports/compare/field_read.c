#include "reports/compare/field_read.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "reports/run/fingerprint.h"
#include "reports/run/rundir.h"
#include "reports/run/verify.h"

static bool has_passed(const struct rows *rows, const struct pair *speed) {
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        if (strcmp(row->candidate, speed->candidate) == 0 &&
            strcmp(row->kernel, speed->candidate) == 0 &&
            shape_compare(row->shape, speed->shape) == 0)
            return strcmp(row->outcome, "ok") == 0;
    }
    return false;
}

/* Drops the speeds of kernels that have failed a check later than they were timed. */
static void keep_honest(const struct rows *rows, struct pairs *speeds) {
    size_t kept = 0;
    for (size_t i = 0; i < speeds->count; i++)
        if (has_passed(rows, &speeds->list[i]))
            speeds->list[kept++] = speeds->list[i];
    speeds->count = kept;
}

int field_read_run(const char *run, struct pairs *speeds, struct about *about) {
    if (about_read(run, about) < 0)
        return -1;
    if (!about->complete && !*about->imported)
        return error("%s is not complete: %s", run, about_remedy(about));
    if (*about->imported)
        return error("%s: an imported run has no samples to compare", run);
    struct rows rows = {0};
    const int status =
        verify_clean(run, ": it was edited or damaged") < 0 || rundir_read(run, &rows) < 0
            ? -1
            : pairs_take(run, &rows, PAIRS_COMPARED, speeds);
    if (status == 0)
        keep_honest(&rows, speeds);
    rows_free(&rows);
    return status;
}

/* The set's name, or if another run has that, the folder's. */
static int name_run(const char *folder, const struct about *about, struct field_run *runs,
                    size_t index) {
    const char *slash = strrchr(folder, '/');
    const char *const names[] = {about->set, slash && slash[1] ? slash + 1 : folder, folder};
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

int field_read(const char *const *folders, size_t count, struct field_run runs[FIELD_RUNS]) {
    struct fingerprint first, other;
    struct about about;
    char text[1024];
    if (count > FIELD_RUNS)
        return error("%zu runs; at most %d are compared", count, FIELD_RUNS), EXIT_TROUBLE;
    for (size_t i = 0; i < count; i++) {
        if (field_read_run(folders[i], &runs[i].speeds, &about) < 0 ||
            name_run(folders[i], &about, runs, i) < 0 ||
            fingerprint_read(folders[i], i == 0 ? &first : &other) < 0)
            return EXIT_TROUBLE;
        if (i > 0 && fingerprint_differ(&first, &other, text, sizeof text) > 0)
            return error("%s and %s cannot be compared: %s", folders[0], folders[i], text),
                   EXIT_NOT_COMPARABLE;
    }
    return EXIT_PASS;
}

void field_runs_free(struct field_run *runs, size_t count) {
    for (size_t i = 0; i < count; i++)
        pairs_free(&runs[i].speeds);
}
