/* What the CUDA-L2 release's own benchmarking scripts have written, as rows. */
#ifndef REPORTS_RUN_IMPORT_HARNESS_H
#define REPORTS_RUN_IMPORT_HARNESS_H

#include "reports/rows/rows.h"

/* Reads FOLDER/ROUND/M_N_K/benchmark_result_FUNCTION.json. ROUND is 1, 2, ...; M_N_K is the folder
 * that the scripts were given as --base_dir, FUNCTION what they were given as --perf_func; other
 * files there are passed over. Each file is one process with one library and has the mean TFLOPS of
 * both sides; their quotient is what the release calls the speedup. Where a shape has both layouts
 * of a library, the lower quotient is that of -max, as the release chooses. Rows have the lens
 * `wait`: the scripts read the host's clock.
 *
 * Adds to rows, by shape. *shapes, sorted, is the caller's to free. 0, or -1 after error(). */
int import_harness(const char *folder, const char *mode, struct rows *rows, struct shape **shapes,
                   size_t *count);

#endif
