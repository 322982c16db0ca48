/* The answer, before anything else: the finding, Figure 3, and what it rests on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "bench/base/timed_inputs.h"
#include "reports/rows/unserved.h"
#include "reports/sections/sections.h"
#include "reports/tables/agree.h"

void sections_controls(struct document *page, const struct report *report) {
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

/* A first screen holds so many sentences. */
enum { SENTENCES = 4 };

/* Whether one card has measured all that there is. */
static bool one_card(const struct report *report) {
    const char *cards = report->about->cards;
    return *cards && !strchr(cards, ',');
}

static void say_lines(struct document *page, const struct report *report, int from, int to) {
    char first[16], last[16];
    snprintf(first, sizeof first, "%d", from);
    snprintf(last, sizeof last, "%d", to);
    query_say(page, query_ask(report->db, query_verdict, report->run, first, last, NULL));
}

/* One for each candidate and mode; where there are many, the table has the rest. The figure stands
 * below the first. */
static void add_sentences(struct document *page, const struct report *report) {
    const struct figure *figure = sections_figure(report);
    const size_t count = report->lead_count;
    say_lines(page, report, 1, 1);
    document_only(page, SECTIONS_FILES);
    if (figure)
        sections_put_figure(page, report, figure);
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    say_lines(page, report, 2, SENTENCES);
    if (count > SENTENCES)
        document_paragraph(page, "The [table](#tables) has %zu more.", count - SENTENCES);
}

/* What else is known of the sentences' numbers. */
static void add_lines_below(struct document *page, const struct report *report) {
    char most[16];
    snprintf(most, sizeof most, "%d", SENTENCES);
    query_say(page, query_ask(report->db, query_verdict_below, report->run, most,
                              one_card(report) ? "one card (another may differ by more)" : "device",
                              NULL));
}

/* Shapes that were asked for and are in no number. */
static void add_unserved(struct document *page, const struct report *report) {
    struct unserved unserved;
    char text[RUNDIR_TEXT] = "";
    unserved_find(report->rows, report->plan, &unserved);
    unserved_text(&unserved, text, sizeof text);
    if (unserved.count > 0)
        document_note(page, DOCUMENT_BAD, "**%s.**", text);
    unserved_free(&unserved);
}

/* Whether somebody has measured it twice. */
static void add_again(struct document *page, const struct report *report, const struct line *line) {
    size_t pairs;
    if (report->agree.run_count < 2) {
        if (!*report->about->imported)
            document_fact_marked(page, "measured again",
                                 "no: another run may differ by more. Run it again and make the "
                                 "report with `--again RUN2`");
        return;
    }
    const double share = agree_share(&report->agree, line->mode, line->lens, &pairs);
    if (pairs > 0)
        document_fact_marked(page, "measured again",
                             "%.0f %% of %zu intervals by `%s` agree; [how far](#again)",
                             100 * share, pairs, line->lens);
    else
        document_fact_marked(page, "measured again", "[how far the runs agree](#again)");
}

/* What a kernel of the host device is compared with: OpenBLAS has kernels for each processor, and
 * the slowest have a fifth of the speed of the fastest. Its configuration is "OpenBLAS 0.3.21
 * DYNAMIC_ARCH Haswell MAX_THREADS=64" or the like. */
static void add_openblas(struct document *page, const struct report *report) {
    const char *config = report->about->on_host ? jsonfile_text(report->manifest, "openblas") : "";
    const char *told = strstr(jsonfile_text(report->manifest, "variables"), "OPENBLAS_CORETYPE=");
    char words[256], *rest = words, *word, *version = NULL, *core = NULL;
    snprintf(words, sizeof words, "%s", config);
    while ((word = strsep(&rest, " "))) {
        version = !version && *word >= '0' && *word <= '9' ? word : version;
        core = strchr(word, '=') || strcmp(word, "SINGLE_THREADED") == 0 ? core : word;
    }
    if (version && core)
        document_fact_marked(page, "OpenBLAS", "%s, one thread, with its kernels for **%s**%s",
                             version, core,
                             told ? ", which OPENBLAS_CORETYPE asks for" : ", its own choice");
}

