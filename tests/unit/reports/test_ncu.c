/* Nsight Compute's raw CSV as its versions write it, and profile.csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/write_markdown.h"
#include "reports/sections/sections.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

#define KEYS                                                                                       \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\"," \
    "\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
#define BLANKS "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\","

/* Two kernels of one call, --print-units base. */
static const char base[] =
    "==PROF== Connected to process 4711 (/opt/gemmgate-runner)\n"
    "==PROF== Profiling \"gemm\" - 0: 0%....50%....100% - 9 passes\n"
    "==PROF== Disconnected from process 4711\n" KEYS
    "\"dram__bytes.sum.per_second\",\"dram__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"gpu__time_duration.sum\",\"l1tex__t_sector_hit_rate.pct\",\"launch__registers_per_thread\","
    "\"launch__shared_mem_per_block\",\"lts__t_sector_hit_rate.pct\","
    "\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\","
    "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n" BLANKS
    "\"byte/second\",\"%\",\"nsecond\",\"%\",\"register/thread\",\"byte/block\",\"%\",\"%\",\"%\","
    "\"%\"\n"
    "\"0\",\"4711\",\"gemmgate-runner\",\"127.0.0.1\",\"void gemm<(int)128, (bool)1>(__half *, "
    "__half *)\",\"1\",\"7\",\"(128, 1, 1)\",\"(16, 8, 2)\",\"0\",\"9.0\",\"1,912,000,000,000\","
    "\"40.25\",\"12,320\",\"0\",\"168\",\"213,248\",\"71.5\",\"88.25\",\"85.1\",\"12.5\"\n"
    "\"1\",\"4711\",\"gemmgate-runner\",\"127.0.0.1\",\"reduce(__half *)\",\"1\",\"7\",\"(256, 1, "
    "1)\",\"(64, 1, 1)\",\"0\",\"9.0\",\"5e+11\",\"10\",\"2,048\",\"50\",\"32\",\"1024\",\"99\","
    "\"n/a\",\"5\",\"60\"\n";

static int read_text(const char *text, struct ncu_log *log) {
    scratch_put("log", "%s", text);
    return ncu_read(scratch_path("log"), log);
}

static void assert_close(double value, double wanted) {
    if (!(fabs(value / wanted - 1) < 1e-12))
        fail_msg("%.17g instead of %.17g", value, wanted);
}

static void test_two_kernels(void **state) {
    struct ncu_log log;
    (void)state;
    assert_int_equal(read_text(base, &log), 0);
    assert_int_equal(log.count, 2);
    const struct ncu_launch *gemm = &log.launches[0], *reduce = &log.launches[1];
    assert_string_equal(gemm->function, "void gemm<(int)128, (bool)1>(__half *, __half *)");
    assert_string_equal(gemm->grid, "16x8x2");
    assert_string_equal(gemm->block, "128x1x1");
    assert_string_equal(gemm->note, "");
    const double wanted[NCU_METRICS] = {
        [NCU_SECONDS] = 12.32e-6, [NCU_DRAM] = 40.25,     [NCU_DRAM_BYTES] = 1.912e12,
        [NCU_SM] = 85.1,          [NCU_OCCUPANCY] = 12.5, [NCU_TENSOR] = 88.25,
        [NCU_L2] = 71.5,          [NCU_REGISTERS] = 168,  [NCU_SHARED] = 213248};
    for (int i = 0; i < NCU_METRICS; i++)
        if (i != NCU_L1)
            assert_close(gemm->values[i], wanted[i]);
    assert_true(gemm->values[NCU_L1] == 0);
    assert_string_equal(reduce->function, "reduce(__half *)");
    assert_close(reduce->values[NCU_DRAM_BYTES], 5e11);
    assert_true(isnan(reduce->values[NCU_TENSOR]));
    assert_non_null(strstr(reduce->note, "sm__pipe_tensor_cycles_active"));
    assert_non_null(strstr(reduce->note, "n/a"));
    assert_string_equal(log.complaint, "");
    assert_false(log.forbidden);
    ncu_free(&log);
}

/* Without --print-units base, and as newer versions abbreviate. */
static void test_units(void **state) {
    static const struct {
        const char *metric, *unit, *value;
        enum ncu_metric which;
        double wanted;
    } cases[] = {
        {"gpu__time_duration.sum", "usecond", "12.32", NCU_SECONDS, 12.32e-6},
        {"gpu__time_duration.sum", "us", "12.32", NCU_SECONDS, 12.32e-6},
        {"gpu__time_duration.sum", "ms", "1,250.5", NCU_SECONDS, 1.2505},
        {"gpu__time_duration.sum", "msecond", "2", NCU_SECONDS, 2e-3},
        {"gpu__time_duration.sum", "second", "2", NCU_SECONDS, 2},
        {"gpu__time_duration.sum", "s", "2", NCU_SECONDS, 2},
        {"gpu__time_duration.sum", "ns", "2", NCU_SECONDS, 2e-9},
        {"dram__bytes.sum.per_second", "Tbyte/second", "1.9", NCU_DRAM_BYTES, 1.9e12},
        {"dram__bytes.sum.per_second", "Gbyte/s", "812.5", NCU_DRAM_BYTES, 812.5e9},
        {"dram__bytes.sum.per_second", "GB/s", "812.5", NCU_DRAM_BYTES, 812.5e9},
        {"launch__shared_mem_per_block", "Kbyte/block", "16.38", NCU_SHARED, 16380},
        {"launch__registers_per_thread", "register/thread", "255", NCU_REGISTERS, 255},
        {"launch__registers_per_thread", "", "255", NCU_REGISTERS, 255},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ncu_log log;
        char text[1024];
        snprintf(text, sizeof text,
                 "\"ID\",\"Kernel Name\",\"%s\"\n\"\",\"\",\"%s\"\n\"0\",\"f\",\"%s\"\n",
                 cases[i].metric, cases[i].unit, cases[i].value);
        assert_int_equal(read_text(text, &log), 0);
        assert_close(log.launches[0].values[cases[i].which], cases[i].wanted);
        ncu_free(&log);
    }
}

