#include "reports/gate/gate_verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"
#include "reports/gate/gate_replays.h"
#include "reports/run/controls.h"

/* Appends what printf would, cut where the reason is full. */
__attribute__((format(printf, 2, 3))) static void say(struct gate *gate, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_append_args(gate->reason, sizeof gate->reason, format, args);
    va_end(args);
}

/* After parts that were said before it. */
static const char *comma(const struct gate *gate) {
    return *gate->reason ? ", " : "";
}

/* The slowest of the status, or its first where none has a ratio; NULL without any. */
static const struct gate_row *worst_of(const struct gate *gate, enum gate_status status) {
    const struct gate_row *worst = NULL;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (row->status == status &&
            (!worst || row->ratio < worst->ratio || (isnan(worst->ratio) && !isnan(row->ratio))))
            worst = row;
    }
    return worst;
}

static void say_worst(struct gate *gate, enum gate_status status, const char *title) {
    const struct gate_row *row = worst_of(gate, status);
    char shape[SHAPE_TEXT];
    if (!row)
        return;
    say(gate, "; %s %s %.60s", title, shape_format(row->shape, shape), row->candidate);
    if (*row->lens)
        say(gate, " (%s, %s)", row->mode, row->lens);
    if (!isnan(row->ratio))
        say(gate, " takes %.2f %% %s time than %.60s%s%s", 100 * fabs(1 / row->ratio - 1),
            row->ratio < 1 ? "more" : "less", row->reference,
            *words_place_mark(row->place) ? ", " : "", words_place_mark(row->place));
    if (*row->text)
        say(gate, ": %.150s", row->text);
}

static void say_count(struct gate *gate, enum gate_status status) {
    if (gate->statuses[status])
        say(gate, "%s%zu %s", comma(gate), gate->statuses[status], gate_status_word(status));
}

/* Rows that were timed or should have been: they have a lens. */
static size_t timed_rows(const struct gate *gate) {
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        count += *gate->rows[i].lens != 0;
    return count;
}

static bool is_wrong(struct gate *gate) {
    if (!gate->statuses[GATE_WRONG])
        return false;
    say(gate, "%zu of %zu kernels wrong or dishonest", gate->statuses[GATE_WRONG], gate->units);
    say_worst(gate, GATE_WRONG, "the first:");
    return true;
}

/* Numbers that a kernel's own code may have had a hand in. */
static bool is_native(struct gate *gate) {
    size_t native = 0;
    for (size_t i = 0; i < gate->count; i++)
        native += *words_place_mark(gate->rows[i].place) != 0;
    if (gate->statuses[GATE_NATIVE]) {
        say(gate, "%zu of %zu rows were timed natively, which the policy refuses (native = refuse)",
            gate->statuses[GATE_NATIVE], gate->count);
        say_worst(gate, GATE_NATIVE, "the first:");
        return true;
    }
    if (native)
        gate_warn(gate,
                  "%zu of %zu rows are native: timed in the kernel's own process, since its work "
                  "cannot be recorded",
                  native, gate->count);
    return false;
}

static bool controls_failed(const struct rundir *run, struct gate *gate) {
    const char *verdict = json_string_value(rundir_find(run->manifest, "controls.verdict"));
    const char *why = json_string_value(rundir_find(run->manifest, "controls.why"));
    if (!verdict || strcmp(verdict, controls_word(CONTROLS_FAILED)) != 0)
        return false;
    say(gate, "the controls of %.200s failed, its timings cannot be trusted: %.200s", run->folder,
        why ? why : "");
    return true;
}

/* Disturbed rounds do not convict, but that they would have is not to go unheard. */
static void warn_slower(const struct gate_policy *policy, struct gate *gate) {
    const struct gate_row *worst = NULL;
    char shape[SHAPE_TEXT];
    size_t slower = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (row->status != GATE_ENVIRONMENT || !row->confirmed || !(row->p <= policy->alpha))
            continue;
        slower++;
        if (!worst || row->ratio < worst->ratio)
            worst = row;
    }
    if (worst)
        gate_warn(
            gate,
            "%zu of the disturbed rows would be confirmed slowdowns, and do not fail the gate; "
            "the worst: %s %.60s (%.60s, %.60s) takes %.2f %% more time than %.60s: gate again "
            "on a quiet machine",
            slower, shape_format(worst->shape, shape), worst->candidate, worst->mode, worst->lens,
            100 * (1 / worst->ratio - 1), worst->reference);
}

