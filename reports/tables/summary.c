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
                      "it should, in one process and across processes, and planted delays were "
                      "found as long as they are.");
        return;
    case CONTROLS_FAILED:
        document_note(page, DOCUMENT_BAD,
                      "**Controls failed**; do not rely on the numbers of these modes and lenses: "
                      "%s.",
                      report->why);
    }
}

/* Who made the products that C was compared with; "" where no row says it. */
static void describe_reference(const struct rows *rows, char *text, size_t size) {
    static const char *const how =
        "made on the GPU by a process that loads no kernel, and each checked on the processor: "
        "four rows drawn at random in double, the whole by Freivalds' test";
    size_t there = 0, here = 0;
    for (size_t i = 0; i < rows->check_count; i++) {
        there += strcmp(rows->checks[i].reference, "gpu") == 0;
        here += strcmp(rows->checks[i].reference, "cpu") == 0;
    }
    if (there && here)
        snprintf(text, size, "of %zu rows %s; of %zu rows made on the processor", there, how, here);
    else
        snprintf(text, size, "%s", there ? how : here ? "made on the processor" : "");
}

void section_measured(struct document *page, const struct report *report) {
    const struct about *about = report->about;
    const char *names[LENS_CONFLICTS_MOST];
    const size_t count = lens_conflicts_list(report->rows, names);
    char shapes[32] = "", lenses[LENS_CONFLICTS_MOST * RUNDIR_NAME] = "", when[96] = "";
    char reference[320];
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
    describe_reference(report->rows, reference, sizeof reference);
    document_fact(page, "FP32 products to compare with", reference);
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

/* Whether the line is what its candidate and mode are summed up by: against the strongest baseline,
 * by the device lens where there is one, else by the first. */
static bool is_first(const struct table *table, size_t at) {
    const struct table_line *line = &table->lines[at];
    const char *strongest = tables_strongest(table, line->candidate, line->lens);
    if (!strongest || strcmp(strongest, line->baseline) != 0 || isnan(line->geomean))
        return false;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *other = &table->lines[i];
        const char *its = tables_strongest(table, other->candidate, other->lens);
        const bool better =
            strcmp(line->lens, "device") != 0 && (i < at || strcmp(other->lens, "device") == 0);
        if (strcmp(other->candidate, line->candidate) == 0 &&
            strcmp(other->mode, line->mode) == 0 && its && strcmp(its, other->baseline) == 0 &&
            !isnan(other->geomean) && better)
            return false;
    }
    return true;
}

/* Speed and time are not the same per cent: both are said. */
static void add_sentence(struct document *page, const struct table_line *line) {
    const double more = 1 / line->geomean - 1;
    document_paragraph(page,
                       "**%s has %.3f times the speed of %s** by `%s`, %s: the geometric mean over "
                       "%zu shapes",
                       *line->candidate ? line->candidate : "The candidate", line->geomean,
                       line->baseline, line->lens, line->mode, line->shapes);
    if (!isnan(line->low))
        document_add(page, ", with a 95 %% interval %s of %.3f to %.3f",
                     line->within_one_process ? "within one process" : "over rounds", line->low,
                     line->high);
    if (!isnan(line->shapes_low))
        document_add(page, ", and one over shapes of %.3f to %.3f", line->shapes_low,
                     line->shapes_high);
    document_add(page, ". It takes %.1f %% %s time.", 100 * fabs(more), more > 0 ? "more" : "less");
    if (line->faster + line->slower + line->undecided + line->environment > 0)
        document_add(page, " It is faster on %zu of them, slower on %zu and undecided on %zu.",
                     line->faster, line->slower, line->undecided);
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
        {.name = "ratio (95 % interval)", .type = DOCUMENT_RATIO, .key = "ratio"},
        {.name = "interval over shapes", .type = DOCUMENT_INTERVAL, .key = "over_shapes"},
        {.name = "median", .type = DOCUMENT_NUMBER, .digits = 3},
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
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    for (size_t i = 0; i < table->count; i++)
        if (is_first(table, i))
            add_sentence(page, &table->lines[i]);
    document_only(page, SECTIONS_FILES);
    document_table(page, "summary", "Against the strongest baseline");
    document_columns(page, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < table->count; i++) {
        const struct table_line *line = &table->lines[i];
        const char *strongest = tables_strongest(table, line->candidate, line->lens);
        const bool previous = strcmp(line->baseline, RUNDIR_PREVIOUS) == 0;
        if (!previous && (!strongest || strcmp(strongest, line->baseline) != 0))
            continue;
        document_row(page);
        document_cell(page, line->candidate);
        document_cell(page, line->lens);
        document_cell(page, line->mode);
        document_cell(page, line->baseline);
        document_count(page, line->shapes);
        sections_ratio(page, line);
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
    document_item(
        page, "*Ratio* is time of the baseline over time of the candidate, which is the speed of "
              "the candidate over that of the baseline: the geometric mean over shapes of a "
              "robust estimate (Hodges–Lehmann). 1.10 means that the baseline takes 10 %% more "
              "time. 0.80 means 0.8 times the speed, and 25 %% more time. Its interval is that "
              "of the rounds: what another run of the same shapes would show. The interval "
              "*over shapes* takes them as drawn at random from others like them. *Faster*, "
              "*slower* and *undecided* count shapes whose 95 %% "
              "interval of the ratio lies above 1, below 1, or around it; *environment* those "
              "too often disturbed for a verdict.");
    document_item(page,
                  "The *speedup* of a shape, as the paper counts, is the mean over calls of "
                  "the same quotient, minus 1. It is a per cent of the candidate's time: +10 %% "
                  "means that the baseline takes 10 %% more time. Mean, median and sd are "
                  "over shapes. A few shapes with a large speedup raise the mean. Tables "
                  "call it the *paper's mean*.");
    document_item(page, "*Wins* are the shapes with a speedup above 0.");
    document_item(page, "**Table 1** has the candidate against each baseline. **Table 2** takes "
                        "the better of candidate and baseline, as if a user kept the baseline "
                        "wherever the candidate is slower, so that a speedup is never below 0.");
    document_item(page,
                  "`-max` is the faster of the layouts `-nn` and `-tn` of each shape: in each "
                  "round the one that was faster in the other rounds, so that chance in the "
                  "choice is not in the estimate. A kernel that failed a check was not timed and "
                  "is in no mean.");
    document_item(page,
                  "A *lens* is the interval that is read. `call`: idle device, one call, device "
                  "sync, launch cost included; the paper's protocol. `device`: the same with the "
                  "launch hidden: the GPU waits until all is queued. That is what the kernel costs "
                  "the GPU. `stream`: one of many calls back to back. `latency`: from the arrival "
                  "of a request to its end.");
    document_item(page,
                  "Figure 1 has the ratios of Table 1 as bars, in per cent above 1: how much more "
                  "time the baseline takes. In Figure 3 a point is the speedup "
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
