/* Comparisons against ratios, intervals and degrees of freedom that scipy 1.17 computed:
 * stats.ttest_1samp(x, 0) for paired rows, stats.ttest_ind(new, old, equal_var=False) for two runs;
 * .confidence_interval(0.95), of which exp(-end) is taken. The variances are those of the pairs'
 * own visits. Totals are by a Python program that follows suite_mean.h. */
#include <math.h>
#include <stdlib.h>

#include "reports/compare/comparison.h"
#include "reports/page/writers.h"
#include "tests/support/doubles.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "timing/stats.h"

static const struct gate_policy policy = {
    .classes = {{"small", 32768, 0.04}, {"large", INFINITY, 0.02}}, .class_count = 2};

#define X(...) .visits = sizeof(double[]){__VA_ARGS__} / sizeof(double), .x = {__VA_ARGS__}

static struct pair a_level(int64_t size, const char *reference, struct pair speed) {
    speed.shape = (struct shape){size, size, size};
    if (!speed.candidate)
        speed.candidate = "mine";
    if (!speed.mode)
        speed.mode = "offline";
    speed.reference = reference;
    speed.lens = "device";
    if (!speed.cache)
        speed.cache = "warm";
    for (size_t i = 0; i < speed.visits; i++)
        speed.visit[i] = (unsigned char)i;
    speed.used = (struct spread){pow(stats_sd(speed.x, speed.visits), 2), (double)speed.visits - 1};
    return speed;
}

