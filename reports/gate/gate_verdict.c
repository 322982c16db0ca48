#include "reports/gate/gate_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "reports/gate/gate_words.h"
#include "reports/run/digests.h"

/* Appends what printf would, cut where the reason is full. */
__attribute__((format(printf, 2, 3))) static void say(struct gate *gate, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_append_args(gate->reason, sizeof gate->reason, format, args);
    va_end(args);
}

/* The same, behind a semicolon where it is not the first part. */
__attribute__((format(printf, 2, 3))) static void say_part(struct gate *gate, const char *format,
                                                           ...) {
    va_list args;
    say(gate, "%s", *gate->reason ? "; " : "");
    va_start(args, format);
    text_append_args(gate->reason, sizeof gate->reason, format, args);
    va_end(args);
}

/* Of the rows of the status the slowest that has a ratio, else the first; NULL without any. */
static const struct gate_row *find_worst(const struct gate *gate, enum gate_status status) {
    for (size_t i = 0; i < gate->count; i++)
        if (gate->rows[i].status == status)
            return &gate->rows[i];
    return NULL;
}

/* Rows that are undecided for want of a time, of which the policy says nothing: whatever took the time
 * away could hide a slowdown. */
static size_t count_untimed(const struct gate *gate) {
    size_t found = 0;
    for (size_t i = 0; i < gate->count; i++)
        found += gate->rows[i].status == GATE_UNDECIDED && gate->rows[i].why == GATE_UNTIMED;
    return found;
}

static void say_worst(struct gate *gate, enum gate_status status, const char *title) {
    const struct gate_row *row = find_worst(gate, status);
    char shape[SHAPE_TEXT];
    if (!row)
        return;
    say_part(gate, "%s %s %.60s", title, shape_format(row->shape, shape), row->candidate);
    if (*row->lens)
        say(gate, " (%s, %s)", row->mode, row->lens);
    say(gate, isfinite(row->ratio) ? " " : *row->text ? ": " : "");
    gate_append_why(row, 150, gate->reason, sizeof gate->reason);
}

/* "1 slower, 45 same, 2 faster (best: 24 % less time) of 48 rows". */
static void say_counts(struct gate *gate) {
    const char *between = "";
    char change[GATE_CHANGE];
    if (gate->count == 0)
        return;
    say_part(gate, "%s", "");
    for (int i = 0; i < GATE_STATUS_COUNT; i++) {
        const enum gate_status status = (enum gate_status)i;
        if (gate->statuses[i] == 0)
            continue;
        say(gate, "%s%zu %s", between, gate->statuses[i], gate_status_words[status]);
        if (status == GATE_FASTER || status == GATE_MAYBE_FASTER) {
            const struct gate_row *best = find_worst(gate, status) + gate->statuses[i] - 1;
            say(gate, " (best: %s)", gate_change(best->ratio, change));
        }
        between = ", ";
    }
    say(gate, " of %zu row%s", gate->count, gate->count == 1 ? "" : "s");
}

/* Whether there are kernels on shapes of which nothing more is asked. format: of how many, and of how many
 * in all. What became of the others follows: a slowdown beside a wrong kernel is not to be found out by
 * the next gate. */
static bool is_out(struct gate *gate, size_t kernels, enum gate_status status, const char *format) {
    if (kernels == 0)
        return false;
    say(gate, format, kernels, gate->units);
    say_worst(gate, status, "the first:");
    if (gate->count > gate->statuses[status])
        say_counts(gate);
    return true;
}

static void warn_by_call(struct gate *gate) {
    if (gate->by_call)
        gate_warn(gate,
                  "%zu of %zu rows are judged by call, since the kernel or the earlier one is "
                  "unrecorded: no device work bounds these numbers",
                  gate->by_call, gate->count);
}

/* Disturbed visits do not convict, but that they would have is not to go unheard. */
static void warn_slower(struct gate *gate) {
    const struct gate_row *worst = NULL;
    char shape[SHAPE_TEXT], change[GATE_CHANGE];
    size_t slower = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (row->status != GATE_ENVIRONMENT || !row->confirmed ||
            !(row->p <= gate->call.policy->alpha))
            continue;
        slower++;
        worst = worst ? worst : row; /* rows are sorted */
    }
    if (worst)
        gate_warn(
            gate,
            "%zu of the disturbed rows would be confirmed slowdowns, and do not fail the gate; "
            "the worst: %s %.60s (%.60s, %.60s) takes %s than %.60s: gate again on a quiet machine",
            slower, shape_format(worst->shape, shape), worst->candidate, worst->mode, worst->lens,
            gate_change(worst->ratio, change), worst->reference);
}

