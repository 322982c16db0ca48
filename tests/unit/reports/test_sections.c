/* What the queries of a report's sections say of made-up rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/writers.h"
#include "tests/support/one_visit.h"
#include "tests/support/section.h"
#include "tests/support/test.h"

static struct rows rows;
static char *text; /* of the section */

static int forget(void **state) {
    (void)state;
    rows_free(&rows);
    free(text);
    text = NULL;
    return 0;
}

static void write_section(const char *template) {
    rows.visit_count = 0;
    one_visit(&rows);
    struct document *page = section_of(&rows, template);
    size_t size;
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    assert_int_equal(write_json(out, page), 0);
    assert_int_equal(fclose(out), 0);
    document_free(page);
}

static void says(const char *words) {
    if (!strstr(text, words))
        fail_msg("the section lacks \"%s\": %s", words, text);
}

static void says_not(const char *words) {
    if (strstr(text, words))
        fail_msg("the section has \"%s\": %s", words, text);
}

static void add_ratio(int64_t m, const char *lens, const char *baseline, double ratio,
                      const char *verdict) {
    struct ratio_row row = {.shape = {m, 64, 64},
                            .candidate = "mine",
                            .mode = "offline",
                            .lens = lens,
                            .baseline = baseline,
                            .place = "own",
                            .speedup = ratio - 1,
                            .ratio = ratio,
                            .ci_low = ratio - 0.125,
                            .ci_high = ratio + 0.125,
                            .visits = 2,
                            .timed_visits = 12,
                            .variance = NAN,
                            .verdict = verdict};
    rows_add_ratio(&rows, &row);
}

static void add_check(int64_t m, const char *kernel, const char *outcome, double deviation) {
    struct check_row row = {.shape = {m, 64, 64},
                            .candidate = "mine",
                            .deviation = deviation,
                            .bound = 0.5,
                            .paper_bound = 0.25,
                            .padding_share = m == 64 ? 0.125 : 0,
                            .detail = "found"};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    rows_add_check(&rows, &row);
}

/* The same with what was found. */
static void add_found(int64_t m, const char *kernel, const char *outcome, const char *detail) {
    add_check(m, kernel, outcome, NAN);
    snprintf(rows.checks[rows.check_count - 1].detail, sizeof rows.checks->detail, "%s", detail);
}

static void add_audit(int64_t m, const char *kernel, const char *finding, const char *level,
                      double number) {
    struct audit_row row = {.shape = {m, 64, 64},
                            .candidate = "mine",
                            .part = "calls",
                            .number = number,
                            .text = "seen"};
    snprintf(row.level, sizeof row.level, "%s", level);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.finding, sizeof row.finding, "%s", finding);
    rows_add_audit(&rows, &row);
}

static void add_time(int64_t m, const char *lens, double marked) {
    struct time_row row = {.shape = {m, 64, 64},
                           .candidate = "mine",
                           .kernel = "mine",
                           .mode = "offline",
                           .lens = lens,
                           .median = 2e-6,
                           .tflops = 50,
                           .marked = marked};
    rows_add_time(&rows, &row);
}

TEST_WITH(a_gain_is_told_of_two_lenses, NULL, forget) {
    add_ratio(16, "call", "cublas-max", 1.5, "faster");
    write_section(assets_gain_md);
    says_not("gain");
    add_ratio(16, "device", "cublas-max", 1.2, "same");
    write_section(assets_gain_md);
    says("| log2 MNK | shapes | call: all % | device: kernel % | the rest: launch % | faster by "
         "call alone |");
    says("| all | 1 | +50.0 | +20.0 | +25.0 | 1 |");
}

/* Of two that deviate one is over the paper's bound; of two that passed one is; a library counts for
 * itself. */
