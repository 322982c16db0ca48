/* What was measured, the numbers in short, and how to read them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/run/round_speeds.h"
#include "reports/tables/intervals.h"
#include "reports/tables/sections.h"

void sections_verdict(struct document *page, const struct report *report) {
    switch (report->controls) {
    case CONTROLS_NONE:
        document_note(page, DOCUMENT_PLAIN,
                      "**No controls**: this run does not say how far its numbers can be trusted.");
        return;
    case CONTROLS_PASSED:
        document_note(page, DOCUMENT_PLAIN,
                      "**Controls passed**: a baseline against itself came out equal as often as "
                      "it should, and planted delays were seen.");
        return;
    case CONTROLS_FAILED:
        document_note(page, DOCUMENT_BAD,
                      "**Controls failed**; do not rely on the numbers of these modes and lenses: "
                      "%s.",
                      report->why);
    }
}

void section_measured(struct document *page, const struct report *report) {
    const struct about *about = report->about;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t count = lens_conflicts_list(report->rows, names);
    char shapes[32] = "", lenses[LENS_CONFLICTS_MOST * RUNDIR_NAME] = "", when[96] = "";
    if (about->shapes)
        snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    for (size_t i = 0; i < count; i++)
        strcat(strcat(lenses, i ? ", " : ""), names[i]);
    if (*about->start)
        snprintf(when, sizeof when, "%s%s%s", about->start, *about->end ? " to " : "", about->end);
    document_section(page, 2, "measured", "What was measured");
    sections_verdict(page, report);
    document_facts(page, "what was run");
    document_fact(page, "source", about->imported);
    document_fact(page, "device", about->device);
    document_fact(page, "software", about->software);
    document_fact(page, "candidates", about->set);
    document_fact(page, "accumulate", about->accumulate);
    document_fact(page, "suite", about->suite);
    document_fact(page, "shapes", shapes);
    document_fact(page, "modes", about->modes);
    document_fact(page, "lenses", lenses);
    document_fact(page, "floors: empty interval, null kernel", about->floors);
    document_fact(page, "protocol", about->protocol);
    document_fact(page, "when", when);
    document_fact(page, "complete", about->how_complete);
    document_fact(page, "plan", about->hash);
}

static void add_within(struct document *page, const struct rows *rows) {
    size_t within = 0;
    for (size_t i = 0; i < rows->ratio_count; i++)
        within += intervals_within(&rows->ratios[i]);
    if (within > 0)
        document_note(page, DOCUMENT_PLAIN,
                      "**Within one process**: %zu of %zu intervals are of one round. Such an "
                      "interval says what the same process would show again; another process may "
                      "differ by more. Measure with `--rounds 4`.",
                      within, rows->ratio_count);
}

/* One line for each candidate, lens and mode: against the strongest baseline, and one against an
 * earlier release of it. */
void section_summary(struct document *page, const struct report *report) {
    static const struct document_column columns[] = {
        {.name = "candidate", .type = DOCUMENT_TEXT},
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT},
        {.name = "against", .type = DOCUMENT_TEXT},
        {.name = "of shapes", .type = DOCUMENT_COUNT},
        {.name = "ratio", .type = DOCUMENT_NUMBER, .digits = 3},
        {.name = "faster", .type = DOCUMENT_COUNT},
        {.name = "slower", .type = DOCUMENT_COUNT},
        {.name = "undecided", .type = DOCUMENT_COUNT},
        {.name = "environment", .type = DOCUMENT_COUNT},
        {.name = "mean %, as the paper counts", .type = DOCUMENT_SPEEDUP},
    };
    const struct table *table = report->table1;
    document_section(page, 2, "summary", "Summary");
    if (table->count == 0) {
        document_paragraph(page, "No candidate was timed, so there are no tables and figures.");
        return;
    }
    document_table(page, "summary", "Against the strongest baseline");
    document_columns(page, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        const char *strongest = tables_strongest(table, line->candidate, line->lens);
        const bool previous = strcmp(line->baseline, ROUND_SPEEDS_PREVIOUS) == 0;
        if (!previous && (!strongest || strcmp(strongest, line->baseline) != 0))
            continue;
        document_row(page);
        document_cell(page, line->candidate);
        document_cell(page, line->lens);
        document_cell(page, line->mode);
        document_cell(page, line->baseline);
        document_count(page, line->shapes);
        document_number(page, line->geomean);
        sections_counts(page, line);
        document_number(page, line->mean);
    }
    add_within(page, report->rows);
    if (report->disagreements->compared > 0)
        document_paragraph(page,
                           "[Lenses disagree](#where-lenses-disagree), one says faster and one "
                           "slower, on %zu of %zu shapes with a candidate and a mode.",
                           report->disagreements->count, report->disagreements->compared);
}

void section_reading(struct document *page, const struct report *report) {
    (void)report;
    document_section(page, 2, "reading", "How to read this");
    document_item(page,
                  "*Ratio* is time of the baseline over time of the candidate: the geometric mean "
                  "over shapes of a robust estimate (Hodges–Lehmann). 1.10 means that the baseline "
                  "takes 10 %% longer. *Faster*, *slower* and *undecided* count shapes whose 95 %% "
                  "interval of the ratio lies above 1, below 1, or around it; *environment* those "
                  "too often disturbed for a verdict.");
    document_item(page, "The *speedup* of a shape, as the paper counts, is the mean over calls of "
                        "the same quotient, minus 1. Mean, median and sd are over shapes. A few "
                        "shapes with a large speedup raise the mean.");
    document_item(page, "*Wins* are the shapes with a speedup above 0.");
    document_item(page, "**Table 1** has the candidate against each baseline. **Table 2** takes "
                        "the better of candidate and baseline, as if a user kept the baseline "
                        "wherever the candidate is slower, so that a speedup is never below 0.");
    document_item(page, "`-max` is the faster of the layouts `-nn` and `-tn` of each shape. A "
                        "kernel that failed a check was not timed and is in no mean.");
    document_item(page,
                  "A *lens* is the interval that is read. `call`: idle device, one call, device "
                  "sync, launch cost included; the paper's protocol. `device`: the same with the "
                  "launch hidden: the GPU waits until all is queued. That is what the kernel costs "
                  "the GPU. `stream`: one of many calls back to back. `latency`: from the arrival "
                  "of a request to its end.");
    document_item(page,
                  "Figure 1 has the means of Table 1 as bars. In Figure 3 a point is the speedup "
                  "of a shape, with the quartiles of each size as a band; where there are few "
                  "shapes, a grey cross is the ratio with its interval, and the two part where "
                  "times are skewed. Figure 4 is the time over what the card could do at best. "
                  "Figure 5 has for each shape what was published across and what was measured "
                  "here up.");
}

void section_notes(struct document *page, const struct report *report) {
    document_section(page, 2, "notes", "Notes");
    if (!report->about->complete)
        document_item(page, "The run is not complete; shapes that are not measured yet are in no "
                            "number above.");
    document_item(page, "The tables as CSV: [table1.csv](table1.csv), [table2.csv](table2.csv); "
                        "every shape in [shapes.csv](shapes.csv). In the run's folder `report` "
                        "every figure has its gnuplot script (.gp), data (.dat) and SVG beside "
                        "it.");
    document_only(page, DOCUMENT_MARKDOWN);
    document_item(page, "[report.html](report.html) is the same page with every shape, the "
                        "speedup by M, N and K, and the machine's environment.");
}