static void add_facts(struct document *page, const struct report *report, const struct line *line) {
    const struct about *about = report->about;
    document_facts(page, "what it rests on");
    document_fact(page, "measured on", about->device);
    document_fact(page, "inputs while timed", about->inputs);
    add_openblas(page, report);
    if (line)
        query_say(page, query_ask(report->db, query_verdict_line, report->run, line->candidate,
                                  line->mode, line->lens, line->baseline, NULL));
    if (report->controls == CONTROLS_PASSED)
        document_fact_marked(page, "controls", "passed; [what they are](#trust)");
    if (line)
        add_again(page, report, line);
    if (report->device_count > report->agree.run_count)
        document_fact_marked(page, "other devices", "%zu; [beside this one](#again)",
                             report->device_count - report->agree.run_count);
    query_say(page, sections_ask(report, query_conflicts));
}

const struct figure *sections_figure(const struct report *report) {
    const struct line *line = report->leads;
    for (size_t i = 0; report->lead_count && i < report->figure_count; i++) {
        const struct figure *figure = &report->figures[i];
        if (strncmp(figure->name, "figure3-", 8) == 0 &&
            strcmp(figure->candidate, line->candidate) == 0 &&
            strcmp(figure->lens, line->lens) == 0)
            return figure;
    }
    return NULL;
}

void sections_put_figure(struct document *page, const struct report *report,
                         const struct figure *figure) {
    char alt[1024];
    sqlite3_stmt *words = query_ask(report->db, query_figure_words, report->run, figure->candidate,
                                    figure->lens, NULL);
    query_next(words);
    snprintf(alt, sizeof alt, "%s%s", figure->title, query_text(words, "words"));
    sqlite3_finalize(words);
    document_figure(page, figure->name, alt, figure->title, figure->drawn);
}

static void add_unfinished(struct document *page, const struct about *about) {
    if (about->complete || *about->imported)
        return;
    document_note(page, DOCUMENT_BAD, "**This run is not complete**: %s. To do: %s. ",
                  about->how_complete + strlen("no: "), about_remedy(about));
    document_add(page,
                 about->going_on
                     ? "Shapes that have not all of their visits yet are in no number."
                     : "A shape that has two visits or more, but not all, counts with those it "
                       "has. A kernel that its other visits would refuse is not refused yet.");
}

void sections_unjudged(struct document *page, const char *inputs) {
    const char *why = timed_inputs_unjudged(inputs);
    if (why)
        document_note(page, DOCUMENT_BAD,
                      "**Timed on %s: no number here judges a kernel.** On these inputs %s.",
                      inputs, why);
}

void section_verdict(struct document *page, const struct report *report) {
    const struct about *about = report->about;
    const bool imported = *about->imported;
    document_section(page, 2, "verdict", "Verdict");
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    add_unfinished(page, about);
    sections_unjudged(page, about->inputs);
    agree_unverified(page, report->runs, report->device_count);
    if (imported)
        sections_claims(page, report);
    document_only(page, SECTIONS_FILES);
    if (report->controls == CONTROLS_FAILED)
        sections_controls(page, report);
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    add_sentences(page, report);
    query_say(page, sections_ask(report, query_verdict_refused));
    add_unserved(page, report);
    if (report->rows->ratio_count == 0)
        document_paragraph(
            page, imported ? "No shape has a kernel and a library, so there is no ratio."
                           : "No candidate was timed, so there are no tables and figures.");
    add_lines_below(page, report);
    if (!imported)
        sections_claims(page, report);
    beside_note(page, "This run", about);
    document_only(page, SECTIONS_FILES);
    if (report->controls == CONTROLS_NONE && !imported)
        sections_controls(page, report);
    query_say(page, query_ask(report->db, query_single_visits, report->run,
                              report->about->complete ? " Measure with `--visits 4`." : "", NULL));
    add_facts(page, report, report->lead_count ? report->leads : NULL);
}