TEST(test_judge) {
    static const struct {
        double low, high;
        enum verdict verdict;
    } cases[] = {
        {0.99, 1.01, VERDICT_SAME},
        {1.001, 1.019, VERDICT_SAME},
        {0.981, 0.999, VERDICT_SAME},
        {1.001, 1.02, VERDICT_FASTER},
        {1.5, 1.6, VERDICT_FASTER},
        {0.98, 0.999, VERDICT_SLOWER},
        {0.5, 0.6, VERDICT_SLOWER},
        {0.98, 1.01, VERDICT_UNDECIDED},
        {0.99, 1.03, VERDICT_UNDECIDED},
        {NAN, NAN, VERDICT_UNDECIDED},
        {1, 1, VERDICT_SAME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(verdict_of(cases[i].low, cases[i].high, 0.02), cases[i].verdict);
    /* 1 / 1.02 = 0.98039...: slower by 2 % is the same distance as faster by 2 %. */
    assert_int_equal(verdict_of(0.9803, 1, 0.02), VERDICT_UNDECIDED);
    assert_string_equal(verdict_words[VERDICT_FASTER], "faster");
    assert_string_equal(verdict_words[VERDICT_SAME], "same");
    assert_string_equal(verdict_words[VERDICT_SLOWER], "slower");
    assert_string_equal(verdict_words[VERDICT_UNDECIDED], "undecided");
}

TEST(test_paired) {
    struct pair list[] = {
        a_level(16, RUNDIR_PREVIOUS,
                (struct pair){.seconds = 105e-6,
                              .reference_seconds = 100e-6,
                              X(0.050, 0.043, 0.061, 0.047, 0.055)}),
        a_level(32, "cublas-max", (struct pair){X(1, 2, 3)}),
        a_level(32, RUNDIR_PREVIOUS, (struct pair){X(0.001, -0.002, 0.003, 0.000, -0.001)}),
        a_level(64, RUNDIR_PREVIOUS, (struct pair){X(0.03, -0.02, 0.05, 0.01, -0.04)}),
        a_level(65, RUNDIR_PREVIOUS, (struct pair){X(-0.10, -0.13, -0.11, -0.12)}),
        a_level(66, RUNDIR_PREVIOUS, (struct pair){X(0.5)}),
        a_level(67, RUNDIR_PREVIOUS, (struct pair){X(0.125, 0.125)}),
    };
    const struct pairs speeds = {list, sizeof list / sizeof *list};
    static const struct {
        int64_t size;
        double ratio, low, high, sd, margin;
        const char *size_class;
        enum verdict verdict;
    } expected[] = {
        {16, 0.9500886338026269, 0.9418498914730595, 0.9583994437469888, 0.007014271166700074, 0.04,
         "small", VERDICT_SLOWER},
        {32, 0.9998000199986667, 0.997414958600732, 1.0021907846576392, 0.0019235384061671345, 0.04,
         "small", VERDICT_SAME},
        {64, 0.9940179640539353, 0.9500103028922721, 1.0400642075709936, 0.03646916505762094, 0.02,
         "large", VERDICT_UNDECIDED},
        {65, 1.1218734375719384, 1.099062339257978, 1.1451579814655557, 0.012909944487358056, 0.02,
         "large", VERDICT_FASTER},
        {66, 0.6065306597126334, NAN, NAN, NAN, 0.02, "large", VERDICT_UNDECIDED},
        {67, 0.8824969025845955, 0.8824969025845955, 0.8824969025845955, 0, 0.02, "large",
         VERDICT_SLOWER},
    };
    struct comparison comparison;
    comparison_paired(&speeds, &policy, &comparison);
    assert_true(comparison.paired);
    assert_int_equal(comparison.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < comparison.count; i++) {
        const struct comparison_row *row = &comparison.rows[i];
        assert_int_equal(row->pair->shape.m, expected[i].size);
        assert_double_near(row->ratio, expected[i].ratio, 1e-12);
        assert_int_equal(isnan(row->ci_low), isnan(expected[i].low));
        if (!isnan(expected[i].low)) {
            assert_double_near(row->ci_low, expected[i].low, 1e-10);
            assert_double_near(row->ci_high, expected[i].high, 1e-10);
            assert_double_near(row->sd, expected[i].sd, 1e-12);
        }
        assert_double_near(row->margin, expected[i].margin, 0);
        assert_string_equal(row->size_class, expected[i].size_class);
        assert_int_equal(row->verdict, expected[i].verdict);
        assert_null(row->old);
    }
    assert_double_near(comparison.rows[0].old_seconds, 105e-6 * expected[0].ratio, 1e-16);
    assert_double_near(comparison.rows[0].new_seconds, 105e-6, 0);
    comparison_free(&comparison);
    const struct pairs alone = {list + 1, 1};
    comparison_paired(&alone, &policy, &comparison);
    assert_int_equal(comparison.count, 0);
    comparison_free(&comparison);
}

TEST(test_crossed) {
    struct pair old_list[] = {
        a_level(16, "lib", (struct pair){X(0, 0)}),
        a_level(64, "lib",
                (struct pair){.seconds = 8e-6, X(0.25, 0.21, 0.29, 0.20, 0.27, 0.24, 0.26)}),
        a_level(64, "previous", (struct pair){X(5, 6)}),
        a_level(65, "lib", (struct pair){.cache = "cold", X(0, 0)}),
        a_level(66, "lib", (struct pair){X(0.1)}),
        a_level(67, "lib", (struct pair){.candidate = "theirs", X(0, 0)}),
        a_level(67, "lib", (struct pair){.candidate = "theirs", .mode = "server", X(0, 0)}),
        a_level(67, "lib", (struct pair){.candidate = "third", X(0, 0)}),
    };
    struct pair new_list[] = {
        a_level(64, "lib", (struct pair){.seconds = 9e-6, X(0.31, 0.35, 0.30, 0.34)}),
        a_level(64, "previous", (struct pair){X(0, 0, 0)}),
        a_level(65, "lib", (struct pair){X(0, 0)}),
        a_level(66, "lib", (struct pair){X(0.2, 0.3)}),
    };
    const struct pairs old = {old_list, sizeof old_list / sizeof *old_list};
    const struct pairs new_ = {new_list, sizeof new_list / sizeof *new_list};
    struct comparison comparison;
    comparison_crossed(&old, &new_, "lib", &policy, &comparison);
    assert_false(comparison.paired);
    assert_int_equal(comparison.count, 2); /* not 16, the cold 65, and both kernels on 67 */
    const struct comparison_row *row = &comparison.rows[0];
    assert_int_equal(row->pair->shape.m, 64);
    assert_string_equal(row->pair->reference, "lib");
    assert_int_equal(row->pair->visits, 4);
    assert_int_equal(row->old->visits, 7);
    /* 8.096 degrees of freedom; a pooled variance would give 0.8858 to 0.9633. */
    assert_double_near(row->ratio, 0.9237759507504261, 1e-12);
    assert_double_near(row->ci_low, 0.8883580628342452, 1e-10);
    assert_double_near(row->ci_high, 0.9606059120601222, 1e-10);
    assert_double_near(row->sd, 0.02380476142847617, 1e-12);
    assert_double_near(row->old_seconds, 9e-6 * row->ratio, 1e-18);
    assert_double_near(row->new_seconds, 9e-6, 0);
    assert_int_equal(row->verdict, VERDICT_SLOWER);
    /* One visit on either side is too few for Welch. */
    assert_double_near(comparison.rows[1].ratio, exp(-0.15), 1e-12);
    assert_true(isnan(comparison.rows[1].ci_low) && isnan(comparison.rows[1].ci_high));
    assert_int_equal(comparison.rows[1].verdict, VERDICT_UNDECIDED);
    comparison_free(&comparison);
    comparison_crossed(&old, &new_, "none", &policy, &comparison);
    assert_int_equal(comparison.count, 0);
    comparison_free(&comparison);
}

/* Visits in which one shape is slow and the other quick: who mixes them up sees more spread. The
 * second has a visit more. */
static struct pair totals_list[4];
static struct comparison for_totals(void) {
    totals_list[0] = a_level(
        16, RUNDIR_PREVIOUS,
        (struct pair){.seconds = 2e-6, .reference_seconds = 1e-6, X(0.05, -0.03, 0.04, -0.02)});
    totals_list[1] = a_level(16, RUNDIR_PREVIOUS, (struct pair){.mode = "server", X(0.5)});
    totals_list[2] = a_level(17, RUNDIR_PREVIOUS,
                             (struct pair){.mode = "server", .candidate = "<b>", X(0.1, 0.1)});
    totals_list[3] = a_level(64, RUNDIR_PREVIOUS,
                             (struct pair){.seconds = 40e-6,
                                           .reference_seconds = 50e-6,
                                           X(-0.04, 0.05, -0.02, 0.03, 0.5)});
    const struct pairs speeds = {totals_list, 4};
    struct comparison comparison;
    comparison_paired(&speeds, &policy, &comparison);
    return comparison;
}

TEST(test_totals) {
    static struct comparison_total totals[COMPARISON_TOTALS];
    struct comparison comparison = for_totals();
    static const struct {
        const char *mode, *size_class;
        size_t shapes;
        double geomean, low, high;
    } expected[] = {
        {"offline", "", 2, 0.9445940693665233, 0.7331280890553502, 1.217056022273134},
        {"offline", "small", 1, 0.990049833749168, 0.9277792856889885, 1.0564998469208537},
        {"offline", "large", 1, 0.9012252974212047, 0.6821134877897809, 1.190721267429697},
        {"server", "", 2, 0.7408182206817179, NAN, NAN}, /* exp(-(0.5 + 0.1) / 2) */
        {"server", "small", 2, 0.7408182206817179, NAN, NAN},
    };
    assert_int_equal(comparison_totals(&comparison, totals), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(totals[i].mode, expected[i].mode);
        assert_string_equal(totals[i].lens, "device");
        assert_string_equal(totals[i].size_class, expected[i].size_class);
        assert_int_equal(totals[i].shapes, expected[i].shapes);
        assert_double_near(totals[i].geomean, expected[i].geomean, 1e-12);
        assert_int_equal(isnan(totals[i].low), isnan(expected[i].low));
        if (!isnan(expected[i].low)) {
            assert_double_near(totals[i].low, expected[i].low, 1e-10);
            assert_double_near(totals[i].high, expected[i].high, 1e-10);
        }
    }
    assert_int_equal(totals[0].verdicts[VERDICT_UNDECIDED], 2);
    assert_int_equal(totals[3].verdicts[VERDICT_SLOWER], 1);
    assert_int_equal(totals[3].verdicts[VERDICT_UNDECIDED], 1);
    assert_int_equal(totals[3].verdicts[VERDICT_FASTER] + totals[3].verdicts[VERDICT_SAME], 0);
    comparison_free(&comparison);
    assert_int_equal(comparison_totals(&comparison, totals), 0);
}

/* Two runs: the spread of the old visits counts for the whole too. */
TEST(test_crossed_totals) {
    static struct comparison_total totals[COMPARISON_TOTALS];
    struct pair old_list[] = {
        a_level(64, "lib", (struct pair){X(0.25, 0.21, 0.29, 0.20, 0.27)}),
        a_level(65, "lib", (struct pair){X(-0.10, -0.12, -0.08, -0.09)}),
    };
    struct pair new_list[] = {
        a_level(64, "lib", (struct pair){X(0.31, 0.35, 0.30, 0.34)}),
        a_level(65, "lib", (struct pair){X(-0.11, -0.14, -0.12, -0.15, -0.13)}),
    };
    const struct pairs old = {old_list, 2}, new_ = {new_list, 2};
    struct comparison comparison;
    comparison_crossed(&old, &new_, "lib", &policy, &comparison);
    assert_int_equal(comparison_totals(&comparison, totals), 2);
    assert_double_near(totals[0].geomean, 0.9760416688368561, 1e-12);
    assert_double_near(totals[0].low, 0.9444317741582214, 1e-10);
    assert_double_near(totals[0].high, 1.008709538764666, 1e-10);
    comparison_free(&comparison);
}

enum { SHOWN = 65536 };
static int write_shapes(FILE *out, const struct document *page) {
    return write_csv(out, page, "shapes");
}

static void show_page(const struct comparison *comparison,
                      int (*write)(FILE *, const struct document *), char text[SHOWN]) {
    static struct comparison_total totals[COMPARISON_TOTALS];
    const int count = comparison_totals(comparison, totals);
    assert_true(count >= 0);
    FILE *out = fmemopen(text, SHOWN, "w");
    assert_non_null(out);
    struct document *page = comparison_page(comparison, totals, (size_t)count, false);
    assert_int_equal(write(out, page), 0);
    document_free(page);
    assert_int_equal(fclose(out), 0);
}

/* Fails unless the texts stand one after another. */
static void assert_in_order(const char *text, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(text, parts[i]);
        if (!found)
            fail_msg("lacks \"%s\" from here on: %s", parts[i], text);
        text = found + strlen(parts[i]);
    }
}

TEST(test_page) {
    static char text[SHOWN];
    struct comparison comparison = for_totals();
    show_page(&comparison, write_markdown, text);
    const char *const parts[] = {
        "# Comparison of two releases\n",
        "time of the old release / the time of the new one: **above 1 the new one is faster**",
        "arms of the same blocks",
        "## The whole set",
        "| `offline` | `device` | **all** | 2 | 0.9446 (0.7331 to 1.2171) | 0 | 0 | 0 | 2 |",
        "| `offline` | `device` | small | 1 | 0.9900 (0.9278 to 1.0565) |",
        "| `offline` | `device` | large | 1 |",
        "| `server` | `device` | **all** | 2 | 0.7408 | 0 | 0 | 1 | 1 |",
        "## Shapes, the slowest first",
        "| 16x16x16 | `mine` | undecided | 0.607 | 4 | – | – | 1 | `server` | `device` | small |",
        ("| 64x64x64 | `mine` | undecided | 0.901 (0.682 to 1.191) | 2 | 36.05 µs | 40.00 µs | 5 | "
         "`offline` | `device` | large |"),
        "| 17x17x17 | `<b>` | slower | 0.905 (0.905 to 0.905) |",
        "| 16x16x16 | `mine` |",
        "[compare.csv](compare.csv)",
        "Student's t over the visits",
    };
    assert_in_order(text, parts, sizeof parts / sizeof *parts);
    assert_null(strstr(text, "nan"));
    comparison.paired = false;
    for (size_t i = 0; i < comparison.count; i++)
        comparison.rows[i].old = comparison.rows[i].pair;
    comparison.rows[2].old_seconds = 11170;
    comparison.rows[2].new_seconds = 12345;
    show_page(&comparison, write_markdown, text);
    const char *const crossed[] = {"**two runs**", "through the baseline `previous`", "| 1 | 1 |",
                                   "| 11170 s | 12345 s | 2 | 2 |", "Welch's t"};
    assert_in_order(text, crossed, sizeof crossed / sizeof *crossed);
    assert_null(strstr(text, "same blocks"));
    comparison_free(&comparison);
    show_page(&comparison, write_markdown, text);
    assert_non_null(strstr(text, "nothing is compared"));
}

/* Of two runs a number is of an unrecorded kernel as soon as it is in one of them. */
TEST(test_unrecorded) {
    static char text[SHOWN];
    struct pair before[] = {a_level(64, "lib", (struct pair){X(0.1, 0.2)}),
                            a_level(65, "lib", (struct pair){X(0.1, 0.2)}),
                            a_level(66, "lib", (struct pair){X(0.1, 0.2)})};
    struct pair now[] = {before[0], before[1], before[2]};
    before[0].unrecorded = now[1].unrecorded = true;
    const struct pairs old = {before, 3}, new_ = {now, 3};
    struct comparison comparison;
    struct comparison_total totals[COMPARISON_TOTALS];
    comparison_crossed(&old, &new_, "lib", &policy, &comparison);
    assert_true(comparison.rows[0].unrecorded && comparison.rows[1].unrecorded);
    assert_false(comparison.rows[2].unrecorded);
    assert_true(comparison_totals(&comparison, totals) > 0);
    assert_int_equal(totals[0].unrecorded, 2);
    show_page(&comparison, write_shapes, text);
    const char *const lines[] = {"64,64,64,mine,lib,offline,device,warm,1,large,",
                                 "66,66,66,mine,lib,offline,device,warm,0,large,"};
    assert_in_order(text, lines, 2);
    show_page(&comparison, write_markdown, text);
    const char *const parts[] = {"2 are of *unrecorded* kernels.", "| 1.000 unrecorded (",
                                 "*unrecorded*: the kernel's work could not be recorded"};
    assert_in_order(text, parts, 3);
    comparison_free(&comparison);
}

TEST(test_csv_and_terminal) {
    static char text[SHOWN];
    struct comparison comparison = for_totals();
    show_page(&comparison, write_shapes, text);
    const char *const parts[] = {("m,n,k,candidate,reference,mode,lens,cache,unrecorded,size_class,"
                                  "verdict,outcome,left_out,ratio,ci_low,ci_high,sd,"
                                  "margin,old_seconds,new_seconds,visits,old_visits\n"
                                  "16,16,16,mine,previous,offline,device,warm,0,small,undecided,,,"
                                  "0.990049833749,0.927779285689,"
                                  "1.05649984692,0.0408248290464,0.04,1.9800996675e-06,2e-06,4,\n"
                                  "16,16,16,mine,previous,server,device,warm,0,small,undecided,,,0."
                                  "606530659713,,,,0.04,0,0,1,"
                                  "\n"),
                                 "\n64,64,64,mine,"};
    assert_in_order(text, parts, sizeof parts / sizeof *parts);

    show_page(&comparison, write_text, text);
    const char *const lines[] = {
        "above 1 the new one is faster",
        "\nmode     lens    class  rows",
        "\noffline  device  all       2  0.9446 (0.7331 to 1.2171) ",
        "\nserver   device  all       2",
    };
    assert_in_order(text, lines, sizeof lines / sizeof *lines);
    assert_null(strstr(text, "16x16x16"));
    comparison_free(&comparison);
    show_page(&comparison, write_text, text);
    assert_non_null(strstr(text, "nothing is compared"));
    show_page(&comparison, write_shapes, text);
    assert_null(strchr(strchr(text, '\n') + 1, '\n'));
}

TESTS_BETWEEN(scratch_make, scratch_remove)
