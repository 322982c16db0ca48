/* Runner: other releases of libraries. */
#include <stdio.h>

#include "baselines/release.h"
#include "bench/runner/requests/requests.h"

void runner_library(struct runner *runner, const struct wire_library *request,
                    struct wire_reply *reply) {
    (void)runner;
    struct wire_library_reply *told = &reply->library;
    struct release release;
    char why[RELEASE_WHY];
    if (release_load(request->folder, *request->cache ? request->cache : NULL, &release, why) < 0) {
        runner_fault(reply, why);
        return;
    }
    snprintf(told->library, sizeof told->library, "%s", release.library);
    snprintf(told->release, sizeof told->release, "%s", release.name);
    if ((size_t)snprintf(told->folder, sizeof told->folder, "%s", release.folder) >=
        sizeof told->folder)
        runner_fault(reply, "the path of its folder is too long");
}
