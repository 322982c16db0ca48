/* gemmgate factors: from one number to another, step by step. */
#include "reports/factors/factors_page.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_factors(struct settings *settings) {
    struct document *page;
    const int status =
        factors_page_make(settings->arguments, settings->argument_count, settings->output, &page);
    return status == EXIT_PASS ? listing_print(settings, page, NULL) : status;
}
