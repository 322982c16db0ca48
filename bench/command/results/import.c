/* gemmgate import cuda-l2. */
#include "reports/run/import.h"

#include "bench/base/error.h"
#include "bench/command/commands.h"

int command_import_cuda_l2(struct settings *settings) {
    if (!settings->offline && !settings->server)
        return error("import cuda-l2: --offline FILE or --server FILE is wanted"), EXIT_TROUBLE;
    return import_cuda_l2(settings->offline, settings->server, settings->output);
}
