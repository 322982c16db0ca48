/* gemmgate report. */
#include "reports/report/report.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/report/shape_report.h"

int command_report(struct settings *settings) {
    if (!settings->shape)
        return report_make(settings->arguments[0], settings->claims, settings->published,
                           settings->again);
    if (settings->claims || settings->published || settings->again)
        return error("--shape %s: the page of one shape has no claims, no published results and no "
                     "second run",
                     settings->shape),
               EXIT_TROUBLE;
    return shape_report_make(settings->arguments[0], settings->shape);
}
