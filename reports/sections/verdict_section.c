/* The answer, before anything else: the finding, Figure 3, and what it rests on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
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

/* The verdicts, beside what chance gives: an interval of equal kernels misses 1 in 5 % of cases. */
static void add_verdicts(struct document *page, const struct table_line *line) {
    document_add(page,
                 " It is faster on %zu of them, slower on %zu, the same on %zu and undecided on "
                 "%zu.",
                 line->faster, line->slower, line->same, line->undecided);
    if (line->faster + line->slower > 0)
        document_add(page, " Of equal kernels chance calls at most %.1f faster and as many slower.",
                     (1 - VERDICT_CONFIDENCE) / 2 * (double)line->judged);
}

/* Whether one card has measured all that there is. */
static bool one_card(const struct report *report) {
    const char *cards = report->about->cards;
    return *cards && !strchr(cards, ',') && report->cards.count < 2;
}

/* The interval over visits holds for the card that was measured. What it is for cards of the model
 * only several cards can tell. */
static void add_cards(struct document *page, const struct report *report,
                      const struct table_line *line) {
    const struct cards *cards = &report->cards;
    const struct pair like =
        pairs_key((struct shape){0}, line->candidate, line->baseline, line->mode, line->lens);
    if (cards->count < 2)
        return;
    const struct estimate model = cards_mean(cards, &like);
    if (!isnan(model.ratio))
        document_add(page, ", one for cards of this model of %.3f to %.3f (%zu cards, mean %.3f)",
                     model.low, model.high, cards->count, model.ratio);
}

/* What else is known of the sentence's number. */
static void add_line_below(struct document *page, const struct report *report,
                           const struct table_line *line) {
    if (isnan(line->geomean))
        return;
    document_paragraph(page, "%s, %s:", line->candidate, line->mode);
    if (!isnan(line->low))
        document_add(page, " the interval holds for this %s",
                     one_card(report) ? "one card (another may differ by more)" : "device");
    if (!isnan(line->low))
        add_cards(page, report, line);
    if (!isnan(line->shapes_low))
        document_add(page, "%s over shapes is %.3f to %.3f",
                     isnan(line->low) ? " an interval" : ", one", line->shapes_low,
                     line->shapes_high);
    document_add(page,
                 isnan(line->low) && isnan(line->shapes_low) ? " there is no interval." : ".");
    if (line->shapes > 1 && line->judged > 0)
        add_verdicts(page, line);
    if (line->refused > 0)
        document_add(
            page, " With %zu refused kernel%s counted as 1 it is %.3f.", line->refused,
            line->refused == 1 ? "" : "s",
            pow(line->geomean, (double)line->shapes / (double)(line->shapes + line->refused)));
    document_add(page, " The paper's mean, the arithmetic one of the speedups, is %+.1f %%.",
                 100 * line->mean);
    if (line->unrecorded > 0)
        document_add(page,
                     " On %zu of the %zu shapes the kernel is [unrecorded](#recordings): no device "
                     "work bounds its number.",
                     line->unrecorded, line->shapes);
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
    size_t count = 0;
    for (size_t i = 0; i < report->table1.count; i++)
        count += report->table1.lines[i].leads;
    say_lines(page, report, 1, 1);
    document_only(page, SECTIONS_FILES);
    if (figure)
        sections_put_figure(page, report, figure);
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    say_lines(page, report, 2, SENTENCES);
    if (count > SENTENCES)
        document_paragraph(page, "The [table](#tables) has %zu more.", count - SENTENCES);
}

static void add_lines_below(struct document *page, const struct report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->table1.count; i++)
        if (report->table1.lines[i].leads && ++count <= SENTENCES)
            add_line_below(page, report, &report->table1.lines[i]);
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
static void add_again(struct document *page, const struct report *report,
                      const struct table_line *line) {
    size_t pairs;
    if (report->run_count < 2) {
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

static void add_facts(struct document *page, const struct report *report,
                      const struct table_line *line) {
    const struct about *about = report->about;
    document_facts(page, "what it rests on");
    document_fact(page, "measured on", about->device);
    add_openblas(page, report);
    if (line)
        query_say(page, query_ask(report->db, query_verdict_line, report->run, line->candidate,
                                  line->mode, line->lens, line->baseline, NULL));
    if (report->controls == CONTROLS_PASSED)
        document_fact_marked(page, "controls", "passed; [what they are](#trust)");
    if (line)
        add_again(page, report, line);
    if (report->device_count > report->run_count)
        document_fact_marked(page, "other devices", "%zu; [side by side](#side-by-side)",
                             report->device_count - report->run_count);
    query_say(page, sections_ask(report, query_conflicts));
}

const struct figure *sections_figure(const struct report *report) {
    const struct table_line *line = tables_first(&report->table1);
    for (size_t i = 0; line && i < report->figure_count; i++) {
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
    int used = snprintf(alt, sizeof alt, "%s", figure->title);
    for (size_t i = 0; i < report->table1.count; i++) {
        const struct table_line *line = &report->table1.lines[i];
        if (used < 0 || (size_t)used >= sizeof alt || isnan(line->geomean) ||
            strcmp(line->candidate, figure->candidate) != 0 ||
            strcmp(line->lens, figure->lens) != 0 || !line->reference)
            continue;
        used += snprintf(alt + used, sizeof alt - (size_t)used,
                         "; %s: %.3f times the speed of %s, faster on %zu shapes, slower on %zu, "
                         "the same on %zu, undecided on %zu",
                         line->mode, line->geomean, line->baseline, line->faster, line->slower,
                         line->same, line->undecided);
    }
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

void section_verdict(struct document *page, const struct report *report) {
    const struct table *table = &report->table1;
    const bool imported = *report->about->imported;
    document_section(page, 2, "verdict", "Verdict");
    document_only(page, SECTIONS_FILES | DOCUMENT_TERMINAL);
    add_unfinished(page, report->about);
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
    if (table->count == 0)
        document_paragraph(page, "No candidate was timed, so there are no tables and figures.");
    add_lines_below(page, report);
    if (!imported)
        sections_claims(page, report);
    document_only(page, SECTIONS_FILES);
    if (report->controls == CONTROLS_NONE)
        sections_controls(page, report);
    query_say(page, query_ask(report->db, query_single_visits, report->run,
                              report->about->complete ? " Measure with `--visits 4`." : "", NULL));
    add_facts(page, report, tables_first(table));
}
