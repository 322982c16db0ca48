/* shapes.csv: every shape, timed or refused, and no more bytes than git likes. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/writers.h"
#include "tests/support/section.h"
#include "tests/support/test.h"

static void add_check(struct rows *rows, int64_t m, const char *kernel, const char *outcome) {
    struct check_row row = {.shape = {m, 64, 32}, .candidate = "mine"};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    rows_add_check(rows, &row);
}

static void add_time(struct rows *rows, int64_t m, const char *kernel, const char *mode,
                     const char *lens, double median) {
    struct time_row row = {.shape = {m, 64, 32}, .candidate = "mine", .median = median};
    row.kernel = kernel;
    row.mode = mode;
    row.lens = lens;
    row.place = strcmp(lens, "device") == 0 ? "stage" : "own";
    rows_add_time(rows, &row);
}

static void add_ratio(struct rows *rows, int64_t m, const char *baseline, const char *mode,
                      const char *lens, double speedup) {
    struct ratio_row row = {.shape = {m, 64, 32},
                            .candidate = "mine",
                            .speedup = speedup,
                            .ratio = 1 + speedup,
                            .ci_low = 1 + speedup - 0.0123456789,
                            .ci_high = 1 + speedup + 0.0123456789};
    row.baseline = baseline;
    row.mode = mode;
    row.lens = lens;
    row.place = "own";
    rows_add_ratio(rows, &row);
}

/* shapes.csv as text, until the next. */
static const char *written(const struct rows *rows) {
    static char *text;
    size_t size;
    struct document *page = section_of(rows, assets_shapes_md);
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_csv(out, page, "shapes"), 0);
    assert_int_equal(fclose(out), 0);
    document_free(page);
    return text;
}

TEST(test_lines) {
    struct rows rows = {0};
    add_check(&rows, 128, "openblas-nn", "ok");
    add_check(&rows, 128, "mine", "ok");
    add_check(&rows, 64, "mine", "crashed");
    add_check(&rows, 32, "previous", "nan");
    add_check(&rows, 32, "mine", "ok");
    add_time(&rows, 128, "openblas-nn", "offline", "call", 7);
    add_time(&rows, 128, "mine", "server", "call", 3.14159265e-5);
    add_time(&rows, 128, "mine", "offline", "device", 2.5e-6);
    add_time(&rows, 128, "mine", "offline", "call", 1);
    add_time(&rows, 32, "mine", "offline", "call", 0.5);
    add_ratio(&rows, 128, "openblas-max", "offline", "call", -0.25);
    add_ratio(&rows, 128, "torch-matmul", "offline", "call", 0.5);
    add_ratio(&rows, 128, "openblas-nn", "offline", "call", 9);
    add_ratio(&rows, 128, "torch-matmul", "server", "call", NAN);
    add_ratio(&rows, 32, "openblas-max", "offline", "call", 1.0 / 3);
    assert_string_equal(
        written(&rows),
        "m,n,k,candidate,mode,lens,place,seconds,"
        "torch-matmul_speedup,torch-matmul_ratio_low,torch-matmul_ratio_high,"
        "openblas-max_speedup,openblas-max_ratio_low,openblas-max_ratio_high,outcome\n"
        "32,64,32,mine,offline,call,own,0.5,,,,0.33333,1.321,1.3457,ok\n"
        "64,64,32,mine,,,,,,,,,,,crashed\n"
        "128,64,32,mine,offline,call,own,1,0.5,1.4877,1.5123,"
        "-0.25,0.73765,0.76235,ok\n"
        "128,64,32,mine,offline,device,stage,2.5e-06,,,,,,,ok\n"
        "128,64,32,mine,server,call,own,3.1416e-05,,,,,,,ok\n");
    rows_free(&rows);
}

/* An imported run has ratios alone; one that was only checked has no baselines. */
TEST(test_parts) {
    struct rows rows = {0};
    assert_string_equal(written(&rows), "m,n,k,candidate,mode,lens,place,seconds,outcome\n");
    add_check(&rows, 64, "mine", "ok");
    assert_string_equal(written(&rows), "m,n,k,candidate,mode,lens,place,seconds,outcome\n"
                                        "64,64,32,mine,,,,,ok\n");
    rows_free(&rows);
    add_ratio(&rows, 64, "cublas-max", "server", "call", 0);
    assert_string_equal(written(&rows),
                        "m,n,k,candidate,mode,lens,place,seconds,"
                        "cublas-max_speedup,cublas-max_ratio_low,cublas-max_ratio_high,outcome\n"
                        "64,64,32,mine,server,call,own,,0,0.98765,1.0123,\n");
    rows_free(&rows);
}

/* A whole release: 1,000 shapes, three lenses offline and two in server mode, four baselines. */
TEST(test_size) {
    static const char *const series[][2] = {{"offline", "call"},
                                            {"offline", "device"},
                                            {"offline", "stream"},
                                            {"server", "call"},
                                            {"server", "device"}};
    static const char *const baselines[] = {"torch-matmul", "cublas-max", "cublaslt-heuristic-max",
                                            "cublaslt-autotune-max"};
    struct rows rows = {0};
    for (int64_t m = 10000; m < 11000; m++) {
        add_check(&rows, m, "mine", "ok");
        for (size_t s = 0; s < 5; s++) {
            add_time(&rows, m, "mine", series[s][0], series[s][1], 1e-6 * sqrt((double)m));
            for (size_t b = 0; b < 4; b++)
                add_ratio(&rows, m, baselines[b], series[s][0], series[s][1],
                          -1 / sqrt((double)m + (double)b));
        }
    }
    const char *text = written(&rows);
    rows_free(&rows);
    if (strlen(text) > 1000 * 1000)
        fail_msg("%zu bytes", strlen(text));
    size_t lines = 0;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    assert_int_equal(lines, 1 + 5000);
}