/* Why nothing that was timed can be trusted; "" where it can. */
static void find_unfit(const struct gate *gate, char unfit[RUNDIR_TEXT]) {
    const struct rundir *const stages[] = {&gate->run, &gate->confirm};
    const size_t disturbed = gate->statuses[GATE_ENVIRONMENT];
    *unfit = 0;
    for (size_t i = 0; i < 2 && !*unfit; i++) {
        const char *why = gate_run_unfit(stages[i]);
        if (why)
            snprintf(unfit, RUNDIR_TEXT,
                     "the controls of %.200s failed, its timings cannot be trusted: %.200s",
                     stages[i]->folder, why);
    }
    if (!*unfit && (double)disturbed > gate->call.policy->disturbed * (double)gate->timed)
        snprintf(unfit, RUNDIR_TEXT, "the machine was disturbed while %zu of %zu rows were timed",
                 disturbed, gate->timed);
}

/* Times that cannot be trusted convict no kernel. */
static void acquit(struct gate *gate) {
    for (size_t i = 0; i < gate->count; i++) {
        struct gate_row *row = &gate->rows[i];
        if (row->status != GATE_SLOWER && row->status != GATE_BEHIND)
            continue;
        row->status = GATE_ENVIRONMENT;
        snprintf(row->text, sizeof row->text, "its times would show a slowdown");
    }
    gate_sort(gate);
}

static void warn_disturbed(struct gate *gate) {
    if (gate->left_out)
        gate_warn(gate, "of %zu of %zu rows visits are left out: the machine was disturbed in them",
                  gate->left_out, gate->timed);
    if (gate->statuses[GATE_ENVIRONMENT])
        gate_warn(gate, "%zu of %zu rows were disturbed, which the policy lets pass",
                  gate->statuses[GATE_ENVIRONMENT], gate->timed);
    warn_slower(gate);
}

static bool is_regression(struct gate *gate) {
    static const enum gate_status bad[] = {GATE_SLOWER, GATE_BEHIND, GATE_MISSING};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (gate->statuses[bad[i]]) {
            say_counts(gate);
            say_worst(gate, bad[i], "the worst:");
            return true;
        }
    return false;
}

static bool lacks_coverage(struct gate *gate) {
    const double wanted = gate->call.policy->coverage;
    if (!(gate->coverage < wanted))
        return false;
    say_part(gate,
             "%.4g %% of the shapes have an honest kernel where the policy's coverage asks for "
             "%.4g %%: none for %s",
             100 * gate->coverage, 100 * wanted, *gate->unserved ? gate->unserved : "any");
    return true;
}

/* What the policy says of the rows that are undecided; of kernels that are gone it says nothing. */
static void judge_undecided(struct gate *gate, size_t open) {
    const struct gate_policy *policy = gate->call.policy;
    const enum gate_undecided undecided =
        gate->call.for_release ? policy->on_release : policy->on_merge;
    const size_t before = strlen(gate->reason), beyond = gate->beyond;
    if (open == 0)
        return;
    if (beyond)
        say_part(gate, "%zu undecided row%s slower than the margin allows by the whole interval",
                 beyond, beyond == 1 ? " is" : "s are");
    if (undecided == GATE_UNDECIDED_FAIL)
        say_part(gate, "the policy lets no row be undecided");
    else if ((double)open > policy->undecided * (double)gate->timed)
        say_part(gate, "the policy lets %.4g %% of the rows be undecided", 100 * policy->undecided);
    if (strlen(gate->reason) > before)
        say_worst(gate, GATE_UNDECIDED, "the worst:");
    else if (undecided == GATE_UNDECIDED_WARN)
        gate_warn(gate, "%zu of %zu rows are undecided, which the policy lets pass", open,
                  gate->count);
}

static bool is_inconclusive(struct gate *gate) {
    say_counts(gate);
    const size_t counts = strlen(gate->reason), untimed = count_untimed(gate);
    const size_t unbounded = gate->whys[GATE_UNBOUNDED], gone = gate->whys[GATE_GONE];
    if (untimed)
        say_part(
            gate,
            "%zu of %zu rows lack a time of a kernel that passed its checks: nothing shows how "
            "fast it is",
            untimed, gate->count);
    if (gate->unmeasured)
        say_part(gate, "%zu row%s a baseline that must be beaten", gate->unmeasured,
                 gate->unmeasured == 1 ? " lacks" : "s lack");
    if (unbounded)
        say_part(gate,
                 "%zu of %zu rows are bounded by nothing: no device work on the stage is known to "
                 "be that of the timed calls; `unrecorded = allow` has them judged",
                 unbounded, gate->count);
    if (gone)
        say_part(
            gate,
            "%zu kernel%s gone: nothing shows whether the kernel that serves the shape now is as "
            "fast; if it is the same kernel by another name, say so: --renamed OLD=NEW",
            gone, gone == 1 ? " is" : "s are");
    const size_t open = gate->statuses[GATE_UNDECIDED] - gone - untimed;
    judge_undecided(gate, open);
    if (gone + untimed && !open)
        say_worst(gate, GATE_UNDECIDED, "the first:");
    if (strlen(gate->reason) > counts)
        return true;
    *gate->reason = 0;
    return false;
}

