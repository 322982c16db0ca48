/* gemmgate history. */
#include "reports/store/history.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_history(struct settings *settings) {
    struct shape shape;
    struct history_call call = {.store = settings->store,
                                .baseline = settings->baseline,
                                .figure = settings->figure,
                                .folder = settings->output,
                                .json = settings->json};
    if (!settings->shape && settings->figure)
        return error("--figure %s: of which shape? --shape MxNxK is wanted", settings->figure),
               EXIT_TROUBLE;
    if (settings->shape) {
        const char *wrong = shape_parse(settings->shape, &shape);
        if (wrong)
            return error("--shape %s: %s", settings->shape, wrong), EXIT_TROUBLE;
        call.shape = &shape;
    }
    return history_show(&call);
}
