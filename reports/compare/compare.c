#include "reports/compare/compare.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "reports/compare/absent.h"
#include "reports/compare/comparison.h"
#include "reports/page/writers.h"
#include "reports/run/verify.h"
#include "reports/tables/reference.h"

/* Whether both have measured something against it. */
static bool in_both(const struct pairs *old, const struct pairs *new_, const char *reference) {
    for (size_t i = 0; i < new_->count; i++)
        if (strcmp(new_->list[i].reference, reference) == 0 &&
            pairs_find(old, &new_->list[i], reference))
            return true;
    return false;
}

/* The baseline through which two runs are compared where none is named; NULL: both have measured none. */
static const char *choose_baseline(const struct pairs *old, const struct pairs *new_) {
    const char *best = NULL;
    for (size_t i = 0; i < new_->count; i++) {
        const struct pair *pair = &new_->list[i];
        if (reference_before(REFERENCE_LINK, pair->reference, best) &&
            pairs_find(old, pair, pair->reference))
            best = pair->reference;
    }
    return best;
}

/* Returns an exit status. */
static int compare_two(const struct compare_call *call, const struct rundir *now,
                       struct rundir *before, struct comparison *comparison) {
    const struct pairs *new_ = &now->speeds, *old = &before->speeds;
    char text[1024];
    if (rundir_open(call->old, before) < 0 || verify_speeds(before) < 0)
        return EXIT_TROUBLE;
    pairs_rename_set(&before->speeds, before->about.set, now->about.set);
    if (fingerprint_differ(&now->fingerprint, &before->fingerprint, text, sizeof text) > 0) {
        error("%s and %s cannot be compared: %s", call->run, call->old, text);
        return EXIT_NOT_COMPARABLE;
    }
    const char *baseline = call->baseline ? call->baseline : choose_baseline(old, new_);
    if (call->baseline && !in_both(old, new_, call->baseline)) {
        error("--baseline %s: %s and %s have no kernel measured against it; without the option the "
              "best library of both is taken",
              call->baseline, call->old, call->run);
        return EXIT_TROUBLE;
    }
    if (!baseline) {
        error("%s and %s have no kernel that both have measured on one shape against one library",
              call->old, call->run);
        return EXIT_NOT_COMPARABLE;
    }
    comparison_crossed(old, new_, baseline, call->policy, comparison);
    absent_crossed(before, now, baseline, comparison);
    return EXIT_PASS;
}

static int write_files(const char *folder, const struct document *page) {
    return write_file(folder, "compare.csv", page, "shapes") < 0 ||
                   write_file(folder, "compare.md", page, NULL) < 0 ||
                   write_file(folder, "compare.html", page, NULL) < 0
               ? -1
               : 0;
}

/* Into the folder, unless it is "", and to stdout. A comparison without a picture is one all the
 * same: gnuplot may be missing. */
static int show(const struct comparison *comparison, const char *folder, bool json) {
    static struct comparison_total totals[COMPARISON_TOTALS];
    if (*folder && files_make_folder(folder) < 0)
        return -1;
    const bool drawn = *folder && comparison_draw(folder, comparison) > 0;
    const int count = comparison_totals(comparison, totals);
    struct document *page =
        count < 0 ? NULL : comparison_page(comparison, totals, (size_t)count, drawn);
    int status = count < 0 ? -1 : 0;
    if (status == 0 && *folder)
        status = write_files(folder, page);
    if (status == 0)
        status = json ? write_json(stdout, page) : write_text(stdout, page);
    if (status == 0 && *folder && !json) {
        text_print_line(stdout, "%s", "");
        text_print_line(stdout, "%s/compare.md", folder);
        text_print_line(stdout, "%s/compare.html", folder);
    }
    document_free(page);
    return status;
}

/* Why a run has nothing to compare: it had no earlier set, or no kernel of that by the same name.
 */
static void tell_no_rows(const struct rundir *run) {
    const json_t *removed = json_object_get(run->plan, "removed");
    if (!json_is_object(json_object_get(run->plan, "previous")))
        error("%s holds no earlier release: it was not made with --against", run->folder);
    else if (json_array_size(removed) > 0)
        error(
            "%s: no kernel of the earlier set has the name of one of the new set, so that none is "
            "compared; %zu of the earlier set are not in the new one, the first: %s; a kernel is "
            "compared with the one of its file's name",
            run->folder, json_array_size(removed), json_string_value(json_array_get(removed, 0)));
    else
        error("%s: no kernel was timed beside an earlier one that passed its checks; see "
              "%s/checks.csv",
              run->folder, run->folder);
}

/* The last line says what is not compared. What became of the new release's kernels makes the status
 * where that is asked for, or where nothing is compared. */
static int conclude(const struct compare_call *call, const struct comparison *comparison,
                    int status) {
    const int worst = rows_tested_status(&comparison->tested);
    char text[COMPARISON_UNCOMPARED];
    if (status == EXIT_TROUBLE || !comparison_uncompared(comparison, text))
        return status;
    if (call->fail_on_refused && worst != EXIT_PASS)
        status = worst;
    else if (status == EXIT_PASS && comparison->count == 0)
        status = worst == EXIT_ENVIRONMENT ? worst : EXIT_TROUBLE;
    if (status == EXIT_PASS)
        warning("%s: %s", call->run, text);
    else
        error("%s: %s", call->run, text);
    return status;
}

int compare_make(const struct compare_call *call) {
    struct rundir run, old = {0};
    struct comparison comparison = {0};
    char folder[PATH_MAX] = "";
    int status = EXIT_TROUBLE;
    if (rundir_open(call->run, &run) < 0 || verify_speeds(&run) < 0)
        goto done;
    status = EXIT_PASS;
    if (call->old)
        status = compare_two(call, &run, &old, &comparison);
    else {
        comparison_paired(&run.speeds, call->policy, &comparison);
        absent_paired(&run, &comparison);
    }
    unserved_find(&run.rows, run.plan, &comparison.unserved);
    comparison.new_rows = &run.rows;
    comparison.tested = rows_tested(&run.rows, NULL);
    comparison.now = &run;
    comparison.before = call->old ? &old : NULL;
    if (status != EXIT_PASS)
        goto done;
    status = EXIT_TROUBLE;
    if (!call->old && comparison.count == 0 &&
        rows_tested_status(&comparison.tested) == EXIT_PASS) {
        tell_no_rows(&run);
        goto done;
    }
    if (call->folder)
        snprintf(folder, sizeof folder, "%s", call->folder);
    else if (!call->old && files_join(folder, call->run, "compare") < 0)
        goto done;
    status = show(&comparison, folder, call->json) < 0 ? EXIT_TROUBLE : EXIT_PASS;
done:
    status = conclude(call, &comparison, status);
    comparison_free(&comparison);
    rundir_close(&old);
    rundir_close(&run);
    return status;
}