/* Where no row is held against an earlier kernel or a library, only --absolute passes. */
static bool is_uncompared(struct gate *gate) {
    const bool named = *gate->base.name;
    if (gate->evidence_count > 0 || gate->call.absolute)
        return false;
    if (gate->count == 0)
        say(gate, "no kernel was timed, and so nothing is compared");
    else if (gate->whys[GATE_EARLIER_REFUSED] == gate->count) {
        say(gate, "there is nothing to compare with: every earlier kernel was refused");
        say_worst(gate, GATE_ADDED, "the first:");
    } else
        say(gate, "there is nothing to compare with: all %zu rows are new", gate->count);
    say_part(gate,
             "%sname a library that must be beaten ([gate.must] of the policy), or let the "
             "checks alone decide (--absolute)",
             named ? "" : "name the earlier kernels (--against), or ");
    return true;
}

static void say_pass(struct gate *gate) {
    say_counts(gate);
    if (*gate->beaten)
        say_part(gate, "%s", gate->beaten);
    if (!gate->compared)
        say_part(gate, "no kernel is refused, and no earlier kernel is compared with");
    say_worst(gate, GATE_UNDECIDED, "the worst that is undecided:");
}

/* The earlier run may be of another card. A run that was just measured has digests; one that was stored
 * or given may have lost them. */
static void warn_sources(struct gate *gate) {
    const struct rundir *const runs[] = {&gate->run, &gate->confirm, &gate->base.run};
    char why[RUNDIR_TEXT];
    if (gate->base.other_card)
        gate_warn(gate,
                  "%.150s was measured on another card (%.60s, here %.60s): by how much cards of "
                  "the model differ is not known, and counts as a difference of kernels; compare "
                  "with a run of this card, or with the earlier kernels themselves (--against SET)",
                  gate->base.name, gate->base.run.about.cards, gate->run.about.cards);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (runs[i]->folder && digests_lack(runs[i]->folder, why, sizeof why))
            gate_warn(gate, "%s", why);
}

/* The first of these that holds. */
enum gate_verdict gate_verdict_find(struct gate *gate) {
    char unfit[RUNDIR_TEXT];
    warn_sources(gate);
    find_unfit(gate, unfit);
    if (*unfit)
        acquit(gate);
    if (is_out(gate, gate->statuses[GATE_WRONG], GATE_WRONG,
               "%zu of %zu kernels on shapes refused") ||
        is_out(gate, gate->statuses[GATE_UNRECORDED], GATE_UNRECORDED,
               "%zu of %zu kernels on shapes are unrecorded, which the policy refuses; `unrecorded "
               "= allow` has them judged by call"))
        return GATE_VERDICT_WRONG;
    warn_by_call(gate);
    if (is_out(gate, gate->whys[GATE_UNBUILT], GATE_ENVIRONMENT,
               "this machine could not compile %zu of %zu kernels on shapes") ||
        is_out(gate, gate->whys[GATE_STARVED], GATE_ENVIRONMENT,
               "this machine had too little device memory for %zu of %zu kernels on shapes"))
        return GATE_VERDICT_ENVIRONMENT;
    if (*unfit) {
        say(gate, "%s", unfit);
        return GATE_VERDICT_ENVIRONMENT;
    }
    warn_disturbed(gate);
    if (!gate->base.comparable) {
        say(gate, "not measured under the conditions of %.150s: %.300s", gate->base.name,
            gate->base.why);
        return GATE_NOT_COMPARABLE;
    }
    const bool worse = is_regression(gate);
    if (lacks_coverage(gate) && !worse) {
        say_counts(gate);
        return GATE_COVERAGE;
    }
    if (worse)
        return GATE_REGRESSION;
    if (is_inconclusive(gate))
        return GATE_INCONCLUSIVE;
    if (is_uncompared(gate))
        return GATE_ERROR;
    say_pass(gate);
    return GATE_PASS;
}
