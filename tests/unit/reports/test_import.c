/* Import of published results, and the report made of them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/import/import.h"
#include "reports/report/report.h"
#include "reports/run/rundir.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define HEADER                                                                                     \
    "mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,"                       \
    "cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,"                        \
    "cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max\n"
#define OFFLINE                                                                                    \
    HEADER "64_64_64,1.500,1.3,1.2,1.2,1.1,1.15,1.1,1.05,1.06,1.05\n"                              \
           "128_64_64,1.100,1.2,1.1,1.1,1.2,1.25,1.2,0.95,0.96,0.95\n"                             \
           "64_128_8192,0.800,0.7,0.9,0.7,1.3,1.35,1.3,1.15,1.16,1.15\n"
/* The same shapes in another order. */
#define SERVER                                                                                     \
    HEADER "128_64_64,1,1,1,1,1,1,1,1,1,2\n"                                                       \
           "64_64_64,1,1,1,1,1,1,1,1,1,1\n"                                                        \
           "64_128_8192,1,1,1,1,1,1,1,1,1,0.6\n"

static char offline[80], server[80], run[80];

static int set_up(void **state) {
    if (scratch_make(state) < 0)
        return -1;
    snprintf(offline, sizeof offline, "%s/off.csv", scratch);
    snprintf(server, sizeof server, "%s/ser.csv", scratch);
    snprintf(run, sizeof run, "%s/run", scratch);
    scratch_put("off.csv", OFFLINE);
    scratch_put("ser.csv", SERVER);
    return 0;
}

TEST_WITH(test_rows, set_up, scratch_remove) {
    struct rows rows = {0};
    assert_int_equal(import_cuda_l2(offline, server, run), EXIT_PASS);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.ratio_count, 2 * 3 * 10);
    assert_true(rows.check_count == 0 && rows.time_count == 0 && rows.control_count == 0 &&
                rows.condition_count == 0);
    for (size_t i = 0; i < rows.ratio_count; i++) {
        const struct ratio_row *row = &rows.ratios[i];
        assert_string_equal(row->candidate, "cuda-l2");
        assert_string_equal(row->lens, "wait"); /* as the scripts of the day have it */
        assert_string_equal(row->note, "published mean only");
        assert_string_equal(row->cache, "");
        assert_true(isnan(row->ratio) && isnan(row->ci_low) && isnan(row->samples));
        assert_true(isnan(row->reward));
    }
    assert_string_equal(rows.ratios[27].baseline, "cublaslt-autotune-max");
    assert_string_equal(rows.ratios[27].mode, "offline");
    assert_true(fabs(rows.ratios[27].speedup - 0.05) < 1e-9);
    assert_string_equal(rows.ratios[39].mode, "server");
    assert_int_equal(rows.ratios[57].shape.m, 128);
    assert_true(fabs(rows.ratios[57].speedup - 1) < 1e-9);
    rows_free(&rows);
    json_t *manifest = rundir_read_json(run, "manifest.json");
    assert_true(json_is_true(json_object_get(manifest, "complete")));
    const json_t *sources = json_object_get(manifest, "sources");
    assert_int_equal(json_array_size(sources), 2);
    const json_t *first = json_array_get(sources, 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "off.csv");
    assert_int_equal(strlen(json_string_value(json_object_get(first, "xxh128"))), 32);
    json_decref(manifest);
}

/* The release's scripts may have failed with a library, or not have run it. */
TEST_WITH(test_empty_fields, set_up, scratch_remove) {
    struct rows rows = {0};
    scratch_put("off.csv", HEADER "64_64_64,1.5,1.2,,,,,,,,\n"
                                  "32_32_32,1,,,,,,,,,\n");
    assert_int_equal(import_cuda_l2(offline, NULL, run), EXIT_PASS);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.ratio_count, 3);
    assert_string_equal(rows.ratios[1].baseline, "torch-matmul");
    assert_int_equal(rows.ratios[1].shape.m, 32);
    assert_string_equal(rows.ratios[2].baseline, "cublas-tn");
    assert_true(fabs(rows.ratios[2].speedup - 0.2) < 1e-9);
    rows_free(&rows);
    scratch_put("off.csv", HEADER "64_64_64,,,,,,,,,,\n");
    assert_says(import_cuda_l2(offline, NULL, "x"), EXIT_TROUBLE, "every quotient is empty");
}

TEST_WITH(test_one_file, set_up, scratch_remove) {
    struct rows rows = {0};
    assert_int_equal(import_cuda_l2(NULL, server, run), EXIT_PASS);
    assert_int_equal(read_rows(run, &rows), 0);
    assert_int_equal(rows.ratio_count, 30);
    assert_string_equal(rows.ratios[0].mode, "server");
    rows_free(&rows);
    assert_says(import_cuda_l2(NULL, server, run), EXIT_TROUBLE, "exists");
    assert_says(import_cuda_l2(NULL, NULL, run), EXIT_TROUBLE, "nothing to import");
}

