
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/plan/suite.h"
#include "tests/support/stderr.h"
#include "tests/support/test.h"

static void is_shape(struct shape shape, int64_t m, int64_t n, int64_t k) {
    char got[SHAPE_TEXT], want[SHAPE_TEXT];
    assert_string_equal(shape_format(shape, got), shape_format((struct shape){m, n, k}, want));
}

static void no_twins(const struct suite *suite) {
    for (size_t i = 0; i < suite->count; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(shape_compare(suite->shapes[i], suite->shapes[j]), 0);
}

TEST(paper_has_the_thousand_shapes_m_outermost) {
    static const int64_t sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384};
    struct suite suite;
    assert_int_equal(suite_load("paper", &suite), 0);
    assert_string_equal(suite.name, "paper");
    assert_int_equal(suite.count, 1000);
    struct suite_known known;
    int count = 0;
    while (suite_known(count, &known))
        assert_true(*known.name && *known.summary && count++ < 100);
    assert_true(count > 1);
    assert_true(suite_known(0, &known));
    assert_string_equal(known.name, "paper");
    assert_int_equal(known.count, 1000);
    size_t i = 0;
    for (int m = 0; m < 10; m++)
        for (int n = 0; n < 10; n++)
            for (int k = 0; k < 10; k++)
                is_shape(suite.shapes[i++], sizes[m], sizes[n], sizes[k]);
    suite_free(&suite);
}

TEST(smoke_has_odd_sizes_and_no_twins) {
    struct suite suite;
    size_t odd = 0;
    double flops = 0;
    assert_int_equal(suite_load("smoke", &suite), 0);
    assert_in_range(suite.count, 10, 16);
    no_twins(&suite);
    for (size_t i = 0; i < suite.count; i++) {
        odd += suite.shapes[i].m % 2 && suite.shapes[i].n % 2 && suite.shapes[i].k % 2;
        flops += shape_flops(suite.shapes[i]);
    }
    assert_true(odd >= 2);
    assert_true(flops < 1e9);
    suite_free(&suite);
}

TEST(list_keeps_its_order) {
    struct suite suite;
    assert_int_equal(suite_parse("64x64x64,7_5_3,1x2x1048576", &suite), 0);
    assert_int_equal(suite.count, 3);
    is_shape(suite.shapes[0], 64, 64, 64);
    is_shape(suite.shapes[1], 7, 5, 3);
    is_shape(suite.shapes[2], 1, 2, 1048576);
    suite_free(&suite);
}

