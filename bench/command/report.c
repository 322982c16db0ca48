/* gemmgate report. */
#include "reports/report/report.h"

#include "bench/command/commands.h"

int command_report(struct settings *settings) {
    return report_make(settings->arguments[0], settings->claims, settings->published,
                       settings->again);
}
