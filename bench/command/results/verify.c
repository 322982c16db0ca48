/* gemmgate verify. */
#include "reports/run/verify.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/page/document.h"

static int print_json(const struct settings *settings) {
    static const char *const names[] = {"units", "timed",   "missing",    "lost",
                                        "rows",  "samples", "differences"};
    struct verify_counts counts;
    if (verify_count(settings->arguments[0], &counts) < 0)
        return EXIT_TROUBLE;
    const size_t values[] = {counts.units, counts.timed,   counts.missing,    counts.lost,
                             counts.rows,  counts.samples, counts.differences};
    struct document *page = document_new("gemmgate verify");
    document_facts(page, NULL);
    document_fact(page, "run", settings->arguments[0]);
    document_table(page, "counts", NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        document_column(page, (struct document_column){.name = names[i], .type = DOCUMENT_COUNT});
    document_row(page);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        document_count(page, values[i]);
    const int status = listing_print(settings, page, NULL);
    return status == EXIT_PASS ? verify_status(&counts) : status;
}

int command_verify(struct settings *settings) {
    return settings->json ? print_json(settings) : verify_run(settings->arguments[0]);
}
