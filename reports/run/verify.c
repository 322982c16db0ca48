#include "reports/run/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/run/digests.h"

/* Lines of one kind that are printed. */
enum { SHOWN = 20 };

struct verify {
    struct rundir *run;
    struct verify_counts counts;
};

/* Kernels that their recordings accuse and their outcome does not. */
static size_t find_unaccused(const char *where, const struct rows *rows) {
    size_t found = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const struct recording_row *last =
            rows_recording(rows, row->shape, row->candidate, row->kernel);
        if (rows_fate(row) == ROWS_REFUSED || !last || strcmp(last->result, "wrong") != 0)
            continue;
        error("%s/checks.csv: the outcome of %s is '%s', and its recordings say otherwise", where,
              row->kernel, row->outcome);
        found++;
    }
    return found;
}

/* Where two units were swapped, each row is what its samples give. */
static bool is_in_place(const char *where, const char *id, const struct check_row *row) {
    char shape[SHAPE_TEXT];
    const size_t length = strlen(shape_format(row->shape, shape));
    const bool here = strncmp(id, shape, length) == 0 && (id[length] == '.' || !id[length]);
    if (here && (!*row->candidate || strcmp(id + length + !!id[length], row->candidate) == 0))
        return true;
    error("%s: holds the unit %s.%s", where, shape, row->candidate);
    return false;
}

static int verify_unit(struct verify *verify, const char *id, struct rows *all) {
    struct rows stored = {0}, derived = {0};
    struct samples *samples = NULL;
    struct derive_about about;
    size_t count = 0;
    char units[PATH_MAX], where[PATH_MAX];
    const char *folder = verify->run->folder;
    int status = -1;
    if (files_join(units, folder, "units") < 0 || files_join(where, units, id) < 0 ||
        rundir_read_unit(folder, id, &stored) < 0 ||
        rundir_read_samples(folder, id, &samples, &count) < 0)
        goto done;
    if (stored.check_count == 0) {
        error("%s/checks.csv: holds no row", where);
        goto done;
    }
    if (rundir_about_unit(verify->run, &stored, &about) < 0)
        goto done;
    if (derive_unit(samples, count, &about, &derived) < 0)
        goto done;
    for (size_t i = 0; i < count; i++)
        verify->counts.samples += samples[i].blocks * samples[i].column_count;
    verify->counts.differences += find_unaccused(where, &stored);
    verify->counts.differences += !is_in_place(where, id, stored.checks);
    const size_t shown = verify->counts.differences;
    verify->counts.differences +=
        rows_differ(where, &stored, &derived, false, shown < SHOWN ? SHOWN - shown : 0);
    verify->counts.rows +=
        derived.time_count + derived.ratio_count + derived.visit_count + derived.control_count;
    verify->counts.timed += count > 0;
    verify->counts.units++;
    rows_append(all, &stored);
    status = 0;
done:
    samples_free(samples, count);
    rows_free(&stored);
    rows_free(&derived);
    return status;
}

/* Those of one kind that were not printed. */
static void say_more(const char *run, size_t count, const char *what) {
    if (count > SHOWN)
        error("%s: and %zu more %s", run, count - SHOWN, what);
}

/* The run's own files against its units, all of which are there. */
static int verify_collected(struct verify *verify, struct rows *all) {
    if (rundir_read(verify->run) < 0)
        return -1;
    const size_t differences =
        rows_differ(verify->run->folder, &verify->run->rows, all, true, SHOWN);
    say_more(verify->run->folder, differences, "rows of its own files");
    verify->counts.differences += differences;
    return 0;
}

/* Every unit of the plan that is there, and the run's own files against them. */
static int verify_units(struct verify *verify) {
    const bool complete = verify->run->about.complete;
    const char *folder = verify->run->folder;
    struct verify_counts *counts = &verify->counts;
    struct rows all = {0};
    json_t *id;
    size_t i;
    int status = 0;
    json_array_foreach(json_object_get(verify->run->plan, "units"), i, id) {
        const char *name = json_string_value(id);
        if (!name || status < 0)
            continue;
        if (rundir_has_unit(folder, name))
            status = verify_unit(verify, name, &all);
        else if (counts->missing++ < SHOWN && complete)
            error("%s/units/%s: is missing, though manifest.json says that the run is complete",
                  folder, name);
    }
    counts->lost = complete ? counts->missing : 0;
    say_more(folder, counts->differences, "rows of units");
    say_more(folder, counts->lost, "units that are missing");
    if (status == 0 && complete && counts->lost == 0)
        status = verify_collected(verify, &all);
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
    struct verify verify = {.run = run};
    int status = rundir_begun(run);
    if (status == 0 && !json_object_get(run->manifest, "limits"))
        status = error("%s/manifest.json has no limits: an imported run has no samples to verify",
                       run->folder);
    if (status == 0)
        verify.counts.changed = find_changed(run);
    if (status == 0 && !rundir_is_promoted(run))
        status = verify_units(&verify);
    *counts = verify.counts;
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
        return error("%s: an imported run has no samples to compare", run->folder);
    if (!run->about.complete)
        return error("%s is not complete: %s", run->folder, about_remedy(&run->about));
    if (verify_clean(run, ": it was edited or damaged") < 0 || rundir_speeds(run) < 0)
        return -1;
    pairs_keep_passed(&run->speeds, &run->rows);
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
