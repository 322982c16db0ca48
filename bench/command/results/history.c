/* gemmgate history. */
#include "reports/store/history.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_history(struct settings *settings) {
    struct shape shape;
    if (!settings->shape && settings->figure)
        return error("--figure %s: of which shape? --shape MxNxK is wanted", settings->figure),
               EXIT_TROUBLE;
    if (!settings->shape)
        return history_show(settings->store, NULL, settings->baseline, NULL, settings->json);
    const char *wrong = shape_parse(settings->shape, &shape);
    if (wrong)
        return error("--shape %s: %s", settings->shape, wrong), EXIT_TROUBLE;
    return history_show(settings->store, &shape, settings->baseline, settings->figure,
                        settings->json);
}
