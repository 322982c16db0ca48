/* Whether the numbers can be trusted: controls, conditions, and times that were marked.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/rows/device_label.h"
#include "reports/sections/sections.h"

/* A time with a larger share of marked samples is listed. */
#define MARKED_MOST 0.05

enum { TIMES_SHOWN = 20, MODES = 8 };

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
    document_paragraph(
        page,
        "A control has a true ratio that is known: 1. *A/A* is a baseline timed twice as if it "
        "were two kernels; half the width of its interval is the noise floor. *Across processes* "
        "is a baseline in the first half of the visits over the same in the last half. *Autotuned* "
        "is an autotuned library over the first suggestion of its own list: 1 or less. *Delay* is "
        "the extra cost of a long known wait behind a baseline over that of a short one, divided "
        "by the difference of the waits. A delay *in too much noise* counts neither as seen nor as "
        "missed.");
    document_paragraph(
        page,
        "An interval *misses* 1 where it ends more than 0.25 %% away from 1 (a delay's: 2 %%). The "
        "widths of the intervals tell how many misses to *expect*. *p* is the chance of so many or "
        "more, and below 0.001 the controls fail. They also fail where the interval of the *mean* "
        "over shapes ends more than 1 %% away from 1 (a delay's: 2 %%).");
    add_kinds(page, list, count);
    add_delays(page, list, count);
}

/* Every different text of `throttle`, and of how many units. */
static void add_throttle(struct document *page, const struct rows *rows, const char *mode) {
    bool any = false;
    for (size_t i = 0; i < rows->condition_count; i++) {
        const struct condition_row *row = &rows->conditions[i];
        size_t same = 0, before = 0;
        for (size_t j = 0; j < rows->condition_count; j++) {
            const struct condition_row *other = &rows->conditions[j];
            const bool equal =
                strcmp(other->mode, mode) == 0 && strcmp(other->throttle, row->throttle) == 0;
            same += equal;
            before += equal && j < i;
        }
        if (strcmp(row->mode, mode) != 0 || !*row->throttle || before)
            continue;
        if (any)
            document_add(page, "; %s (%zu)", row->throttle, same);
        else
            document_cell_marked(page, "%s (%zu)", row->throttle, same);
        any = true;
    }
    if (!any)
        document_empty(page, "not recorded");
}

/* A line of the table of conditions: what of a number over the units of a mode is shown, and how. */
struct line {
    const char *name;
    size_t at; /* in struct condition_row, a double */
    enum { LEAST, MEAN, MOST, UNITS, DISTURBED, UNSTEADY } pick;
    int digits;
    const char *unit;
    double scale;
};

#define AT(member) offsetof(struct condition_row, member)
static const struct line lines[] = {
    {"units (a shape with a candidate)", AT(disturbed), UNITS, 0, "", 1},
    {"units with disturbed blocks", AT(disturbed), DISTURBED, 0, "", 1},
    {"share of blocks disturbed, mean", AT(disturbed), MEAN, 2, " %", 100},
    {"most processes at once on the GPU", AT(processes), MOST, 0, "", 1},
    {"units not steady after the warm-up", AT(disturbed), UNSTEADY, 0, "", 1},
    {"SM clock, least", AT(sm_mhz_min), LEAST, 0, " MHz", 1},
    {"SM clock, mean", AT(sm_mhz_mean), MEAN, 0, " MHz", 1},
    {"SM clock, most", AT(sm_mhz_max), MOST, 0, " MHz", 1},
    {"memory clock, mean", AT(memory_mhz_mean), MEAN, 0, " MHz", 1},
    {"power, mean", AT(power_w_mean), MEAN, 0, " W", 1},
    {"power, most", AT(power_w_max), MOST, 0, " W", 1},
    {"temperature, most", AT(temperature_c_max), MOST, 0, " °C", 1},
    {"cost of a unit, mean: start and tuning", AT(start_seconds), MEAN, 2, " s", 1},
    {"… products to compare with", AT(reference_seconds), MEAN, 2, " s", 1},
    {"… checks", AT(check_seconds), MEAN, 2, " s", 1},
    {"… warm-up", AT(warmup_seconds), MEAN, 2, " s", 1},
    {"… timing", AT(wall_seconds), MEAN, 2, " s", 1},
};

