#include "bench/run/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"

#define BAR 24

/* "1 h 02 min", "3 min 20 s" or "12 s". */
static void duration(double seconds, char text[32]) {
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, 32, "%ld h %02ld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(text, 32, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld s", s);
}

/* Time left, from the mean of the rounds done in this process. */
static void left(const struct progress *progress, char text[32]) {
    if (progress->done == 0) {
        snprintf(text, 32, "unknown");
        return;
    }
    double mean = (clock_seconds() - progress->started) / (double)progress->done;
    duration(mean * (double)(progress->total - progress->skipped - progress->done), text);
}

void progress_start(struct progress *progress, size_t units, int rounds, size_t there,
                    size_t begun) {
    *progress = (struct progress){.total = units * (size_t)rounds,
                                  .skipped = there * (size_t)rounds + begun,
                                  .started = clock_seconds(),
                                  .terminal = isatty(STDERR_FILENO)};
    if (progress->skipped == 0)
        return;
    fprintf(stderr, "resuming: %zu of %zu units are there already", there, units);
    if (begun)
        fprintf(stderr, ", and %zu of the %zu rounds of the others", begun,
                (units - there) * (size_t)rounds);
    fputc('\n', stderr);
}

void progress_unit(const struct progress *progress, const char *unit) {
    if (!progress->terminal)
        return;
    size_t at = progress->skipped + progress->done;
    int filled = (int)(at * BAR / progress->total);
    char eta[32];
    left(progress, eta);
    fprintf(stderr, "\r\033[K[%.*s%*s] %zu/%zu, %s left: %s", filled, "########################",
            BAR - filled, "", at, progress->total, eta, unit);
    fflush(stderr);
}

void progress_step(struct progress *progress, const char *unit, size_t rounds, bool ended,
                   const char *result) {
    char eta[32];
    progress->done += rounds;
    progress->units += ended;
    left(progress, eta);
    fprintf(stderr, "%s%zu/%zu %s: %s (%s left)\n", progress->terminal ? "\r\033[K" : "",
            progress->skipped + progress->done, progress->total, unit, result, eta);
}

/* The ratio that leads: by the device lens where there is one, and of those with a number the last,
 * which is to the strongest library. NULL: there is none. */
static const struct ratio_row *leading_ratio(const struct rows *rows) {
    const struct ratio_row *leading = NULL;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        const bool led = leading && strcmp(leading->lens, "device") == 0;
        if (!isnan(row->ratio) && (!led || strcmp(row->lens, "device") == 0))
            leading = row;
    }
    return leading;
}

void progress_summary(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]) {
    snprintf(text, RUNDIR_TEXT, "ok");
    for (size_t i = 0; i < rows->check_count; i++)
        if (strcmp(rows->checks[i].outcome, "ok") != 0)
            snprintf(text, RUNDIR_TEXT, "%s %.60s%s%.300s", rows->checks[i].kernel,
                     rows->checks[i].outcome, *rows->checks[i].detail ? ": " : "",
                     rows->checks[i].detail);
    const struct ratio_row *leading = unit->candidate ? leading_ratio(rows) : NULL;
    if (leading)
        snprintf(text, RUNDIR_TEXT, "%.3f of the speed of %s by %s, %s", leading->ratio,
                 leading->baseline, leading->lens, leading->mode);
}

void progress_end(const struct progress *progress) {
    char text[32];
    duration(clock_seconds() - progress->started, text);
    fprintf(stderr, "%zu units in %s\n", progress->units, text);
}
