/* Whether the numbers can be trusted: controls, conditions, and times that were marked. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/page/assets.h"
#include "reports/sections/sections.h"

static const char *const kinds[CONTROLS_KINDS] = {[CONTROLS_AA] = "A/A",
                                                  [CONTROLS_ACROSS] = "across processes",
                                                  [CONTROLS_AUTOTUNE] = "autotuned",
                                                  [CONTROLS_DELAY] = "delay"};

static void add_kinds(struct document *page, const struct controls_series *list, size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(controls_tally, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        {.name = "lens", .type = DOCUMENT_TEXT},
        {.name = "mode", .type = DOCUMENT_TEXT},
        {.name = "control", .type = DOCUMENT_TEXT},
        OF(intervals, "intervals", COUNT),
        OF(missing, "miss 1", COUNT),
        OF(expected, "expected", NUMBER, .digits = 1),
        OF(chance, "p", NUMBER, .digits = 3),
        OF(mean, "mean", NUMBER, .digits = 4),
        OF(mean_low, "99.9 % interval", INTERVAL, .digits = 4),
        OF(half_width_median, "half-width ±, median", SHARE, .digits = 2, .unit = " %"),
        OF(half_width_most, "largest", SHARE, .digits = 2, .unit = " %"),
    };
#undef OF
    DOCUMENT_TABLE(page, "controls", NULL, columns);
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < CONTROLS_KINDS; kind++) {
            const struct controls_tally *tally = &list[i].kinds[kind];
            if (tally->intervals + tally->ratios == 0)
                continue;
            document_row_of(page, tally);
            document_cell(page, list[i].lens);
            document_cell(page, list[i].mode);
            document_cell(page, kinds[kind]);
        }
}

static void add_delays(struct document *page, const struct controls_series *list, size_t count) {
#define OF(member, title, ...) DOCUMENT_OF(controls_series, member, title, __VA_ARGS__)
    static const struct document_column columns[] = {
        OF(lens, "lens", TEXT),
        OF(mode, "mode", TEXT),
        {.name = "delays seen", .type = DOCUMENT_NUMBER},
        OF(vague, "in too much noise", COUNT),
        OF(planted_seconds, "planted µs", NUMBER, .digits = 2, .scale = 1e6),
        OF(found_seconds, "found µs", NUMBER, .digits = 2, .scale = 1e6),
        OF(launch_seconds, "launch of a delay µs", NUMBER, .digits = 2, .scale = 1e6),
        OF(paper, "A/A mean, as the paper counts %", SPEEDUP, .digits = 2),
    };
#undef OF
    DOCUMENT_TABLE(page, "delays", NULL, columns);
    for (size_t i = 0; i < count; i++) {
        document_row_of(page, &list[i]);
        document_cell_marked(page, "%zu of %zu", list[i].seen, list[i].delays);
    }
    for (size_t i = 0; i < count; i++)
        if (controls_paper_off(&list[i]))
            document_note(page, DOCUMENT_BAD,
                          "%s, %s: **as the paper counts**, a baseline against itself gains %+.1f "
                          "%% (99.9 %% interval %+.1f to %+.1f %%). Means as the paper counts are "
                          "off by as much; ratios are not.",
                          list[i].mode, list[i].lens, 100 * list[i].paper, 100 * list[i].paper_low,
                          100 * list[i].paper_high);
}

static void add_controls(struct document *page, const struct rows *rows) {
    struct controls_series list[CONTROLS_SERIES_MOST];
    const size_t count = controls_summarise(rows, list);
    document_section_folded(page, 3, "controls", "Controls");
    document_prose(page, assets_controls_md);
    add_kinds(page, list, count);
    add_delays(page, list, count);
}

/* A list of facts for each mode: the query's columns. */
static void add_conditions(struct document *page, const struct report *report) {
    sqlite3_stmt *answer = sections_ask(report, query_conditions);
    document_section_folded(page, 3, "conditions", "Conditions");
    if (report->rows->condition_count == 0)
        document_paragraph(page, "Not recorded.");
    document_only(page, DOCUMENT_MARKDOWN | DOCUMENT_HTML); /* conditions.csv is the data */
    while (query_next(answer))
        query_facts(page, query_text(answer, "mode"), answer, 1);
    document_only(page, SECTIONS_FILES);
}

void section_trust(struct document *page, const struct report *report) {
    if (*report->about->imported) /* which the verdict says */
        return;
    document_section(page, 2, "trust", "Can the numbers be trusted");
    sections_controls(page, report);
    if (report->controls != CONTROLS_NONE)
        add_controls(page, report->rows);
    add_conditions(page, report);
    if (report->rows->time_count == 0)
        return;
    document_section_folded(page, 3, "times", "Marked times");
    query_say(page, sections_ask(report, query_marked));
}
