/* gemmgate agree: how far runs of one plan agree. */
#include "reports/tables/agree.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_agree(struct settings *settings) {
    struct document *page;
    const int status = agree_make(settings->arguments, settings->argument_count, &page);
    return status == EXIT_PASS ? listing_print(settings, page, NULL) : status;
}
