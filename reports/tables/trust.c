#include "reports/tables/trust.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "reports/tables/by_device.h"
#include "reports/tables/tables.h"

/* A time with a larger share of marked samples is listed. */
#define MARKED_MOST 0.05

enum { TIMES_SHOWN = 20, MODES = 8 };

void trust_verdict(FILE *out, const struct report *report) {
    switch (report->controls) {
    case CONTROLS_NONE:
        fputs("**No controls**: this run does not say how far its numbers can be trusted.\n", out);
        return;
    case CONTROLS_PASSED:
        fputs(
            "**Controls passed**: a baseline against itself came out equal as often as it should, "
            "and planted delays were seen.\n",
            out);
        return;
    case CONTROLS_FAILED:
        fputs("**Controls failed**; do not rely on the numbers of these modes and lenses: ", out);
        markdown_text(out, report->why);
        fputs(".\n", out);
    }
}

/* NaN of nothing. */
static double percent(size_t part, size_t whole) {
    return whole ? 100 * (double)part / (double)whole : NAN;
}

static void put_controls(FILE *out, const struct rows *rows) {
    struct controls_series list[CONTROLS_SERIES_MOST];
    const size_t count = controls_summarise(rows, list);
    fputs(
        "\nA/A is a baseline timed twice as if it were two kernels. About 95 % of its 95 % "
        "intervals should reach 1 to 0.25 %; *allowed* is what chance explains (99.9 % of a "
        "binomial). The *mean* of their ratios should be within 1 % of 1. Half "
        "the width of such an interval is the noise floor: no smaller difference can be told. A "
        "delay is the baseline with a known wait put before it, which must be seen.\n\n"
        "| lens | mode | A/A intervals | reach 1 | miss it | allowed | off by < 0.5 % | mean | "
        "noise "
        "floor, "
        "median | largest | delays seen | planted µs | found µs |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
        "|\n",
        out);
    for (size_t i = 0; i < count; i++) {
        const struct controls_series *s = &list[i];
        fputs("| ", out);
        markdown_text(out, s->lens);
        fputs(" | ", out);
        markdown_text(out, s->mode);
        fprintf(out, " | %zu |", s->intervals);
        markdown_cell(out, "%.1f %%", percent(s->intervals - s->missing, s->intervals));
        fprintf(out, " %zu | %zu |", s->missing, s->allowed);
        markdown_cell(out, "%.1f %%", percent(s->close, s->intervals));
        markdown_cell(out, "%.4f", s->mean);
        markdown_cell(out, "±%.2f %%", 100 * s->half_width_median);
        markdown_cell(out, "±%.2f %%", 100 * s->half_width_most);
        fprintf(out, " %zu of %zu |", s->seen, s->delays);
        markdown_cell(out, "%.2f", 1e6 * s->planted_seconds);
        markdown_cell(out, "%.2f", 1e6 * s->found_seconds);
        fputc('\n', out);
    }
}

/* What is said of one member of condition_row over the units of a mode. */
struct summary {
    double least, mean, most;
    size_t known;
};

static struct summary summarise(const struct rows *rows, const char *mode,
                                double (*value)(const struct condition_row *)) {
    struct summary s = {NAN, 0, NAN, 0};
    for (size_t i = 0; i < rows->condition_count; i++) {
        const double x = value(&rows->conditions[i]);
        if (strcmp(rows->conditions[i].mode, mode) != 0 || isnan(x))
            continue;
        s.known++;
        s.least = fmin(s.least, x);
        s.mean += x;
        s.most = fmax(s.most, x);
    }
    s.mean = s.known ? s.mean / (double)s.known : NAN;
    return s;
}

#define VALUE(name, expression)                                                                    \
    static double name(const struct condition_row *row) {                                          \
        return expression;                                                                         \
    }
VALUE(unit_of, row != NULL)
VALUE(disturbed_of, row->disturbed)
VALUE(is_disturbed, isnan(row->disturbed) ? NAN : row->disturbed > 0)
VALUE(is_unsteady, strcmp(row->steady, "no") == 0)
VALUE(clock_least_of, row->sm_mhz_min)
VALUE(clock_mean_of, row->sm_mhz_mean)
VALUE(clock_most_of, row->sm_mhz_max)
VALUE(memory_clock_of, row->memory_mhz_mean)
VALUE(power_mean_of, row->power_w_mean)
VALUE(power_most_of, row->power_w_max)
VALUE(temperature_of, row->temperature_c_max)
VALUE(processes_of, row->processes)
VALUE(start_of, row->start_seconds)
VALUE(check_of, row->check_seconds)
VALUE(warmup_of, row->warmup_seconds)
VALUE(wall_of, row->wall_seconds)
VALUE(timed_of, row->timed_seconds)
#undef VALUE

/* Every different text of `throttle`, and of how many units. */
static void put_throttle(FILE *out, const struct rows *rows, const char *mode) {
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
        fputs(any ? "; " : " ", out);
        markdown_text(out, row->throttle);
        fprintf(out, " (%zu)", same);
        any = true;
    }
    fputs(any ? " |" : " " MARKDOWN_NOTHING " |", out);
}

/* A line of the table of conditions: what of the values over units is shown, and how. */
struct line {
    const char *name, *format;
    double (*value)(const struct condition_row *);
    enum { LEAST, MEAN, MOST, SUM } pick;
    double scale;
};