TEST(bad_lists_name_the_item) {
    static const struct {
        const char *list, *says;
    } bad[] = {
        {"", "--shapes item 1: '': a shape is MxNxK"},
        {"64x64x64,", "--shapes item 2: '': a shape is MxNxK"},
        {"1x1x1,2x2x2,3x0x3", "--shapes item 3: '3x0x3': sizes must be positive"},
        {"1x1x-1", "--shapes item 1: '1x1x-1': sizes must be positive"},
        {"1x1x1048577", "--shapes item 1: '1x1x1048577': a size is over the largest"},
        {"1x1x99999999999999999999", "a size is over the largest accepted, 1048576"},
        {"1x1x1 ", "with nothing after it"},
        {"1x1x1,2x2x2,1_1_1", "--shapes item 3: 1x1x1 is named already at --shapes item 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct suite suite;
        stderr_catch();
        int status = suite_parse(bad[i].list, &suite);
        stderr_says(bad[i].says);
        assert_int_equal(status, -1);
        assert_null(suite.shapes);
    }
}

static char folder[] = "/tmp/test_suite.XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return unlink("shapes.csv") == 0 && chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void write_file(const char *text) {
    FILE *out = fopen("shapes.csv", "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

TEST(files_are_read) {
    static const char *const good[] = {
        "m,n,k\n64,128,256\n3,2,1\n",
        "\357\273\277m,n,k\r\n64,128,256\r\n3,2,1\r\n",
        "mnk,ratio\n64_128_256,1.5\n3_2_1,0.5\n",
        "k,note,m,n\n256,\"a, b\",64,128\n1,,3,2",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct suite suite;
        write_file(good[i]);
        assert_int_equal(suite_load("./shapes.csv", &suite), 0);
        assert_string_equal(suite.name, "shapes.csv");
        assert_int_equal(suite.count, 2);
        is_shape(suite.shapes[0], 64, 128, 256);
        is_shape(suite.shapes[1], 3, 2, 1);
        suite_free(&suite);
    }
}

TEST(counts_of_real_calls_are_added_up) {
    struct suite suite;
    write_file("count,m,n,k\n3,64,128,256\n1,3,2,1\n0.5,64,128,256\n7,9,9,9\n");
    assert_int_equal(suite_load("shapes.csv", &suite), 0);
    assert_int_equal(suite.count, 3);
    is_shape(suite.shapes[0], 64, 128, 256);
    is_shape(suite.shapes[1], 3, 2, 1);
    assert_true(suite.counts[0] == 3.5 && suite.counts[1] == 1 && suite.counts[2] == 7);
    assert_int_equal(suite_sample(&suite, 2, 1), 0);
    assert_int_equal(suite.count, 2);
    for (size_t i = 0; i < 2; i++) /* each keeps its own */
        assert_true(suite.counts[i] == (suite.shapes[i].m == 64  ? 3.5
                                        : suite.shapes[i].m == 3 ? 1
                                                                 : 7));
    suite_free(&suite);
    write_file("m,n,k\n1,2,3\n");
    assert_int_equal(suite_load("shapes.csv", &suite), 0);
    assert_null(suite.counts);
    suite_free(&suite);
}

TEST(the_models_have_layers) {
    struct suite suite;
    assert_int_equal(suite_load("llama-mixtral", &suite), 0);
    assert_int_equal(suite.count, 42);
    no_twins(&suite);
    is_shape(suite.shapes[0], 16, 6144, 4096);
    is_shape(suite.shapes[41], 4096, 8, 6144);
    suite_free(&suite);
}

TEST(decoding_has_layers_of_one_token_to_sixty_four) {
    static const int64_t tokens[] = {1, 2, 4, 8, 16, 32, 64};
    struct suite suite;
    assert_int_equal(suite_load("decode", &suite), 0);
    assert_int_equal(suite.count, 7 * 18);
    no_twins(&suite);
    for (size_t i = 0; i < 7; i++) {
        is_shape(suite.shapes[18 * i], tokens[i], 6144, 4096);
        is_shape(suite.shapes[18 * i + 17], tokens[i], 151936, 5120);
    }
    suite_free(&suite);
}

TEST(bad_files_name_the_line) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "shapes.csv:1: "},
        {"m,n,k\n", "shapes.csv:1: no shapes"},
        {"m,n\n64,64\n", "shapes.csv:1: no column 'k'"},
        {"m,n,k\n64,64,nan\n", "shapes.csv:2: "},
        {"m,n,k\n64,64,64\n64,64,0\n", "shapes.csv:3: "},
        {"m,n,k\n64,64,1048577\n", "shapes.csv:2: "},
        {"m,n,k\n64,64\n", "shapes.csv:2: "},
        {"m,n,k,count\n64,64,64,0\n", "shapes.csv:2: column count: 0 is no count of calls"},
        {"m,n,k,count\n64,64,64,many\n", "shapes.csv:2: "},
        {"mnk\n64x64\n", "shapes.csv:2: "},
        {"m,n,k\n1,1,1\n2,2,2\n3,3,3\n2,2,2\n",
         "shapes.csv:5: 2x2x2 is named already at shapes.csv:3; remove one"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct suite suite;
        write_file(bad[i].text);
        stderr_catch();
        int status = suite_load("shapes.csv", &suite);
        stderr_says(bad[i].says);
        assert_int_equal(status, -1);
        assert_null(suite.shapes);
    }
    struct suite suite;
    stderr_catch();
    assert_int_equal(suite_load("papers", &suite), -1);
    stderr_says("no suite is called papers (`gemmgate list suites` shows them), and as a file: No");
}

