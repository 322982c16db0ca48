/* The commands that work on files of results and measure nothing: agree, winners, report, verify,
 * merge, import, baseline and history. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/command/commands.h"
#include "bench/command/options/option_table.h"
#include "bench/command/options/settings_plan.h"
#include "reports/gate/winners.h"
#include "reports/import/import.h"
#include "reports/page/document.h"
#include "reports/report/report.h"
#include "reports/run/verify.h"
#include "reports/store/history.h"
#include "reports/store/store.h"
#include "reports/tables/agree.h"

int command_agree(struct settings *settings) {
    const size_t count = settings->argument_count;
    struct rundir *runs = rundir_open_all(settings->arguments, count);
    struct agree agree = {0};
    int status = runs ? agree_read(runs, count, false, &agree) : EXIT_TROUBLE;
    if (status == EXIT_PASS)
        status = listing_print(settings, agree_page(&agree), NULL);
    agree_free(&agree);
    rundir_close_all(runs, count);
    return status;
}

/* The word of the only bit; NULL: there is none. */
static const char *word_of(int bits, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (bits & 1 << i)
            return words[i];
    return NULL;
}

int command_winners(struct settings *settings) {
    struct document *page;
    struct gate_policy policy;
    if (settings->modes & (settings->modes - 1) ||
        settings->plan.lenses & (settings->plan.lenses - 1))
        return error("winners: one mode and one lens are wanted, since a shape has one winner"),
               EXIT_TROUBLE;
    settings_margins(settings, &policy);
    const struct winners_call call = {.runs = settings->arguments,
                                      .count = settings->argument_count,
                                      .mode = word_of(settings->modes, words_modes, MODE_COUNT),
                                      .lens =
                                          word_of(settings->plan.lenses, words_lenses, LENS_COUNT),
                                      .policy = &policy,
                                      .folder = settings->output};
    const int status = winners_make(&call, &page);
    gate_policy_free(&policy);
    return status == EXIT_PASS ? listing_print(settings, page, "winners") : status;
}

/* RUN --again RUN2 RUN3 ...: RUN and RUN3 ... are arguments. */
int command_report(struct settings *settings) {
    const size_t count = settings->argument_count;
    if (count > 1 && !settings->again)
        return error("%s: one run is wanted; others of its plan stand after --again",
                     settings->arguments[1]),
               EXIT_TROUBLE;
    const char **runs = need(count + 1, sizeof *runs);
    runs[0] = settings->arguments[0];
    runs[1] = settings->again;
    for (size_t i = 1; i < count; i++)
        runs[i + 1] = settings->arguments[i];
    const int status = report_make(&(struct report_call){.runs = runs,
                                                         .count = settings->again ? count + 1 : 1,
                                                         .claims_file = settings->claims,
                                                         .published = settings->published,
                                                         .sqlite = settings->sqlite});
    free(runs);
    return status;
}

static int print_json(const struct settings *settings, struct rundir *run) {
    struct verify_counts counts;
    if (verify_count(run, &counts) < 0)
        return EXIT_TROUBLE;
    const size_t cells[] = {counts.units, counts.timed,   counts.missing,     counts.lost,
                            counts.rows,  counts.samples, counts.differences, counts.changed};
    struct document *page = document_new("gemmgate verify");
    document_facts(page, NULL);
    document_fact(page, "run", run->folder);
    document_table(page, "counts", NULL);
    document_columns(page, "units||count", "timed||count", "missing||count", "lost||count",
                     "rows||count", "samples||count", "differences||count", "changed||count", NULL);
    document_row(page);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        document_number(page, (double)cells[i]);
    const int status = listing_print(settings, page, NULL);
    return status == EXIT_PASS ? verify_status(&counts) : status;
}

int command_verify(struct settings *settings) {
    struct rundir run;
    int status = EXIT_TROUBLE;
    if (rundir_open(settings->arguments[0], &run) == 0)
        status = settings->json ? print_json(settings, &run) : verify_run(&run);
    rundir_close(&run);
    return status;
}

int command_merge(struct settings *settings) {
    const int status = merge_runs(settings->arguments, settings->argument_count, settings->output);
    if (status == EXIT_PASS)
        text_print_line(stdout, "%s", settings->output);
    return status;
}

int command_import_cuda_l2(struct settings *settings) {
    if (!settings->offline && !settings->server)
        return error("import cuda-l2: --offline FILE or --server FILE is wanted"), EXIT_TROUBLE;
    return import_cuda_l2(settings->offline, settings->server, settings->output);
}

int command_import(struct settings *settings) {
    return import_times(settings->arguments[0], settings->arguments[1], settings->plan.element,
                        settings_accumulates[settings->accumulate], settings->output);
}

int command_baseline_promote(struct settings *settings) {
    struct store_entry entry = {0};
    char now[CLOCK_UTC];
    clock_utc(now);
    const int status = store_promote(settings->store, settings->arguments[0], settings->name,
                                     settings->force, now, &entry);
    if (status == 0)
        text_print_line(stdout, "promoted as %s (fingerprint %s): %zu shape%s, %lld visits",
                        entry.name, entry.run.fingerprint.key, entry.shapes,
                        entry.shapes == 1 ? "" : "s",
                        json_integer_value(json_object_get(entry.run.plan, "visits")));
    store_entry_close(&entry);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}

int command_baseline_list(struct settings *settings) {
    struct store store;
    int status = store_open(settings->store, &store) < 0 ? EXIT_TROUBLE : EXIT_PASS;
    if (status == EXIT_PASS) {
        struct document *page = document_new("");
        sqlite3 *db = query_open();
        store_load(db, &store);
        query_table(page, "entries", NULL, query_ask(db, query_entries, NULL));
        sqlite3_close(db);
        status = listing_print(settings, page, "entries");
    }
    store_close(&store);
    return status;
}

int command_history(struct settings *settings) {
    return history_show(settings->store, settings->baseline, settings->output, settings->json);
}