static bool is_disturbed(const struct gate_policy *policy, struct gate *gate) {
    const size_t rows = timed_rows(gate), disturbed = gate->statuses[GATE_ENVIRONMENT];
    if ((double)disturbed > policy->disturbed * (double)rows) {
        say(gate, "the machine was disturbed while %zu of %zu rows were timed", disturbed, rows);
        return true;
    }
    if (disturbed)
        gate_warn(gate, "%zu of %zu rows were disturbed, which the policy lets pass", disturbed,
                  rows);
    warn_slower(policy, gate);
    return false;
}

static bool is_regression(const struct gate_policy *policy, const char *unserved,
                          struct gate *gate) {
    static const enum gate_status bad[] = {GATE_SLOWER, GATE_BEHIND, GATE_MISSING};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        say_count(gate, bad[i]);
    if (*gate->reason)
        say(gate, " of %zu rows", gate->count);
    if (gate->coverage < policy->coverage)
        say(gate,
            "%s%.4g %% of the shapes have an honest kernel where the policy's coverage asks for "
            "%.4g %%: none for %s",
            comma(gate), 100 * gate->coverage, 100 * policy->coverage,
            *unserved ? unserved : "any");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (gate->statuses[bad[i]]) {
            say_worst(gate, bad[i], "the worst:");
            break;
        }
    return *gate->reason;
}

/* Kernels whose numbers rest on no replay, where the policy wants one of each. */
static void lack_replays(const struct gate_policy *policy, const struct rundir *run,
                         struct gate *gate) {
    struct gate_replays lacking;
    if (!policy->replay_required)
        return;
    gate_replays_find(run, &lacking);
    if (lacking.kernels > 0)
        say(gate,
            "%s%zu of %zu kernels are not confirmed by a replay, which the policy requires; "
            "the first: %s",
            comma(gate), lacking.kernels, gate->units, lacking.first);
}

static bool is_inconclusive(const struct gate_call *call, const struct rundir *run,
                            const struct gate_rows_about *about, struct gate *gate) {
    const enum gate_undecided undecided =
        call->for_release ? call->policy->on_release : call->policy->on_merge;
    if (about->unmeasured)
        say(gate, "%s%zu rows lack a baseline that they must beat", comma(gate), about->unmeasured);
    if (about->apart)
        say(gate,
            "%s%zu of %zu rows cannot be compared: the earlier kernel fails when it is timed "
            "beside the new one, but not when it is timed alone",
            comma(gate), about->apart, gate->count);
    const long long unseen = json_integer_value(json_object_get(run->plan, "left_out_changed"));
    if (unseen > 0)
        say(gate,
            "%s%lld changed kernel%s did not fit into the budget on any shape, so that nothing "
            "shows "
            "whether %s slower: give the gate more time",
            comma(gate), unseen, unseen == 1 ? "" : "s", unseen == 1 ? "it is" : "they are");
    if (about->gone)
        say(gate,
            "%s%zu kernel%s gone: nothing shows whether the kernel that serves the shape now is as "
            "fast; if it is the same kernel by another name, say so: --renamed OLD=NEW",
            comma(gate), about->gone, about->gone == 1 ? " is" : "s are");
    /* Kernels that are gone are told above, and no policy lets them pass. */
    const size_t open = gate->statuses[GATE_UNDECIDED] - about->gone;
    const bool too_many = (double)open > call->policy->undecided * (double)timed_rows(gate);
    if (open && (too_many || undecided == GATE_UNDECIDED_FAIL)) {
        say(gate, "%s%zu of %zu rows are undecided", comma(gate), open, gate->count);
        if (undecided != GATE_UNDECIDED_FAIL)
            say(gate, ", where the policy lets %.4g %% pass", 100 * call->policy->undecided);
        say_worst(gate, GATE_UNDECIDED, "the worst:");
    } else if (open && undecided == GATE_UNDECIDED_WARN) {
        gate_warn(gate, "%zu of %zu rows are undecided, which the policy lets pass", open,
                  gate->count);
    }
    if (about->gone && !open)
        say_worst(gate, GATE_UNDECIDED, "the first:");
    lack_replays(call->policy, run, gate);
    return *gate->reason;
}

