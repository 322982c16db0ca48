/* What one of the CUDA-L2 release's scripts has written becomes a run that can be read. */
#include "reports/run/import.h"

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/run/rundir.h"
#include "tests/fuzz/fuzz.h"

void fuzz_harness(const uint8_t *data, size_t size) {
    struct rows rows = {0};
    if (files_make_folder(fuzz_path("harness/1/64_64_64")) < 0)
        return;
    fuzz_put("harness/1/64_64_64/benchmark_result_matmul.json", data, size);
    const int status = import_cuda_l2(fuzz_path("harness"), NULL, fuzz_path("run"));
    fuzz_promise(status == EXIT_PASS || status == EXIT_TROUBLE);
    fuzz_promise((rundir_read(fuzz_path("run"), &rows) == 0) == (status == EXIT_PASS));
    fuzz_promise(status != EXIT_PASS || (rows.ratio_count == 1 && rows.round_count == 1));
    fuzz_promise(status != EXIT_PASS || rows.ratios[0].speedup > -1);
    fuzz_read += status == EXIT_PASS;
    rows_free(&rows);
    files_remove_tree(fuzz_path("run"));
}
