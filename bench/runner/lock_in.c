#include <stdio.h>
#include <unistd.h>

#include "bench/process/sandbox.h"
#include "bench/runner/runner.h"

/* Memory: all there is, so that a kernel that takes without end fails before the machine does. */
int runner_lock_in(struct runner *runner, char told[WIRE_TEXT]) {
    const struct sandbox_limits limits = {
        .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .file_bytes = (uint64_t)64 << 20,
        .descriptors = 4096,
    };
    struct sandbox_report report;
    if (runner->locked)
        return 0;
    if (sandbox_enter(SANDBOX_RUNNER, NULL, &limits, &report) < 0)
        return -1;
    runner->locked = true;
    snprintf(told, WIRE_TEXT, "no_new_privs limits %s%s%s%s", report.seccomp ? "seccomp " : "",
             report.landlock ? "landlock " : "", *report.missing ? "; missing: " : "",
             report.missing);
    return 0;
}
