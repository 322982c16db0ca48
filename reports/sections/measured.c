/* What was measured, how to read the page, and where the rest is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/pairs/pairs.h"
#include "reports/sections/sections.h"

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
    const struct units *units = report->units;
    char shapes[32] = "", lenses[UNITS_LENSES * RUNDIR_NAME] = "", when[96] = "";
    char reference[320];
    if (about->shapes)
        snprintf(shapes, sizeof shapes, "%zu", about->shapes);
    for (size_t i = 0; i < units->lens_count; i++)
        strcat(strcat(lenses, i ? ", " : ""), units->lenses[i]);
    if (*about->start)
        snprintf(when, sizeof when, "%s%s%s", about->start, *about->end ? " to " : "", about->end);
    document_section(page, 2, "measured", "What was measured");
    document_facts(page, "what was run");
    document_fact(page, "source", about->imported);
    document_fact(page, "device", about->device);
    document_fact(page, "software", about->software);
    document_fact(page, "candidates", about->set);
    document_fact(page, "elements of A, B and C", about->element);
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
    if (about->on_host)
        document_note(page, DOCUMENT_PLAIN, "%s", about_host_clock);
}

void section_reading(struct document *page, const struct report *report) {
    (void)report;
    document_section(page, 2, "reading", "How to read this");
    document_item(
        page,
        "*Ratio* is the time of the baseline over the time of the candidate: the geometric mean "
        "over shapes of a robust estimate (Hodges–Lehmann). 1.10 means that the baseline takes "
        "10 %% more time. 0.80 means 0.8 times the speed, and 25 %% more time. Its interval "
        "says what another run of the same shapes would show. The interval *over shapes* takes "
        "the shapes as drawn at random from others like them.");
    document_item(
        page,
        "A shape is *same* where the 95 %% interval of its ratio lies within 2 %% of 1. Else it "
        "is *faster* or *slower* where the interval lies on one side of 1, and *undecided* where "
        "it does not. It is *environment* where it was disturbed too often. One visit has no "
        "interval.");
    document_item(page,
                  "The *speedup* of a shape, as the paper counts, is the mean over calls of "
                  "the same quotient, minus 1. It is a per cent of the candidate's time: +10 %% "
                  "means that the baseline takes 10 %% more time. Mean, median and sd are "
                  "over shapes. A few shapes with a large speedup raise the mean. Tables "
                  "call it the *paper's mean*.");
    document_item(page, "*Wins* are the shapes with a speedup above 0.");
    document_item(page, "**Table 1** has the candidate against each baseline. **Table 2** takes "
                        "the better of candidate and baseline, as if a user kept the baseline "
                        "wherever the candidate is slower, so that a speedup is never below 0. "
                        "The better one is told by the same samples: of equal kernels Table 2 "
                        "shows a small gain that is not there.");
    document_item(page, "`-max` is the faster of the layouts `-nn` and `-tn` of each shape, by the "
                        "mean of all visits. A kernel that failed a check was not timed and "
                        "is in no mean.");
    document_item(page,
                  "A *lens* is the interval that is read. `call`: idle device, one call, device "
                  "sync, launch cost included; the paper's protocol. `device`: the same with the "
                  "launch hidden: the GPU waits until all is queued. That is what the kernel costs "
                  "the GPU. `stream`: one of many calls back to back. `wait`: as `call`, by the "
                  "host's clock in the place of events.");
    document_item(
        page, "The figure by library has the ratios of Table 1 with their intervals. In the figure "
              "by size a point is the ratio of a shape, and the band has the quartiles of each "
              "size. Axes of ratios "
              "are logarithmic, with 1 in the middle.");
}

void section_notes(struct document *page, const struct report *report) {
    document_section(page, 2, "notes", "Notes");
    document_item(page, "The tables as CSV: [table1.csv](table1.csv), [table2.csv](table2.csv); "
                        "every shape in [shapes.csv](shapes.csv). In the run's folder `report` "
                        "every figure has its gnuplot script (.gp), data (.dat) and SVG beside "
                        "it.");
    if (report->manifest)
        document_add(page, " All that is known of machine and software is in `manifest.json` of "
                           "the run.");
    document_only(page, DOCUMENT_MARKDOWN);
    document_item(page, "[report.html](report.html) is the same page with every shape.");
}
