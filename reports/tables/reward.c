#include "reports/tables/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/jsonfile.h"
#include "reports/rows/derive.h"
#include "reports/run/opened.h"
#include "reports/tables/reference.h"

static int has_baseline(const struct rows *rows, const char *name) {
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (strcmp(rows->ratios[i].baseline, name) == 0)
            return 1;
    return 0;
}

static int print_line(json_t *line) {
    return jsonfile_print(stdout, line, 9, JSON_COMPACT, "a line of rewards");
}

static int print_measured(const struct rows *rows, const struct ratio_row *ratio, double alpha,
                          double beta) {
    const struct check_row *check =
        rows_check(rows, ratio->shape, ratio->candidate, ratio->candidate);
    const double diff = check ? check->deviation : NAN;
    const double length = check && isfinite(check->code_length) ? check->code_length : 0;
    char shape[SHAPE_TEXT];
    return print_line(json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:f, s:o}", "shape", shape_format(ratio->shape, shape),
        "candidate", ratio->candidate, "mode", ratio->mode, "baseline", ratio->baseline, "outcome",
        "ok", "ratio", jsonfile_number(1 + ratio->speedup), "diff", jsonfile_number(diff), "length",
        length, "reward",
        jsonfile_number(derive_reward(1 + ratio->speedup, diff, length, alpha, beta))));
}

static int print_refused(const struct check_row *check) {
    char shape[SHAPE_TEXT];
    return print_line(json_pack("{s:s, s:s, s:s, s:s, s:n}", "shape",
                                shape_format(check->shape, shape), "candidate", check->candidate,
                                "outcome", check->outcome, "detail", check->detail, "reward"));
}

static int print(const char *run, const struct rows *rows, const char *baseline, double alpha,
                 double beta) {
    int status = 0;
    const char *best = NULL;
    for (size_t i = 0; i < rows->ratio_count; i++)
        if (reference_before(REFERENCE_OPPONENT, rows->ratios[i].baseline, best))
            best = rows->ratios[i].baseline;
    baseline = baseline ? baseline : best;
    if (rows->ratio_count && (!baseline || !has_baseline(rows, baseline)))
        status = error("%s holds no ratio over %s; --baseline names another", run,
                       baseline ? baseline : "a known baseline");
    for (size_t i = 0; i < rows->ratio_count && status == 0; i++)
        if (strcmp(rows->ratios[i].baseline, baseline) == 0 &&
            strcmp(rows->ratios[i].lens, "call") == 0)
            status = print_measured(rows, &rows->ratios[i], alpha, beta);
    for (size_t i = 0; i < rows->check_count && status == 0; i++)
        if (rows_fate(&rows->checks[i]) == ROWS_REFUSED &&
            strcmp(rows->checks[i].kernel, rows->checks[i].candidate) == 0)
            status = print_refused(&rows->checks[i]);
    return status;
}

int reward_print(const char *folder, const char *baseline, double alpha, double beta) {
    struct rundir run;
    const int status = rundir_open(folder, &run) < 0 || rundir_read(&run) < 0
                           ? -1
                           : print(folder, &run.rows, baseline, alpha, beta);
    rundir_close(&run);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