static double condition_value(const struct condition_row *row, const struct line *line) {
    const double x = *(const double *)((const char *)row + line->at);
    return line->pick == UNITS                    ? 1
           : line->pick == UNSTEADY               ? strcmp(row->steady, "no") == 0
           : line->pick == DISTURBED && !isnan(x) ? x > 0
                                                  : x;
}

static double pick(const struct rows *rows, const char *mode, const struct line *line) {
    double least = NAN, most = NAN, sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < rows->condition_count; i++) {
        const double x = condition_value(&rows->conditions[i], line);
        if (strcmp(rows->conditions[i].mode, mode) != 0 || isnan(x))
            continue;
        known++;
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    const double mean = sum / (double)known;
    return line->pick == LEAST  ? least
           : line->pick == MOST ? most
           : line->pick == MEAN ? mean
                                : mean * (double)known;
}

static void add_line(struct document *page, const struct rows *rows, const struct line *line,
                     const char *const *modes, size_t count) {
    document_row(page);
    document_cell(page, line->name);
    for (size_t m = 0; m < count; m++)
        document_number_as(page, line->scale * pick(rows, modes[m], line), line->digits,
                           line->unit);
}

static void add_conditions(struct document *page, const struct rows *rows) {
    const char *modes[MODES];
    size_t count = 0;
    for (size_t i = 0; i < rows->condition_count; i++) {
        size_t m = 0;
        while (m < count && strcmp(modes[m], rows->conditions[i].mode) != 0)
            m++;
        if (m == count && count < MODES)
            modes[count++] = rows->conditions[i].mode;
    }
    document_section_folded(page, 3, "conditions", "Conditions");
    if (count == 0) {
        document_paragraph(page, "Not recorded.");
        return;
    }
    document_table(page, "conditions", NULL);
    document_column(page, (struct document_column){.name = "", .type = DOCUMENT_TEXT});
    for (size_t m = 0; m < count; m++)
        document_column(page, (struct document_column){.name = modes[m], .type = DOCUMENT_NUMBER});
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        add_line(page, rows, &lines[i], modes, count);
    document_row(page);
    document_cell(page, "share of timing inside timed intervals");
    for (size_t m = 0; m < count; m++)
        document_number_as(
            page,
            100 * pick(rows, modes[m], &(struct line){.at = AT(timed_seconds), .pick = MEAN}) /
                pick(rows, modes[m], &(struct line){.at = AT(wall_seconds), .pick = MEAN}),
            0, " %");
    document_row(page);
    document_cell(page, "throttle reasons seen (units)");
    for (size_t m = 0; m < count; m++)
        add_throttle(page, rows, modes[m]);
    for (size_t i = 0; i < rows->condition_count; i++)
        if (device_label_count(rows->conditions[i].device) > 1) {
            document_paragraph(page,
                               "Visits of a shape went from device to device, so that what differs "
                               "between devices is in the intervals of its ratios.");
            return;
        }
}

/* The times of which more than MARKED_MOST is marked, as a count and the first of them. */
static void add_marked(struct document *page, const struct rows *rows) {
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < rows->time_count; i++)
        count += rows->times[i].marked > MARKED_MOST;
    document_paragraph(page,
                       "Times with more than 5 %% of samples marked, since the call waits for the "
                       "device or its launch outlasted the hold: %zu of %zu",
                       count, rows->time_count);
    for (size_t i = 0; i < rows->time_count && shown < TIMES_SHOWN; i++) {
        const struct time_row *row = &rows->times[i];
        char shape[SHAPE_TEXT];
        if (row->marked > MARKED_MOST)
            document_add(page, "%s%s %s %s %s (%.0f %%)", shown++ ? ", " : ": ",
                         shape_format(row->shape, shape), row->kernel, row->lens, row->mode,
                         100 * row->marked);
    }
    document_add(page, "%s No number includes a marked sample.",
                 count > shown ? ", … (`times.csv` has all)." : ".");
}

void section_trust(struct document *page, const struct report *report) {
    document_section(page, 2, "trust", "Can the numbers be trusted");
    sections_controls(page, report);
    if (report->controls != CONTROLS_NONE)
        add_controls(page, report->rows);
    add_conditions(page, report->rows);
    if (report->rows->time_count == 0)
        return;
    document_section_folded(page, 3, "times", "Marked times");
    add_marked(page, report->rows);
}
