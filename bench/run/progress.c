#include "bench/run/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "reports/pairs/pairs.h"

/* After so long a line is printed, so that a run of long visits does not seem to hang. */
#define SILENT_SECONDS 60

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

static size_t *done_of(const struct progress *progress, int visit) {
    return &progress->done[visit - WORK_CHECKS];
}

/* Checks and visits that are still to be made. */
static void count_left(const struct progress *progress, double *checks, double *visits) {
    *checks = (double)(progress->units - *done_of(progress, WORK_CHECKS));
    *visits = 0;
    for (int i = 0; i < progress->visits; i++)
        *visits += (double)(progress->units - *done_of(progress, i));
}

/* By the mean of what this run has made; NAN where it has made none. */
static double reckon(const struct progress_spent *spent, double left) {
    return left > 0 ? left * spent->seconds / (double)spent->count : 0;
}

/* Seconds left; negative: unknown. */
static double seconds_left(const struct progress *progress) {
    double checks, visits;
    count_left(progress, &checks, &visits);
    const double seconds = reckon(&progress->checked, checks) + reckon(&progress->visited, visits);
    return isfinite(seconds) ? seconds : -1;
}

/* "3 min 20 s left". */
static void left(const struct progress *progress, char text[64]) {
    const double seconds = seconds_left(progress);
    char time[32] = "unknown time";
    if (seconds >= 0)
        duration(seconds, time);
    snprintf(text, 64, "%s left", time);
}

/* ", ends 14:32", by the clock of this place; "" where it is not known. */
static void ends(const struct progress *progress, char text[32]) {
    const double seconds = seconds_left(progress);
    const time_t end = time(NULL) + (time_t)seconds;
    struct tm local;
    *text = 0;
    if (seconds >= 0)
        strftime(text, 32, ", ends %H:%M", localtime_r(&end, &local));
}

void progress_start(struct progress *progress, const struct work_list *list, int visits) {
    *progress = (struct progress){.units = list->mine,
                                  .visits = visits,
                                  .done = need((size_t)visits + 1, sizeof *progress->done),
                                  .started = clock_seconds(),
                                  .terminal = text_columns(stderr)};
    progress->told = progress->started;
    for (int i = WORK_CHECKS; i < visits; i++)
        *done_of(progress, i) = list->mine;
    for (size_t i = 0; i < list->count; i++)
        --*done_of(progress, list->items[i].visit);
    if (list->there + list->visits == 0)
        return;
    char others[96] = "";
    if (list->visits)
        snprintf(others, sizeof others, ", and %zu of the %zu visits of the others", list->visits,
                 (list->mine - list->there) * (size_t)visits);
    text_print_line(stderr, "resuming: %zu of %zu units are there already%s", list->there,
                    list->mine, others);
}

/* "checks, 17/1000", "visit 2 of 4, 17/1000", or "17/1000" where there is one visit. */
static void place(const struct progress *progress, int visit, char text[96]) {
    char of[48] = "";
    if (visit == WORK_CHECKS)
        snprintf(of, sizeof of, "checks, ");
    else if (progress->visits > 1)
        snprintf(of, sizeof of, "visit %d of %d, ", visit + 1, progress->visits);
    snprintf(text, 96, "%s%zu/%zu", of, *done_of(progress, visit), progress->units);
}

/* The line that moves. */
static void move_line(const struct progress *progress, const char *unit, int visit) {
    char at[96], eta[64], end[32], line[RUNDIR_TEXT + 256];
    place(progress, visit, at);
    left(progress, eta);
    ends(progress, end);
    snprintf(line, sizeof line, "%s, %s%s: %s", at, eta, end, unit);
    clean_text(line);
    fprintf(stderr, "\r\033[K%.*s", progress->terminal - 1, line);
    fflush(stderr);
    error_line_moves(1);
}

void progress_unit(const struct progress *progress, const char *unit, int visit) {
    if (progress->terminal)
        move_line(progress, unit, visit);
}

/* A line that stays. */
static void leave_line(struct progress *progress, const struct progress_turn *turn) {
    char eta[64], at[96];
    left(progress, eta);
    place(progress, turn->visit, at);
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    text_print_line(stderr, "%s %s: %s (%s)", at, turn->unit, turn->result, eta);
    error_line_moves(0);
    progress->told = clock_seconds();
}

void progress_step(struct progress *progress, const struct progress_turn *turn) {
    struct progress_spent *spent =
        turn->visit == WORK_CHECKS ? &progress->checked : &progress->visited;
    spent->seconds += turn->seconds;
    spent->count++;
    progress->ended += turn->ended;
    for (int i = turn->visit; i < (turn->ended ? progress->visits : turn->visit + 1); i++)
        ++*done_of(progress, i);
    const bool ends = *done_of(progress, turn->visit) == progress->units;
    if (turn->refused ||
        (!progress->terminal && (ends || clock_seconds() - progress->told >= SILENT_SECONDS)))
        leave_line(progress, turn);
    else if (progress->terminal)
        move_line(progress, turn->unit, turn->visit);
}

/* The leading ratio has the highest rank: a ratio to the earlier release, then one by the device
 * lens. Of several the last one leads, which is to the strongest library. */
static int rank(const struct ratio_row *row) {
    return 2 * (strcmp(row->baseline, RUNDIR_PREVIOUS) == 0) + (strcmp(row->lens, "device") == 0);
}

/* NULL: no ratio has a number. */
static const struct ratio_row *leading_ratio(const struct rows *rows) {
    const struct ratio_row *leading = NULL;
    for (size_t i = 0; i < rows->ratio_count; i++) {
        const struct ratio_row *row = &rows->ratios[i];
        if (!isnan(row->ratio) && (!leading || rank(row) >= rank(leading)))
            leading = row;
    }
    return leading;
}

bool progress_summary(const struct unit *unit, const struct rows *rows, char text[RUNDIR_TEXT]) {
    bool refused = false;
    snprintf(text, RUNDIR_TEXT, "ok");
    for (size_t i = 0; i < rows->check_count; i++) {
        const struct check_row *row = &rows->checks[i];
        const enum rows_fate fate = rows_fate(row);
        const bool under_test = strcmp(row->kernel, row->candidate) == 0;
        if (fate == ROWS_PASSED || (fate == ROWS_UNSUPPORTED && !under_test))
            continue;
        refused |= fate != ROWS_UNSUPPORTED;
        snprintf(text, RUNDIR_TEXT, "%s %.60s%s", row->kernel, row->outcome,
                 *row->detail ? ": " : "");
        text_append_brief(text, RUNDIR_TEXT, row->detail, 300);
    }
    const struct ratio_row *leading = unit->candidate ? leading_ratio(rows) : NULL;
    if (leading)
        snprintf(text, RUNDIR_TEXT, "%.3f of the speed of %s by %s, %s", leading->ratio,
                 strcmp(leading->baseline, RUNDIR_PREVIOUS) == 0 ? "the earlier set"
                                                                 : leading->baseline,
                 leading->lens, leading->mode);
    return refused;
}

void progress_end(const struct progress *progress) {
    char text[32];
    duration(clock_seconds() - progress->started, text);
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    text_print_line(stderr, "%zu unit%s in %s", progress->ended, progress->ended == 1 ? "" : "s",
                    text);
    error_line_moves(0);
}

void progress_free(struct progress *progress) {
    free(progress->done);
    progress->done = NULL;
}