/* Claims name a suite: shapes that somebody chose must not pass for it. */
TEST(no_file_has_the_name_of_a_suite) {
    struct suite suite;
    write_file("m,n,k\n64,64,64\n");
    assert_int_equal(rename("shapes.csv", "paper"), 0);
    stderr_catch();
    assert_int_equal(suite_load("./paper", &suite), -1);
    stderr_says("./paper: paper is a suite of gemmgate, and claims are about it: rename the file");
    assert_null(suite.shapes);
    assert_int_equal(rename("paper", "shapes.csv"), 0);
}

/* The product of the sorted suite at each boundary between runs bounds what a run may hold. */
static int compare_doubles(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

TEST(sample_has_one_shape_of_every_stratum) {
    static double all[1000], some[40];
    struct suite whole, suite;
    assert_int_equal(suite_load("paper", &whole), 0);
    for (size_t i = 0; i < 1000; i++)
        all[i] = shape_flops(whole.shapes[i]);
    qsort(all, 1000, sizeof *all, compare_doubles);
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_int_equal(suite_load("paper", &suite), 0);
        assert_int_equal(suite_sample(&suite, 40, seed), 0);
        assert_int_equal(suite.count, 40);
        for (size_t i = 0; i < 40; i++)
            some[i] = shape_flops(suite.shapes[i]);
        qsort(some, 40, sizeof *some, compare_doubles);
        for (size_t i = 0; i < 40; i++)
            assert_true(some[i] >= all[25 * i] && some[i] <= all[25 * i + 24]);
        for (size_t i = 1; i < 40; i++) /* paper is sorted, so its order is that of shapes */
            assert_true(shape_compare(suite.shapes[i - 1], suite.shapes[i]) < 0);
        suite_free(&suite);
    }
    suite_free(&whole);
}

TEST(sample_depends_on_the_seed_alone) {
    struct suite first, again, other;
    assert_int_equal(suite_load("paper", &first), 0);
    assert_int_equal(suite_load("paper", &again), 0);
    assert_int_equal(suite_load("paper", &other), 0);
    assert_int_equal(suite_sample(&first, 100, 7), 0);
    assert_int_equal(suite_sample(&again, 100, 7), 0);
    assert_int_equal(suite_sample(&other, 100, 8), 0);
    assert_memory_equal(first.shapes, again.shapes, 100 * sizeof *first.shapes);
    assert_memory_not_equal(first.shapes, other.shapes, 100 * sizeof *first.shapes);
    suite_free(&first);
    suite_free(&again);
    suite_free(&other);
}

/* Over many seeds each shape of a stratum comes up about equally often. Pearson's statistic over
 * the 10 shapes of 2000 draws; 33.7 is scipy.stats.chi2.ppf(0.9999, 9). */
TEST(sample_draws_evenly) {
    int times[10] = {0};
    double statistic = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct suite suite;
        assert_int_equal(
            suite_parse("1x1x1,1x1x2,1x1x3,1x1x4,1x1x5,1x1x6,1x1x7,1x1x8,1x1x9,1x1x10", &suite), 0);
        assert_int_equal(suite_sample(&suite, 1, seed), 0);
        times[suite.shapes[0].k - 1]++;
        suite_free(&suite);
    }
    for (int i = 0; i < 10; i++)
        statistic += (times[i] - 200) * (times[i] - 200) / 200.0;
    assert_true(statistic < 33.7);
}

TEST(whole_suite_can_be_sampled_and_no_more) {
    struct suite suite;
    assert_int_equal(suite_parse("3x3x3,1x1x1,2x2x2", &suite), 0);
    assert_int_equal(suite_sample(&suite, 3, 1), 0);
    is_shape(suite.shapes[0], 3, 3, 3);
    is_shape(suite.shapes[1], 1, 1, 1);
    is_shape(suite.shapes[2], 2, 2, 2);
    stderr_catch();
    assert_int_equal(suite_sample(&suite, 4, 1), -1);
    stderr_says("--sample 4: suite shapes has 3 shapes; without --sample all are measured");
    assert_int_equal(suite.count, 3);
    suite_free(&suite);
}

TESTS_BETWEEN(make_folder, remove_folder)