/* The file by `offline` with the first `from` replaced. */
static void put_spoilt(const char *from, const char *to) {
    const char *at = strstr(OFFLINE, from);
    assert_non_null(at);
    scratch_put("off.csv", "%.*s%s%s", (int)(at - OFFLINE), OFFLINE, to, at + strlen(from));
}

TEST_WITH(test_refused, set_up, scratch_remove) {
    static const struct {
        const char *from, *to, *message;
    } faults[] = {
        {"cuBLASLt-heuristic-nn", "cuBLASLt-heuristic",
         "off.csv:1: no column 'cuBLASLt-heuristic-nn'"},
        {"mnk", "shape", "off.csv:1: no shapes"},
        {"1.500", "nan", "off.csv:2: column torch.matmul: 'nan' is no finite"},
        {"1.500", "inf", "off.csv:2: column torch.matmul: 'inf' is no finite"},
        {"1.500", "-1.5", "off.csv:2: column torch.matmul: -1.5 is no quotient"},
        {"1.100", "0", "off.csv:3: column torch.matmul: 0 is no quotient"},
        {"128_64_64", "64_64_64", "off.csv:3: the shape 64x64x64 stands on line 2 already"},
        {"128_64_64", "128_64", "off.csv:3: column mnk: '128_64'"},
        {"128_64_64", "0_64_64", "off.csv:3: column mnk: '0_64_64'"},
        {",1.15\n", "\n", "off.csv:4: 10 fields"},
        {OFFLINE, HEADER, "off.csv:1: a header and no shapes"},
        {OFFLINE, "", "off.csv:1: the file is empty"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        put_spoilt(faults[i].from, faults[i].to);
        assert_says(import_cuda_l2(offline, server, run), EXIT_TROUBLE, faults[i].message);
        assert_int_equal(access(run, F_OK), -1);
    }
    assert_says(import_cuda_l2("/nonexistent/x.csv", NULL, run), EXIT_TROUBLE,
                "/nonexistent/x.csv");
    assert_int_equal(access(run, F_OK), -1);
}

/* A tool's file: what it calls failed is left out aloud, and what cannot be read is no run. */
TEST_WITH(times_of_a_tool, set_up, scratch_remove) {
    static const char header[] =
        "Provider,OperationKind,Operation,Disposition,Status,m,n,k,A,B,C,D,"
        "alpha,beta,batch_count,accum,Flops,Runtime,GFLOPs\n";
#define ROW(disposition, seconds)                                                                  \
    "CUTLASS,gemm,tile," disposition ",success,2,2,2,f16:row,f16:row,f16:row,f16:row,1,0,1,f32,"   \
    "16," seconds ",0.000016\n"
    char text[1024];
    const char *const file = scratch_path("times.csv");
    assert_says(import_times("nobody", file, ELEMENT_F16, "f32", run), EXIT_TROUBLE,
                "no tool is called 'nobody'");
    snprintf(text, sizeof text, "%s%s%s", header, ROW("incorrect", "1"), ROW("passed", "soon"));
    scratch_put("times.csv", "%s", text);
    assert_says(import_times("cutlass_profiler", file, ELEMENT_F16, "f32", run), EXIT_TROUBLE,
                "times.csv:3: column Runtime");
    snprintf(text, sizeof text, "%s%s%s", header, ROW("incorrect", "1"), ROW("not_verified", "1"));
    scratch_put("times.csv", "%s", text);
    assert_says(import_times("cutlass_profiler", file, ELEMENT_F16, "f32", run), EXIT_PASS,
                "failed or skipped: 1 of the rows, the first: line 2: incorrect, success");
#undef ROW
}

/* A file may lack shapes that the other has. */
TEST_WITH(test_shapes_of_both, set_up, scratch_remove) {
    put_spoilt("128_64_64", "256_64_64");
    assert_int_equal(import_cuda_l2(offline, server, run), EXIT_PASS);
    json_t *plan = rundir_read_json(run, "plan.json"), *shapes = json_object_get(plan, "shapes");
    assert_int_equal(json_array_size(shapes), 4);
    assert_true(jsonfile_lists(shapes, "64x64x64") && jsonfile_lists(shapes, "64x128x8192") &&
                jsonfile_lists(shapes, "128x64x64") && jsonfile_lists(shapes, "256x64x64"));
    json_decref(plan);
}

/* Line `at` of the table has the texts and number in these columns. */
static void assert_line(const struct csv_table *table, size_t at, const char *mode,
                        const char *baseline, double mean, double wins) {
    double value;
    assert_string_equal(csv_table_text(table, at, csv_table_column(table, "mode")), mode);
    assert_string_equal(csv_table_text(table, at, csv_table_column(table, "baseline")), baseline);
    assert_int_equal(csv_table_number(table, at, csv_table_column(table, "mean"), &value), 0);
    assert_true(fabs(value - mean) < 1e-8);
    assert_int_equal(csv_table_number(table, at, csv_table_column(table, "wins"), &value), 0);
    assert_true(value == wins);
}

static void read_table(const char *name, struct csv_table *table) {
    char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    assert_int_equal(csv_table_read(path, table), 0);
}

static int page_says(const char *words) {
    char path[PATH_MAX];
    assert_int_equal(files_join(path, run, "report/report.md"), 0);
    return strstr(scratch_read(path), words) != NULL;
}

/* Without gnuplot a message says so, and all else is there. By hand:
 * torch (.5 + .1 - .2) / 3, and (.5 + .1) / 3 at best; autotune-max in server mode (1 + 0 - .4)
 * / 3. */
TEST_WITH(test_report_without_gnuplot, set_up, scratch_remove) {
    struct csv_table table;
    char *path = strdup(getenv("PATH"));
    assert_int_equal(import_cuda_l2(offline, server, run), EXIT_PASS);
    assert_int_equal(setenv("PATH", scratch, 1), 0);
    assert_says(report_make(&(struct report_call){.runs = (const char *const[]){run}, .count = 1}),
                EXIT_PASS, "apt-get install gnuplot-nox");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    read_table("report/table1.csv", &table);
    assert_int_equal(table.rows, 20);
    assert_line(&table, 0, "offline", "torch-matmul", 0.4 / 3, 2);
    assert_line(&table, 9, "offline", "cublaslt-autotune-max", 0.05, 2);
    assert_line(&table, 19, "server", "cublaslt-autotune-max", 0.2, 1);
    csv_table_free(&table);
    read_table("report/refused.csv", &table);
    assert_int_equal(table.rows, 0);
    csv_table_free(&table);
    assert_true(page_says("| torch-matmul | offline | 3 | +13.3 | +20.0 |"));
    assert_true(page_says("Not drawn"));
    assert_true(page_says("off.csv"));
    assert_false(page_says(".png"));
}

static void assert_picture(const char *name) {
    char path[PATH_MAX];
    struct stat is;
    assert_int_equal(files_join(path, run, name), 0);
    assert_int_equal(stat(path, &is), 0);
    assert_true(is.st_size > 5000);
}

TEST_WITH(test_report_with_gnuplot, set_up, scratch_remove) {
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    assert_int_equal(import_cuda_l2(offline, server, run), EXIT_PASS);
    /* Names that gnuplot or Markdown could take for their own language. */
    struct rows rows = {0};
    assert_int_equal(read_rows(run, &rows), 0);
    for (size_t i = 0; i < rows.ratio_count; i++) {
        rows.ratios[i].candidate = "a_{b}^'\"`touch x`|\\n%s";
        if (strcmp(rows.ratios[i].baseline, "cublaslt-autotune-max") == 0)
            rows.ratios[i].baseline = "zz`touch x`";
    }
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    rows_free(&rows);
    assert_int_equal(
        report_make(&(struct report_call){.runs = (const char *const[]){run}, .count = 1}),
        EXIT_PASS);
    assert_picture("report/figure1-a__b_____touch_x___n_s-wait.png");
    assert_picture("report/figure1-a__b_____touch_x___n_s-wait.svg");
    assert_picture("report/figure3-a__b_____touch_x___n_s-wait.png");
    assert_picture("report/figure3-a__b_____touch_x___n_s-wait.svg");
    assert_true(page_says("](figure1-a__b_____touch_x___n_s-wait.png)"));
    char path[PATH_MAX];
    assert_int_equal(files_join(path, run, "report/x"), 0);
    assert_int_equal(access(path, F_OK), -1);
}

/* A run that was only checked, and has not finished: a report all the same, with the refused. */
TEST_WITH(test_report_of_checks, set_up, scratch_remove) {
    const struct check_row row = {.shape = {1, 2, 3},
                                  .kernel = "bad",
                                  .outcome = "wrote-outside",
                                  .detail = "5 elements | <b>"};
    struct rundir_unit unit = {.state = NULL};
    json_t *plan = json_pack("{s:[s]}", "units", "1x2x3");
    assert_int_equal(rundir_create(run, plan, 0), 0);
    rows_add_check(&unit.rows, &row);
    assert_int_equal(rundir_write_unit(run, "1x2x3", &unit), 0);
    rows_free(&unit.rows);
    assert_int_equal(
        report_make(&(struct report_call){.runs = (const char *const[]){run}, .count = 1}),
        EXIT_PASS);
    assert_true(page_says("| wrote-outside | writes memory outside of C | 0 | 1 |"));
    assert_true(page_says("| 1x2x3 | bad | wrote-outside | 0 | 0 | 0 | 5 elements \\| \\<b\\> |"));
    assert_true(page_says("| complete | no"));
    assert_true(page_says("No candidate was timed"));
    json_decref(plan);
}
