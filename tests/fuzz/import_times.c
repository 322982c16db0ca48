/* What other tools print becomes a run that can be read. The first byte is 0, 1 or 2, for the tool. */
#include "reports/import/import.h"

#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/read_run.h"

void fuzz_import_times(const uint8_t *data, size_t size) {
    static const char *const tools[] = {"cutlass_profiler", "nvbench", "triton"};
    const char *run = fuzz_path("run"), *tool = tools[size > 0 ? data[0] % 3 : 0];
    const size_t name = size > 0 ? 1 : 0;
    struct rows rows = {0};
    const char *file = fuzz_put("file", data + name, size - name);
    const int status = import_times(tool, file, ELEMENT_F16, "f32", run);
    fuzz_promise(status == EXIT_PASS || status == EXIT_TROUBLE);
    fuzz_promise((read_rows(run, &rows) == 0) == (status == EXIT_PASS));
    fuzz_promise(status != EXIT_PASS || rows.time_count > 0);
    fuzz_read += status == EXIT_PASS;
    rows_free(&rows);
    files_remove_tree(run);
}
