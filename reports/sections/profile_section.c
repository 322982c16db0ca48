/* What the hardware counted. */
#include <string.h>

#include "reports/sections/sections.h"
#include "reports/tables/profile_times.h"

enum { FUNCTION_SHOWN = 60 }; /* characters: names of templates can have thousands */

/* The start of a name. */
static void add_name(struct document *page, const char *name) {
    if (strlen(name) > FUNCTION_SHOWN)
        document_cell_marked(page, "%.60s…", name);
    else
        document_cell(page, name);
}

static void add_row(struct document *page, const struct profile_row *row) {
    const struct ncu_launch *launch = &row->launch;
    char shape[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(row->shape, shape));
    document_cell(page, row->kernel);
    add_name(page, launch->function);
    for (int i = 0; i < NCU_METRICS; i++)
        document_number(page, launch->values[i]);
    document_cell(page, launch->grid);
    document_cell(page, launch->block);
}

static void add_time(struct document *page, const struct profile_time *time) {
    char shape[SHAPE_TEXT];
    document_row(page);
    document_cell(page, shape_format(time->of->shape, shape));
    document_cell(page, time->of->kernel);
    document_count(page, time->launches);
    document_number(page, time->ncu);
    document_number(page, time->device);
    document_number(page, time->difference);
}

/* Beside what the run has measured. */
static void add_times(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "shape", .type = DOCUMENT_TEXT},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "launches", .type = DOCUMENT_COUNT},
        {.name = "Nsight Compute, µs", .type = DOCUMENT_NUMBER, .digits = 2, .scale = 1e6},
        {.name = "device, µs", .type = DOCUMENT_NUMBER, .digits = 2, .scale = 1e6},
        {.name = "difference %", .type = DOCUMENT_SPEEDUP},
    };
    struct profile_times times;
    char text[RUNDIR_TEXT];
    if (profile_times_make(report->profile, report->rows, report->manifest, &times) < 0) {
        document_fail(page);
        return;
    }
    profile_times_say(&times, text, sizeof text);
    if (times.compared > 0) {
        document_paragraph(page, "%s", text);
        DOCUMENT_TABLE(page, "profile_times", NULL, columns);
        for (size_t i = 0; i < times.count; i++)
            add_time(page, &times.list[i]);
    }
    profile_times_free(&times);
}

/* Each once. */
static void add_notes(struct document *page, const struct profile *profile) {
    for (size_t i = 0; i < profile->count; i++) {
        const char *note = profile->rows[i].launch.note;
        bool said = !*note;
        for (size_t j = 0; j < i && !said; j++)
            said = strcmp(profile->rows[j].launch.note, note) == 0;
        if (!said)
            document_paragraph(page, "*%s*", note);
    }
}

void section_profile(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "shape", .type = DOCUMENT_TEXT},
        {.name = "kernel", .type = DOCUMENT_TEXT},
        {.name = "on the GPU", .type = DOCUMENT_TEXT},
        {.name = "µs", .type = DOCUMENT_NUMBER, .digits = 2, .scale = 1e6},
        {.name = "DRAM %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "GB/s", .type = DOCUMENT_NUMBER, .scale = 1e-9},
        {.name = "SM %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "warps %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "tensor %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "L1 hits %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "L2 hits %", .type = DOCUMENT_NUMBER, .digits = 1},
        {.name = "registers", .type = DOCUMENT_NUMBER},
        {.name = "shared KiB", .type = DOCUMENT_NUMBER, .digits = 1, .scale = 1.0 / 1024},
        {.name = "grid", .type = DOCUMENT_TEXT},
        {.name = "block", .type = DOCUMENT_TEXT},
    };
    const struct profile *profile = report->profile;
    if (!profile || profile->count == 0)
        return;
    document_section(page, 2, "profile", "Profile");
    document_paragraph(
        page,
        "What Nsight Compute counts of one call of a kernel, a line for each kernel on the GPU "
        "that the call launches. It repeats each of them in several passes and restores memory "
        "between, so its times are no measurement of speed, but they should be near to those by "
        "`device`; see below. *SM* "
        "is the throughput of the busiest part of the multiprocessors, *warps* how many of those "
        "that fit are there, *tensor* how long the tensor cores work, in per cent of the most "
        "there can be; *hits* are of the caches. All of it is in "
        "[profile.csv](../" PROFILE_FOLDER "/profile.csv).");
    DOCUMENT_TABLE(page, "profile", NULL, columns);
    for (size_t i = 0; i < profile->count; i++)
        add_row(page, &profile->rows[i]);
    add_notes(page, profile);
    add_times(page, report);
}
