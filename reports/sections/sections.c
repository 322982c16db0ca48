/* What sections have alike, and the sections that are a heading with sentences and tables of queries. */
#include "reports/sections/sections.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/element.h"

sqlite3_stmt *sections_ask(const struct report *report, const char *sql) {
    return query_ask(report->db, sql, report->run, NULL);
}

bool sections_have(const struct report *report, const char *sql) {
    return query_any(sections_ask(report, sql));
}

void sections_most(struct document *page) {
    document_most(page, DOCUMENT_MARKDOWN, 50);
    document_most(page, DOCUMENT_HTML, 1000);
}

struct document *sections_make(const struct report *report) {
    static void (*const sections[])(struct document *, const struct report *) = {
#define SECTION_LINE(name) section_##name,
        SECTIONS(SECTION_LINE)
#undef SECTION_LINE
    };
    const struct about *about = report->about;
    const char *what = *about->set ? about->set : about->imported;
    const bool f16 = strcmp(about->element, element_words[ELEMENT_F16]) == 0;
    char title[sizeof about->imported + 48];
    snprintf(title, sizeof title, "gemmgate report%s%s%s%s", *what ? ": " : "", what,
             f16 ? "" : ", ", f16 ? "" : about->element);
    struct document *page = document_new(title);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        document_only(page, SECTIONS_FILES);
        sections[i](page, report);
    }
    return page;
}

/* Where a gain comes from: the launch, or the kernel itself. */
void section_gain(struct document *page, const struct report *report) {
    sqlite3_stmt *answer = sections_ask(report, query_gain);
    if (!query_next(answer)) /* a lens is missing */
        return;
    sqlite3_reset(answer);
    document_section_folded(page, 3, "gain", "Where the gain comes from");
    document_paragraph(
        page, "How much more time the library takes (geometric means). `call` has launch "
              "and kernel, `device` the kernel alone. The rest is the launch: it goes away "
              "where calls follow each other without a pause.");
    query_table(page, "gain", NULL, answer);
}

/* The kernels that failed a check, with the evidence. */
void section_refused(struct document *page, const struct report *report) {
    if (sections_have(report, query_not_passed))
        document_section(page, 2, "refused", "Refused kernels");
    else
        document_only(page, DOCUMENT_DATA);
    query_say(page, sections_ask(report, query_refused_words));
    query_say(page, sections_ask(report, query_deviations));
    document_only(page, DOCUMENT_DATA);
    query_table(page, "deviation", NULL, sections_ask(report, query_deviation));
    document_only(page, SECTIONS_FILES);
    if (sections_have(report, query_outcomes))
        query_table(page, "outcomes", "Refused, by outcome", sections_ask(report, query_outcomes));
    query_table(page, "refused",
                "Refused kernels with their deviation, bounds and finding; candidates first",
                sections_ask(report, query_refused));
    document_fold(page, false, "The kernels, candidates first");
    sections_most(page);
    document_where(page, "all are in [refused.csv](refused.csv)");
}

/* The shapes of a line that leads. */
static void put_series(struct document *page, const struct report *report,
                       const struct line *line) {
    char text[4 * RUNDIR_NAME];
    snprintf(text, sizeof text, "%s over %s, %s", line->candidate, line->baseline, line->mode);
    query_table(page, "every-shape", text,
                query_ask(report->db, query_every_shape, report->run, line->candidate, line->mode,
                          line->baseline, line->lens,
                          *report->about->element ? report->about->element : "f16", NULL));
    document_fold(page, false, "%s", text);
    unrecorded_explain(page);
}

/* Where the peak comes from. Hosts and imported runs have none. */
static void tell_peak(struct document *page, const struct report *report) {
    static const char lack[] = "SELECT 1 FROM times WHERE run = ?1 AND device NOT IN "
                               "(SELECT device FROM peaks WHERE run = ?1)";
    const json_t *given = json_object_get(report->plan, "peak_tflops");
    document_paragraph(page, "*Peak* is the most that the card's tensor cores do. `times.csv` and "
                             "`ratios.csv` of the run have all libraries of a shape.");
    if (given)
        document_add(page, " The peak was given by `--peak`: %g TFLOP/s.",
                     json_number_value(given));
    else if (!report->about->on_host && !*report->about->imported && sections_have(report, lack))
        document_add(page, " The peak of this card is not known, so no share of it is shown. "
                           "A run is given it by `--peak TFLOPS`.");
}

/* Every shape: against the reference library as people read it, and against all the main ones as
 * shapes.csv. */
void section_shapes(struct document *page, const struct report *report) {
    document_only(page, DOCUMENT_DATA);
    query_table(page, "shapes", NULL, sections_ask(report, query_shapes));
    if (report->lead_count == 0)
        return;
    document_only(page, DOCUMENT_HTML);
    document_section(page, 2, "shapes", "Every shape");
    tell_peak(page, report);
    for (size_t i = 0; i < report->lead_count; i++)
        put_series(page, report, &report->leads[i]);
}

/* What a call draws, where that was asked for. */
void section_energy(struct document *page, const struct report *report) {
    if (!json_is_true(json_object_get(report->plan, "energy")))
        return;
    document_section(page, 2, "energy", "Energy of a call");
    if (!sections_have(report, query_energy)) {
        document_note(
            page, DOCUMENT_BAD,
            "**No energy**: `--energy` was asked for, and no call has joules. The card's "
            "NVML has no counter of energy, or nothing was timed on the stage, or the calls "
            "were too short to keep the card busy, or did less work in a row than alone.");
        return;
    }
    document_paragraph(
        page,
        "Joules of the whole card, by NVML's counter, over rows of calls of 0.5 s. *sd* is over "
        "rows. Calls that are too short to keep the card busy, or do less work in a row, are not "
        "there.");
    query_table(page, "energy", NULL, sections_ask(report, query_energy));
    sections_most(page);
    document_where(page, "all are in `times.csv` of the run");
}