/* What is not told is empty and said, never a number that was not there. */
static void test_unknown(void **state) {
    struct ncu_log log;
    (void)state;
    assert_int_equal(read_text("\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n"
                               "\"\",\"\",\"furlong\"\n\"0\",\"f\",\"3\"\n",
                               &log),
                     0);
    assert_int_equal(log.count, 1);
    for (int i = 0; i < NCU_METRICS; i++)
        assert_true(isnan(log.launches[0].values[i]));
    assert_non_null(strstr(log.launches[0].note, "furlong"));
    assert_non_null(strstr(log.launches[0].note, "dram__bytes.sum.per_second: not known"));
    assert_string_equal(log.launches[0].grid, "");
    ncu_free(&log);
}

static void test_complaints(void **state) {
    struct ncu_log log;
    (void)state;
    assert_int_equal(ncu_read(scratch_path("none"), &log), 0);
    assert_int_equal(log.count, 0);
    assert_int_equal(read_text("", &log), 0);
    assert_int_equal(read_text("==ERROR==", &log), 0);
    assert_int_equal(log.count, 0);
    assert_int_equal(
        read_text("==PROF== Connected to process 1 (x)\n==ERROR== ERR_NVGPUCTRPERM - The user "
                  "does not have permission\n==ERROR== second\n==WARNING== No kernels were "
                  "profiled.\n",
                  &log),
        0);
    assert_true(log.forbidden);
    assert_int_equal(log.count, 0);
    assert_string_equal(log.complaint, "ERR_NVGPUCTRPERM - The user does not have permission");
    assert_int_equal(log.refused, 0);
    assert_int_equal(read_text("==ERROR== Failed to find metric "
                               "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\n",
                               &log),
                     0);
    assert_int_equal(log.refused, 1u << NCU_TENSOR);
    assert_false(log.forbidden);
}

static void test_broken(void **state) {
    struct ncu_log log;
    (void)state;
    assert_says(read_text("==PROF== x\n\"ID\",\"a\"\n\"\",\"\"\n", &log), -1, "Kernel Name");
    assert_says(read_text("\"ID\",\"Kernel Name\"\n", &log), -1, "units");
    /* The line is the file's own. */
    assert_says(read_text("==PROF== x\n\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\"\n", &log), -1,
                "log:4:");
    assert_says(read_text("\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"f", &log), -1, "quoted");
}

static void test_profile(void **state) {
    struct ncu_log log;
    struct profile profile = {0}, again = {0};
    char *page = NULL;
    size_t size = 0;
    (void)state;
    assert_int_equal(profile_read(scratch, &again), 0);
    assert_int_equal(again.count, 0);
    assert_int_equal(read_text(base, &log), 0);
    for (size_t i = 0; i < log.count; i++) {
        struct profile_row row = {.shape = {64, 128, 256},
                                  .candidate = "mine",
                                  .kernel = "mine",
                                  .number = (double)i + 1,
                                  .launch = log.launches[i],
                                  .device = "cuda:0, a GPU"};
        assert_int_equal(profile_add(&profile, &row), 0);
    }
    ncu_free(&log);
    assert_int_equal(profile_write(scratch, &profile), 0);
    assert_int_equal(profile_read(scratch, &again), 0);
    assert_int_equal(again.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct profile_row *a = &profile.rows[i], *b = &again.rows[i];
        assert_int_equal(shape_compare(a->shape, b->shape), 0);
        assert_string_equal(a->launch.function, b->launch.function);
        assert_string_equal(a->launch.grid, b->launch.grid);
        assert_string_equal(a->launch.note, b->launch.note);
        assert_string_equal(a->device, b->device);
        assert_true(a->number == b->number);
        for (int j = 0; j < NCU_METRICS; j++)
            if (isnan(a->launch.values[j]))
                assert_true(isnan(b->launch.values[j]));
            else
                assert_true(fabs(a->launch.values[j] - b->launch.values[j]) <=
                            1e-8 * a->launch.values[j]);
    }
    FILE *out = open_memstream(&page, &size);
    const struct rows none = {0};
    const struct report report = {.profile = &again, .rows = &none};
    struct document *document = document_new("");
    section_profile(document, &report);
    assert_int_equal(write_markdown(out, document), 0);
    document_free(document);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(page, "| 64x128x256 | mine | void gemm"));
    assert_non_null(
        strstr(page, "| 12.32 | 40.2 | 1912 | 85.1 | 12.5 | 88.2 | 0.0 | 71.5 | 168 | 208.2 | "
                     "16x8x2 | 128x1x1 |"));
    assert_non_null(strstr(page, "| 5.0 | 60.0 | \xe2\x80\x93 | 50.0 |"));
    assert_non_null(strstr(page, "n/a"));
    free(page);
    profile_free(&profile);
    profile_free(&again);
    scratch_put("profile/profile.csv", "m,n,k\n1,1,1\n");
    assert_says(profile_read(scratch, &again), -1, "launch");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_kernels), cmocka_unit_test(test_units),
        cmocka_unit_test(test_unknown),     cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_broken),      cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
