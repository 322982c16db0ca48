#include "bench/process/confine.h"

#include <unistd.h>

#include "bench/process/sandbox.h"

int confine_compiler(const char *scratch) {
    /* Far beyond what a compile takes: only a runaway meets them. Time is a process's own, for one
     * that the builder cannot find and kill. */
    const struct sandbox_limits limits = {
        .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .file_bytes = (uint64_t)4 << 30,
        .descriptors = 1024,
        .cpu_s = 2 * 3600,
    };
    struct sandbox_report report;
    return sandbox_enter(SANDBOX_COMPILER, scratch, &limits, &report);
}
