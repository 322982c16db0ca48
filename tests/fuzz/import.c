/* The CUDA-L2 release's results, a file a mode, become a run that can be read. */
#include "reports/import/import.h"

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/read_run.h"

void fuzz_import(const uint8_t *data, size_t size) {
    static const char *const names[] = {"offline.csv", "server.csv"};
    struct fuzz_part parts[2];
    struct rows rows = {0};
    const char *run = fuzz_path("run");
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    int status =
        import_cuda_l2(fuzz_path(names[0]), parts[1].data ? fuzz_path(names[1]) : NULL, run);
    fuzz_promise(status == EXIT_PASS || status == EXIT_TROUBLE);
    fuzz_promise((read_rows(run, &rows) == 0) == (status == EXIT_PASS));
    fuzz_promise(status != EXIT_PASS || rows.ratio_count > 0);
    fuzz_read += status == EXIT_PASS;
    rows_free(&rows);
    files_remove_tree(run);
}