/* Where neither an earlier kernel nor a library is to be compared with, only --absolute passes. */
static bool is_uncompared(const struct gate_call *call, size_t compared, struct gate *gate) {
    if (compared || call->policy->must_count > 0 || call->absolute)
        return false;
    if (gate->count == 0)
        say(gate, "no kernel was timed, and so nothing is compared");
    else
        say(gate, "there is nothing to compare with: all %zu rows are new", gate->count);
    say(gate, "; name the earlier kernels (--against), or a library that must be beaten "
              "([gate.must] of the policy), or ask for the checks alone (--absolute)");
    return true;
}

static void say_pass(size_t compared, struct gate *gate) {
    for (int status = GATE_STATUS_COUNT - 1; status >= 0; status--)
        say_count(gate, (enum gate_status)status);
    say(gate, "%s%zu rows%s", *gate->reason ? " of " : "", gate->count,
        compared ? "" : ": no kernel is wrong or dishonest, and nothing is compared");
}

/* A verdict is on what was measured; that something was not is told whatever it is. */
static void warn_left_out(const struct json_t *left_out, struct gate *gate) {
    const size_t count = gate->statuses[GATE_LEFT_OUT], shown = 3;
    char list[RUNDIR_TEXT] = "";
    for (size_t i = 0; i < count && i < shown; i++)
        text_append(list, sizeof list, "%s%.120s", i ? ", " : "",
                    json_string_value(json_array_get(left_out, i)));
    if (count > shown)
        text_append(list, sizeof list, " and %zu others", count - shown);
    if (count)
        gate_warn(gate,
                  "%zu of %zu kernels by shape did not fit into the budget and were left out, so "
                  "that the verdict says nothing of them: %.400s",
                  count, gate->units + count, list);
}

/* The first of these that holds. */
enum gate_verdict gate_verdict_find(const struct gate_case *of, const struct gate_rows_about *about,
                                    struct gate *gate) {
    const struct gate_policy *policy = of->call->policy;
    warn_left_out(json_object_get(of->run.plan, "left_out"), gate);
    if (*of->base.card)
        gate_warn(gate, "%s", of->base.card);
    if (is_wrong(gate) || is_native(gate))
        return GATE_VERDICT_WRONG;
    if (about->unbuilt) {
        say(gate, "this machine could not compile %zu of %zu kernels", about->unbuilt, gate->units);
        say_worst(gate, GATE_ENVIRONMENT, "the first:");
        return GATE_VERDICT_ENVIRONMENT;
    }
    if (about->starved) {
        say(gate, "this machine had too little device memory for %zu of %zu kernels",
            about->starved, gate->units);
        say_worst(gate, GATE_ENVIRONMENT, "the first:");
        return GATE_VERDICT_ENVIRONMENT;
    }
    if (controls_failed(&of->run, gate) || controls_failed(&of->confirm, gate) ||
        is_disturbed(policy, gate))
        return GATE_VERDICT_ENVIRONMENT;
    if (!of->base.comparable) {
        say(gate, "not measured under the conditions of %.150s: %.300s", of->base.name,
            of->base.why);
        return GATE_NOT_COMPARABLE;
    }
    if (is_regression(policy, about->unserved, gate))
        return GATE_REGRESSION;
    if (is_inconclusive(of->call, &of->run, about, gate))
        return GATE_INCONCLUSIVE;
    if (is_uncompared(of->call, about->compared, gate))
        return GATE_ERROR;
    say_pass(about->compared, gate);
    return GATE_PASS;
}
