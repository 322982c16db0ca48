/* gemmgate verify. */
#include "reports/run/verify.h"

#include "bench/command/commands.h"

int command_verify(struct settings *settings) {
    return verify_run(settings->arguments[0]);
}