static const struct line lines[] = {
    {"units (a shape with a candidate)", "%.0f", unit_of, SUM, 1},
    {"units with disturbed blocks", "%.0f", is_disturbed, SUM, 1},
    {"share of blocks disturbed, mean", "%.2f %%", disturbed_of, MEAN, 100},
    {"most processes at once on the GPU", "%.0f", processes_of, MOST, 1},
    {"units not steady after the warm-up", "%.0f", is_unsteady, SUM, 1},
    {"SM clock, least", "%.0f MHz", clock_least_of, LEAST, 1},
    {"SM clock, mean", "%.0f MHz", clock_mean_of, MEAN, 1},
    {"SM clock, most", "%.0f MHz", clock_most_of, MOST, 1},
    {"memory clock, mean", "%.0f MHz", memory_clock_of, MEAN, 1},
    {"power, mean", "%.0f W", power_mean_of, MEAN, 1},
    {"power, most", "%.0f W", power_most_of, MOST, 1},
    {"temperature, most", "%.0f °C", temperature_of, MOST, 1},
    {"cost of a unit, mean: start and tuning", "%.2f s", start_of, MEAN, 1},
    {"… checks", "%.2f s", check_of, MEAN, 1},
    {"… warm-up", "%.2f s", warmup_of, MEAN, 1},
    {"… timing", "%.2f s", wall_of, MEAN, 1},
};

static void put_line(FILE *out, const struct rows *rows, const struct line *line,
                     const char *const *modes, size_t count) {
    fprintf(out, "| %s |", line->name);
    for (size_t m = 0; m < count; m++) {
        const struct summary s = summarise(rows, modes[m], line->value);
        const double picked[] = {
            [LEAST] = s.least, [MEAN] = s.mean, [MOST] = s.most, [SUM] = s.mean * (double)s.known};
        markdown_cell(out, line->format, line->scale * picked[line->pick]);
    }
    fputc('\n', out);
}

static void put_conditions(FILE *out, const struct rows *rows) {
    const char *modes[MODES];
    size_t count = 0;
    for (size_t i = 0; i < rows->condition_count; i++) {
        size_t m = 0;
        while (m < count && strcmp(modes[m], rows->conditions[i].mode) != 0)
            m++;
        if (m == count && count < MODES)
            modes[count++] = rows->conditions[i].mode;
    }
    fputs("\n### Conditions\n\n", out);
    if (count == 0) {
        fputs("Not recorded.\n", out);
        return;
    }
    fputs("| |", out);
    for (size_t m = 0; m < count; m++) {
        fputc(' ', out);
        markdown_text(out, modes[m]);
        fputs(" |", out);
    }
    fputs("\n| --- |", out);
    for (size_t m = 0; m < count; m++)
        fputs(" ---: |", out);
    fputc('\n', out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        put_line(out, rows, &lines[i], modes, count);
    fputs("| share of timing inside timed intervals |", out);
    for (size_t m = 0; m < count; m++)
        markdown_cell(out, "%.0f %%",
                      100 * summarise(rows, modes[m], timed_of).mean /
                          summarise(rows, modes[m], wall_of).mean);
    fputs("\n| throttle reasons seen (units) |", out);
    for (size_t m = 0; m < count; m++)
        put_throttle(out, rows, modes[m]);
    fputc('\n', out);
}

static double marked_of(const struct time_row *row) {
    return row->marked > MARKED_MOST ? row->marked : NAN;
}

static double upper_mode_of(const struct time_row *row) {
    return row->upper_mode;
}

/* The times that have the share, as a count and the first of them. */
static void put_times(FILE *out, const struct rows *rows, const char *what,
                      double (*share)(const struct time_row *)) {
    size_t count = 0;
    for (size_t i = 0; i < rows->time_count; i++)
        count += !isnan(share(&rows->times[i]));
    fprintf(out, "- %s: %zu of %zu%s", what, count, rows->time_count, count ? ": " : ".\n");
    size_t shown = 0;
    for (size_t i = 0; i < rows->time_count && shown < TIMES_SHOWN; i++) {
        const struct time_row *row = &rows->times[i];
        char shape[SHAPE_TEXT];
        if (isnan(share(row)))
            continue;
        fprintf(out, "%s%s ", shown++ ? ", " : "", shape_format(row->shape, shape));
        markdown_text(out, row->kernel);
        fprintf(out, " %s %s (%.0f %%)", row->lens, row->mode, 100 * share(row));
    }
    if (count)
        fputs(count > shown ? ", … (times.csv has all).\n" : ".\n", out);
}

void trust_write(FILE *out, const struct report *report) {
    fputs("\n## Can the numbers be trusted\n\n", out);
    trust_verdict(out, report);
    if (report->controls != CONTROLS_NONE)
        put_controls(out, report->rows);
    by_device_write(out, report);
    put_conditions(out, report->rows);
    if (report->rows->time_count == 0)
        return;
    fputs("\n### Times with something to know about\n\n", out);
    put_times(out, report->rows,
              "With more than 5 % of samples *marked*: host work outlasted the delay that should "
              "hide it, so that the device lens includes it",
              marked_of);
    put_times(out, report->rows, "With two clear modes (share of samples in the slower one)",
              upper_mode_of);
}