/* The times of a run that is imported, which may have no library to make ratios of. */
void section_imported(struct document *page, const struct report *report) {
    if (!*report->about->imported || report->rows->time_count == 0)
        return;
    document_section(page, 2, "imported", "Imported times");
    document_paragraph(page,
                       "Each is one number of the tool's, without samples. Nothing here shows "
                       "how far it can be trusted.");
    const json_int_t left_out = json_integer_value(json_object_get(report->manifest, "left_out")),
                     unverified =
                         json_integer_value(json_object_get(report->manifest, "not_verified"));
    if (left_out > 0)
        document_add(page,
                     " Left out, since the tool calls them failed or skipped: %lld of the file's "
                     "rows.",
                     (long long)left_out);
    if (unverified > 0)
        document_add(page, " Not verified by the tool: %lld of the rows.", (long long)unverified);
    query_table(page, "imported", NULL, sections_ask(report, query_imported_times));
    sections_most(page);
    document_where(page, "all are in `times.csv` of the run");
}

/* Which kernels could not be recorded, and facts of those that were. */
void section_recordings(struct document *page, const struct report *report) {
    if (!sections_have(report, query_recorded))
        return;
    document_section_folded(page, 3, "recordings", "What the recordings show");
    query_say(page, sections_ask(report, query_unrecorded_words));
    query_table(page, "unrecorded", NULL, sections_ask(report, query_unrecorded));
    sections_most(page);
    document_where(page, "all are in `checks.csv` of the run");
    if (report->rows->audit_count > 0)
        document_paragraph(
            page, "The table counts the kernels on shapes that have each fact. A *fact* "
                  "accuses nobody. A kernel with a *refused* one is unrecorded. All are in "
                  "`audit.csv` of the run.");
    query_table(page, "facts", NULL, sections_ask(report, query_audit_facts));
}

/* What other runs rest on. */
static void put_runs(struct document *page, const struct report *report) {
    char why[512];
    document_facts(page, "the runs");
    for (size_t r = 0; r < report->device_count; r++) {
        const struct rundir *run = &report->runs[r];
        const struct rows_tested tested = rows_tested(&run->rows, NULL);
        document_fact_marked(page, run->folder,
                             "%s; %s; complete: %s; %zu of %zu kernels on shapes refused",
                             run->about.device, run->about.software, run->about.how_complete,
                             tested.counts[ROWS_REFUSED],
                             tested.counts[ROWS_PASSED] + tested.counts[ROWS_UNRECORDED] +
                                 tested.counts[ROWS_REFUSED]);
    }
    for (size_t r = 1; r < report->device_count; r++) {
        const struct rundir *run = &report->runs[r];
        if (controls_judge(&run->rows, run->plan, why, sizeof why) == CONTROLS_FAILED)
            document_note(page, DOCUMENT_BAD,
                          "**Controls failed in %s**; do not rely on its numbers: %s.", run->folder,
                          why);
    }
}

/* Other runs of the same plan: their lines, and how far those on devices of one kind agree. */
void section_again(struct document *page, const struct report *report) {
    if (report->device_count < 2)
        return;
    document_section(page, 2, "again", "Beside other runs");
    document_paragraph(
        page, "A ratio says how a kernel stands to the library of the same device. *TFLOP/s* "
              "says how fast the kernel is there: the geometric mean over the shapes.");
    agree_fill(page, &report->agree, report->device_count);
    put_runs(page, report);
}

static sqlite3_stmt *ask_published(const struct report *report) {
    return query_ask(report->db, query_published, report->run, SECTIONS_PUBLISHED, NULL);
}

/* Whether a line is of two clocks. */
static bool clocks_differ(const struct report *report) {
    bool differ = false;
    for (sqlite3_stmt *line = ask_published(report); query_next(line);)
        differ = differ || strcmp(query_text(line, "lens"), query_text(line, "lens there")) != 0;
    return differ;
}

/* The speedups over the libraries that both have. */
static void put_speedups(struct document *page, const struct report *report) {
    document_paragraph(
        page,
        "The same shapes there and here. *There*: %s. *Order* is Spearman's rank correlation of "
        "the speedups: 1 where both put the shapes in the same order. *Quotient* is the median of "
        "the ratio here over the ratio there, *near* the shapes where it is between 1/1.1 and 1.1. "
        "The shapes of the last two columns are there only: refused here, or not measured.",
        report->published_where);
    if (clocks_differ(report))
        document_paragraph(
            page, "**Two clocks.** Where *lens there* is not *lens*, one of the two numbers is "
                  "by CUDA events (`call`) and the other by the host's clock (`wait`). So their "
                  "difference is in part that of the clocks.");
    query_table(page, "published", NULL, ask_published(report));
}

/* A run beside what was published. */
void section_published(struct document *page, const struct report *report) {
    if (!report->published_run)
        return;
    document_section(page, 2, "published", "Beside what was published");
    beside_note(page, "The run there", &report->published.about);
    if (*report->published.about.imported &&
        beside_any(report->db, report->run, SECTIONS_PUBLISHED))
        beside_fill(page, report->db, report->run, SECTIONS_PUBLISHED);
    if (!query_any(ask_published(report)))
        document_only(page, DOCUMENT_DATA);
    put_speedups(page, report);
}