TEST_WITH(refused_kernels_stand_beside_their_bounds, NULL, forget) {
    add_check(8, "cublas-nn", "crashed", NAN);
    add_check(8, "mine", "deviates", 1);
    add_check(16, "mine", "deviates", 0.125);
    add_check(32, "mine", "ok", 0.3);
    add_check(48, "mine", "ok", 0.2);
    add_check(64, "mine", "unsupported", NAN);
    add_check(80, "mine", "not-built", NAN);
    add_check(96, "mine", "unrecorded", 0.1);
    write_section(assets_refused_md);
    says("1 times a kernel was asked for a shape or accumulate it does not serve.");
    says("3 of 5 checks of a kernel on a shape did not pass.");
    says("2 of 5 kernels are refused for their deviation (`deviates`).");
    says("| crashed | was killed by a signal | 0 | 1 |\n");
    says("| deviates | is farther from the FP32 product than every baseline | 2 | 0 |\n");
    says("| 8x64x64 | mine | deviates | 1 | 0.5 | 0.25 | found |\n"
         "| 16x64x64 | mine | deviates | 0.125 | 0.5 | 0.25 | found |\n"
         "| 8x64x64 | cublas-nn | crashed | – | 0.5 | 0.25 | found |\n");
    says("\"times_paper_bound\": 4");
    says("\"shape\": \"32x64x64\"");
    says_not("\"shape\": \"48x64x64\"");
}

TEST_WITH(every_shape_has_all_lenses_in_one_row, NULL, forget) {
    add_ratio(64, "call", "cublas-max", 1.5, "faster");
    add_ratio(64, "device", "cublas-max", 0.5, "slower");
    add_ratio(32, "device", "cublas-max", 1, "same");
    rows.ratios[1].left_out = 2;
    add_check(64, "mine", "ok", 0);
    add_check(32, "mine", "unrecorded", 0);
    add_time(64, "device", 0);
    add_time(32, "call", 0);
    sqlite3 *db = section_load(&rows);
    struct document *page = document_new("");
    sections_shapes(page, db, "run");
    sqlite3_close(db);
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_html(out, page, "."), 0);
    fclose(out);
    document_free(page);
    says("<th scope=\"row\">64x64x64</th><td class=\"n bad\">0.500 <small>0.375 to "
         "0.625</small></td><td>slower</td>"
         "<td class=\"n good\">1.500</td><td class=\"n\">2.000 µs</td><td class=\"n\">50</td>"
         "<td class=\"n\">12.5</td><td class=\"long\">device: 2 of 12 visits left out: "
         "disturbed</td>");
    says("<th scope=\"row\">32x64x64</th><td class=\"n\">1.000 unrecorded <small>0.875 to "
         "1.125</small></td><td>same</td>"
         "<td class=\"n\" title=\"not timed by this lens\">–</td>");
    says_not("ratio, stream");
}

