/* What Nsight Compute has written, and a profile.csv. */
#include "reports/tables/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/page/write_markdown.h"
#include "reports/sections/sections.h"
#include "tests/fuzz/fuzz.h"

static void show(const struct profile *profile) {
    FILE *out = fopen("/dev/null", "w");
    const struct rows none = {0};
    const struct report report = {.profile = profile, .rows = &none};
    struct document *page = document_new("");
    fuzz_promise(out && page);
    section_profile(page, &report);
    fuzz_promise(write_markdown(out, page) == 0);
    document_free(page);
    fclose(out);
}

/* Files hold twelve digits. */
static int same(double a, double b) {
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-10 * fabs(a);
}

/* What was read is what is written, and is read again. */
static void write_again(const struct profile *profile) {
    struct profile again = {0};
    fuzz_promise(profile_write(fuzz_path("again"), profile) == 0);
    fuzz_promise(profile_read(fuzz_path("again"), &again) == 0 && again.count == profile->count);
    for (size_t i = 0; i < again.count; i++) {
        const struct ncu_launch *a = &profile->rows[i].launch, *b = &again.rows[i].launch;
        fuzz_promise(strcmp(a->function, b->function) == 0 && strcmp(a->note, b->note) == 0);
        fuzz_promise(strcmp(a->grid, b->grid) == 0 && strcmp(a->block, b->block) == 0);
        for (int metric = 0; metric < NCU_METRICS; metric++)
            fuzz_promise(same(a->values[metric], b->values[metric]));
    }
    profile_free(&again);
}

static void read_log(const char *path) {
    struct profile profile = {0};
    struct profile_row row = {.shape = {64, 64, 64}, .candidate = "mine", .kernel = "mine"};
    struct ncu_log log;
    if (ncu_read(path, &log) < 0)
        return;
    for (size_t i = 0; i < log.count; i++) {
        row.number = (double)(i + 1);
        row.launch = log.launches[i];
        fuzz_promise(profile_add(&profile, &row) == 0);
    }
    fuzz_read += log.count > 0;
    ncu_free(&log);
    write_again(&profile);
    show(&profile);
    profile_free(&profile);
}

void fuzz_profile(const uint8_t *data, size_t size) {
    static const char *const names[] = {"ncu.log", "run/profile/profile.csv"};
    struct fuzz_part parts[2];
    struct profile profile = {0};
    mkdir(fuzz_path("run"), 0777);
    mkdir(fuzz_path("run/profile"), 0777);
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    read_log(fuzz_path(names[0]));
    if (profile_read(fuzz_path("run"), &profile) == 0) {
        fuzz_read += profile.count > 0;
        show(&profile);
    }
    profile_free(&profile);
}
