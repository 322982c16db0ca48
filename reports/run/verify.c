#include "reports/run/verify.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/text.h"

/* Lines of one kind that are printed. */
enum { SHOWN = 20 };

/* Kernels that their recordings accuse and their outcome does not. */
static size_t find_unaccused(const char *run, const struct rows *rows) {
    char shape[SHAPE_TEXT];
    size_t found = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const struct recording_row *last = rows_recording(rows, row->kernel);
        if (rows_fate(row) == ROWS_REFUSED || !last || strcmp(last->result, "wrong") != 0)
            continue;
        error("%s/units/%s.%s/checks.csv: the outcome of %s is '%s', and its recordings say "
              "otherwise",
              run, shape_format(row->shape, shape), row->candidate, row->kernel, row->outcome);
        found++;
    }
    return found;
}

/* Appends the unit's rows to those of all. 0, or -1 after error(). */
static int verify_unit(const struct rundir *run, const char *id, struct verify_counts *counts,
                       struct rows *all) {
    struct rundir_unit unit;
    int status = rundir_read_unit(run->folder, id, &unit) < 0 ? -1 : 0;
    if (status == 0)
        status = rundir_derive(run, id, &unit);
    if (status == 0) {
        for (size_t i = 0; i < unit.sample_count; i++)
            counts->samples += unit.samples[i].blocks * unit.samples[i].column_count;
        counts->differences += find_unaccused(run->folder, &unit.rows);
        counts->timed += unit.sample_count > 0;
        counts->units++;
        rows_append(all, &unit.rows);
    }
    rundir_free_unit(&unit);
    return status;
}

/* Those of one kind that were not printed. */
static void say_more(const char *run, size_t count, const char *what) {
    if (count > SHOWN)
        error("%s: and %zu more %s", run, count - SHOWN, what);
}

/* The run's own files against its units, all of which are there. */
static int verify_collected(struct rundir *run, struct verify_counts *counts,
                            const struct rows *all) {
    if (rundir_read(run) < 0)
        return -1;
    const size_t differences = rows_differ(run->folder, &run->rows, all, SHOWN);
    say_more(run->folder, differences, "rows");
    counts->differences += differences;
    return 0;
}

/* Every unit of the plan that is there, and the run's own files against them. */
static int verify_units(struct rundir *run, struct verify_counts *counts) {
    const bool complete = run->about.complete;
    struct rows all = {0};
    json_t *id;
    size_t i;
    int status = 0;
    json_array_foreach(json_object_get(run->plan, "units"), i, id) {
        const char *name = json_string_value(id);
        if (!name || status < 0)
            continue;
        if (rundir_has_unit(run->folder, name))
            status = verify_unit(run, name, counts, &all);
        else if (counts->missing++ < SHOWN && complete)
            error("%s/units/%s: is missing, though manifest.json says that the run is complete",
                  run->folder, name);
    }
    counts->rows = all.time_count + all.ratio_count + all.visit_count + all.control_count;
    counts->lost = complete ? counts->missing : 0;
    say_more(run->folder, counts->lost, "units that are missing");
    if (status == 0 && complete && counts->lost == 0)
        status = verify_collected(run, counts, &all);
    rows_free(&all);
    return status;
}

/* What no sample gives, as the name of the device, has digests alone. */
static size_t find_changed(const struct rundir *run) {
    char why[PATH_MAX + 256];
    if (!run->about.complete ||
        (!rundir_is_promoted(run) && digests_lack(run->folder, why, sizeof why)) ||
        digests_hold(run->folder, run->plan, why, sizeof why))
        return 0;
    error("%s", why);
    return 1;
}

int verify_count(struct rundir *run, struct verify_counts *counts) {
    int status = rundir_begun(run);
    *counts = (struct verify_counts){0};
    if (status == 0 && !json_object_get(run->manifest, "limits"))
        status = error("%s/manifest.json has no limits: an imported run has no samples to verify",
                       run->folder);
    if (status == 0)
        counts->changed = find_changed(run);
    if (status == 0 && !rundir_is_promoted(run))
        status = verify_units(run, counts);
    return status;
}

int verify_clean(struct rundir *run, const char *conclusion) {
    struct verify_counts counts;
    if (verify_count(run, &counts) < 0)
        return -1;
    if (counts.lost)
        return error("%s: %zu of its units are missing%s", run->folder, counts.lost, conclusion);
    if (counts.changed && !counts.differences)
        return error("%s: was changed after it was measured%s", run->folder, conclusion);
    return counts.differences ? error("%s: %zu rows are not what its samples give%s", run->folder,
                                      counts.differences, conclusion)
                              : 0;
}

int verify_status(const struct verify_counts *counts) {
    return counts->differences || counts->lost || counts->changed ? EXIT_TROUBLE : EXIT_PASS;
}

int verify_speeds(struct rundir *run) {
    if (*run->about.imported)
        return error("%s: an imported run has no samples to compare; `gemmgate report RUN "
                     "--published %s` puts times beside each other",
                     run->folder, run->folder);
    if (!run->about.complete)
        return error("%s is not complete: %s", run->folder, about_remedy(&run->about));
    if (verify_clean(run, ": it was edited or damaged") < 0 || rundir_speeds(run) < 0)
        return -1;
    pairs_keep_passed(&run->speeds);
    return 0;
}

int verify_run(struct rundir *run) {
    struct verify_counts counts;
    char why[RUNDIR_TEXT];
    if (verify_count(run, &counts) < 0)
        return EXIT_TROUBLE;
    const bool lacking = run->about.complete && digests_lack(run->folder, why, sizeof why);
    text_print_line(
        stdout,
        "%zu units, %zu of them timed%s: %zu rows derived again from %zu samples, %zu differ%s%s",
        counts.units, counts.timed,
        counts.lost      ? " (others are missing)"
        : counts.missing ? " (others are not measured yet)"
                         : "",
        counts.rows, counts.samples, counts.differences,
        counts.changed ? "; a file was changed"
        : rundir_is_promoted(run)
            ? "; a promoted run has no samples, and its files are as they were"
        : lacking ? "; "
                  : "",
        lacking ? why : "");
    return verify_status(&counts);
}