TEST_WITH(conditions_and_marked_times_are_summed, NULL, forget) {
    const struct condition_row all[] = {{.mode = "offline",
                                         .disturbed = 0,
                                         .steady = "no",
                                         .sm_mhz_min = 900,
                                         .sm_mhz_mean = 1000,
                                         .sm_mhz_max = 1100,
                                         .power_w_mean = 300,
                                         .power_w_max = 400,
                                         .processes = 3,
                                         .throttle = "power",
                                         .timed_seconds = 1,
                                         .wall_seconds = 4},
                                        {.mode = "offline",
                                         .disturbed = 0.5,
                                         .steady = "unknown",
                                         .sm_mhz_min = 800,
                                         .sm_mhz_mean = 1200,
                                         .sm_mhz_max = 1300,
                                         .power_w_mean = NAN,
                                         .processes = 1,
                                         .throttle = "power",
                                         .timed_seconds = 1,
                                         .wall_seconds = 4}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rows_add_condition(&rows, &all[i]);
    add_time(8, "call", 0.06);
    add_time(16, "device", 0.5);
    add_time(8, "stream", 0.05);
    write_section(assets_trust_md);
    says("| offline | |\n| --- | --- |\n| units (a shape with a candidate) | 2 |\n"
         "| units with disturbed blocks | 1; 25.00 % of blocks |\n| most processes at once on the "
         "GPU | 3 |\n"
         "| units not steady after the warm-up | 1 |\n| SM clock | 800 to 1300, mean 1100 MHz |\n");
    says("| share of timing inside timed intervals | 25 % |\n| throttle reasons seen (units) | "
         "power (2) |\n");
    says("| power, mean | 300, most 400 W |\n");
    says("launch outlasted the hold: 2 of 3: 8x64x64 mine call offline (6 %), 16x64x64 mine "
         "device offline");
}

/* Over the shapes of both lenses call has 1.5 and 0.5. */
TEST_WITH(lines_of_uneven_lenses_are_compared_over_common_shapes, NULL, forget) {
    add_ratio(64, "call", "cublas-max", 1.5, "faster");
    add_ratio(64, "device", "cublas-max", 0.5, "slower");
    add_ratio(32, "call", "cublas-max", 0.5, "slower");
    add_ratio(32, "device", "cublas-max", 1.5, "");
    add_ratio(16, "call", "cublas-max", 4, "faster");
    add_ratio(64, "call", "cublas-nn", 2, "");
    write_section(assets_lenses_md);
    says("| baseline | ratio (95 %) | lens | shapes | faster | slower | same | undecided | paper's "
         "mean % | better of both % | shapes of all lenses |");
    says("| cublas-max | 1.442 | call | 3 | 2 | 1 | 0 | 0 | +100.0 | +116.7 | 0.866 |\n"
         "| cublas-max | 0.866 | device | 2 | 0 | 1 | 0 | 0 | +0.0 | +25.0 | – |\n");
    says("### Single layouts, -nn and -tn\n\n<details><summary>Show</summary>\n\n| baseline |");
    says("| cublas-nn | 2.000 | 1 |");
    write_section(assets_data_md);
    says("\"better_of_both\": 1.1666666666");
    says("\"leads\": 1");
}

/* What refuses a kernel first; a kernel counts once at a shape, however many rows it has. */
TEST_WITH(facts_are_summed_in_one_table, NULL, forget) {
    add_audit(64, "mine", "dependent-launch", "fact", 1);
    add_audit(64, "mine", "dependent-launch", "fact", 2);
    add_audit(128, "mine", "dependent-launch", "fact", 1);
    add_audit(128, "cublas-nn", "dependent-launch", "fact", 1);
    add_audit(64, "mine", "workspace", "refused", 1);
    write_section(assets_recordings_md);
    says("## What the recordings show");
    says("| `workspace` | refused | calls | 1 | 64x64x64 mine: seen |\n"
         "| `dependent-launch` | fact | calls | 3 | 64x64x64 mine: seen |\n");
    says_not("Unrecorded");
}

TEST_WITH(each_unrecorded_kernel_has_its_sentence, NULL, forget) {
    add_found(64, "mine", "unrecorded", "it launches a graph (cuGraphLaunch): launch its kernels");
    add_found(64, "previous", "ok", "");
    add_found(128, "mine", "ok", "");
    add_found(128, "previous", "unrecorded", "it makes a stream (cuStreamCreate): use its own");
    add_found(256, "mine", "inexact", "wrong by 4");
    write_section(assets_recordings_md);
    says("Unrecorded: 2 kernels on shapes.");
    says("| 64x64x64 | mine | it launches a graph (cuGraphLaunch): launch its kernels |\n"
         "| 128x64x64 | previous | it makes a stream (cuStreamCreate): use its own |\n");
    says_not("wrong by");
    write_section(assets_refused_md);
    says("1 of 3 checks of a kernel on a shape did not pass");
    says("wrong by 4");
    says_not("graph");
}

TEST_WITH(without_any_nothing_is_said, NULL, forget) {
    add_found(64, "mine", "ok", "");
    write_section(assets_recordings_md);
    says_not("recordings");
}
