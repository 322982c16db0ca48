/* report.html of a run. With a folder as argument nothing is tested: a run of 1,000
 * shapes is left there with its page, for tests/html_browser.sh. */

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/report/report.h"
#include "reports/rows/derive.h"
#include "reports/tables/claims.h"
#include "tests/support/read_run.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/well_formed.h"
#define OWN_MAIN
#include "tests/support/test.h"

/* Runs to make pages of. */

static const int64_t sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const baselines[] = {"torch-matmul",
                                        "cublas-nn",
                                        "cublas-tn",
                                        "cublas-max",
                                        "cublaslt-heuristic-nn",
                                        "cublaslt-heuristic-tn",
                                        "cublaslt-heuristic-max",
                                        "cublaslt-autotune-nn",
                                        "cublaslt-autotune-tn",
                                        "cublaslt-autotune-max",
                                        "openblas-max"};
enum { BASELINES = sizeof baselines / sizeof *baselines };

static const char *place_of(const char *lens) {
    const bool held = strcmp(lens, "device") == 0 || strcmp(lens, "stream") == 0;
    return held ? "stage" : "own";
}

static void add_ratio(struct rows *rows, struct shape shape, const char *candidate,
                      const char *baseline, const char *mode, const char *lens, double ratio) {
    struct ratio_row row = {.shape = shape,
                            .cache = "warm",
                            .speedup = ratio * 1.001 - 1,
                            .ratio = ratio,
                            .ci_low = ratio * 0.99,
                            .ci_high = ratio * 1.01,
                            .samples = 500,
                            .visits = 3,
                            .freedom = 8,
                            .reward = ratio};
    row.candidate = candidate;
    row.baseline = baseline;
    row.mode = mode;
    row.lens = lens;
    row.place = place_of(lens);
    row.verdict = row.ci_low > 1 ? "faster" : row.ci_high < 1 ? "slower" : "undecided";
    row.variance = derive_variance(&row);
    rows_add_ratio(rows, &row);
    struct visit_row visit = {.shape = shape};
    visit.candidate = row.candidate;
    visit.baseline = row.baseline;
    visit.mode = row.mode;
    visit.lens = row.lens;
    for (; visit.visit < 3; visit.visit++) {
        visit.ratio = ratio * exp(0.002 * (visit.visit - 1));
        rows_add_visit(rows, &visit);
    }
}

static void add_check(struct rows *rows, struct shape shape, const char *candidate,
                      const char *outcome, const char *seen, double padding, const char *detail) {
    struct check_row row = {.shape = shape,
                            .share_compared = 1,
                            .deviation = 0.01,
                            .bound = 0.02,
                            .paper_bound = 0.02,
                            .padding_share = padding,
                            .claimed = "f16",
                            .source = "M_N_K.cu",
                            .layout = "nn"};
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", candidate);
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    snprintf(row.seen, sizeof row.seen, "%s", seen);
    snprintf(row.detail, sizeof row.detail, "%s", detail);
    rows_add_check(rows, &row);
}

static void add_time(struct rows *rows, struct shape shape, const char *candidate,
                     const char *kernel, double seconds) {
    struct time_row row = {.shape = shape,
                           .mode = "offline",
                           .lens = "device",
                           .cache = "warm",
                           .samples = 500,
                           .visits = 3,
                           .mean = seconds,
                           .median = seconds,
                           .sd = seconds / 50,
                           .p05 = seconds,
                           .p90 = seconds,
                           .p95 = seconds,
                           .p99 = seconds,
                           .tflops = shape_flops(shape) / seconds / 1e12,
                           .sm_mhz = 1410,
                           .cycles = seconds * 1410e6,
                           .light_seconds = fmax(1e-6, shape_flops(shape) / 312e12)};
    row.candidate = candidate;
    row.kernel = kernel;
    row.place = place_of(row.lens);
    row.host_seconds = NAN;
    rows_add_time(rows, &row);
    row.lens = "call";
    row.place = place_of(row.lens);
    row.median = row.mean = seconds + 4e-6;
    row.host_seconds = strcmp(kernel, candidate) == 0 ? 3e-6 : strstr(kernel, "-tn") ? 5e-6 : 8e-6;
    rows_add_time(rows, &row);
}

/* Something between -1 and 1 of a shape, the same wherever it is asked for. */
static double wobble(struct shape shape, unsigned salt) {
    uint64_t hash = (uint64_t)shape.m * 2654435761u + (uint64_t)shape.n * 40503u +
                    (uint64_t)shape.k * 69069u + salt * 97u;
    hash ^= hash >> 13;
    hash *= 0x9e3779b97f4a7c15u;
    return (double)(hash >> 40) / (double)(1 << 23) - 1;
}

/* One unit as the paper's set could look: small products gain by launch. */
static void add_unit(struct rows *rows, struct shape shape, const char *candidate) {
    const double size = log2(shape_flops(shape) / 2), launch = fmax(0, 36 - size) / 60,
                 kernel = 0.15 * wobble(shape, 1) + (30 - size) / 150;
    const unsigned kind =
        shape.m * shape.n * shape.k == 64 * 64 * 128 ? 1 : (unsigned)(12 * (1 + wobble(shape, 2)));
    if (kind == 0 || kind == 1) {
        add_check(rows, shape, candidate, kind ? "precision" : "no-compile", kind ? "f16" : "", 0,
                  kind ? "partial sums of 2048 ones and one 2^-11: 2048" : "error: <nothing>");
        return;
    }
    add_check(rows, shape, candidate, "ok", "f16", kind < 5 ? 0.004 * kind : 0, "");
    for (size_t b = 0; b < BASELINES; b++) {
        const double more = 0.02 * (double)(BASELINES - b);
        add_ratio(rows, shape, candidate, baselines[b], "offline", "call",
                  exp(kernel + launch + more));
        add_ratio(rows, shape, candidate, baselines[b], "offline", "device", exp(kernel + more));
        add_ratio(rows, shape, candidate, baselines[b], "offline", "stream",
                  exp(kernel - 0.02 + more));
        add_ratio(rows, shape, candidate, baselines[b], "server", "call",
                  exp(kernel + 1.2 * launch + more));
    }
    const double light = fmax(1e-6, shape_flops(shape) / 312e12);
    add_time(rows, shape, candidate, candidate, light * (1.5 + wobble(shape, 3) / 3));
    add_time(rows, shape, candidate, "cublaslt-autotune-nn",
             light * (1.5 + wobble(shape, 3) / 3) * exp(kernel));
    add_time(rows, shape, candidate, "cublaslt-autotune-tn",
             light * (1.4 + wobble(shape, 3) / 3) * exp(kernel));
    const struct control_row control = {.shape = shape,
                                        .control = "aa",
                                        .baseline = "cublas-nn",
                                        .mode = "offline",
                                        .lens = "call",
                                        .ratio = 1 + 0.001 * wobble(shape, 4),
                                        .ci_low = 0.996,
                                        .ci_high = 1.004,
                                        .samples = 500,
                                        .visits = 3,
                                        .planted = NAN,
                                        .found = NAN,
                                        .verdict = "ok"};
    struct control_row own = control;
    own.candidate = candidate;
    rows_add_control(rows, &own);
    struct audit_row audit = {.shape = shape,
                              .part = "source",
                              .finding = "unchecked-launch",
                              .level = "fact",
                              .number = 1,
                              .text = "no status of the launch is asked for"};
    snprintf(audit.candidate, sizeof audit.candidate, "%s", candidate);
    snprintf(audit.kernel, sizeof audit.kernel, "%s", candidate);
    rows_add_audit(rows, &audit);
    if (shape.m == 128 && shape.n == 128 && shape.k == 128) {
        strcpy(audit.finding, "sync-per-call");
        rows_add_audit(rows, &audit);
    }
    struct condition_row condition = {.shape = shape,
                                      .mode = "offline",
                                      .device = "cuda:0",
                                      .steady = "yes",
                                      .blocks = 500,
                                      .sm_mhz_min = 1400,
                                      .sm_mhz_mean = 1405,
                                      .sm_mhz_max = 1410,
                                      .memory_mhz_mean = 1593,
                                      .power_w_mean = 250,
                                      .power_w_max = 390,
                                      .temperature_c_max = 60,
                                      .processes = 1};
    snprintf(condition.candidate, sizeof condition.candidate, "%s", candidate);
    rows_add_condition(rows, &condition);
}

/* SIZES^3 shapes at most: those of the first `count` sizes. */
static void write_run(const char *run, size_t count, const char *candidate) {
    json_t *shapes = json_array();
    struct rows rows = {0};
    char text[SHAPE_TEXT];
    for (size_t m = 0; m < count; m++)
        for (size_t n = 0; n < count; n++)
            for (size_t k = 0; k < count; k++) {
                const struct shape shape = {sizes[m], sizes[n], sizes[k]};
                json_array_append_new(shapes, json_string(shape_format(shape, text)));
                add_unit(&rows, shape, candidate);
            }
    json_t *plan = json_pack(
        "{s:s, s:s, s:s, s:s, s:[s,s], s:[s,s,s], s:[s,s], s:s, s:f, s:i, s:s, s:i, s:o, s:[]}",
        "device", "cuda:0", "suite", count == SIZES ? "paper" : "shapes", "set", candidate,
        "accumulate", "f16", "modes", "offline", "server", "lenses", "call", "device", "stream",
        "baselines", "torch-matmul", "cublas-nn", "protocol", "fast", "precision", 0.01, "visits",
        3, "seed", "1", "workspace_bytes", 33554432, "shapes", shapes, "units");
    json_t *manifest = json_pack(
        "{s:{s:{s:f, s:f, s:f, s:f}}, s:{s:s, s:{s:i}}, s:s, s:{s:s}, s:[{s:s}], s:b}", "limits",
        "rates", "f16_flops", 312e12, "l2_bytes", 4e12, "dram_bytes", 2e12, "l2_size", 4e7, "gpu",
        "name", "NVIDIA A100-SXM4-80GB", "clocks", "sm_mhz", 1410, "driver", "580.65", "cuda",
        "cublas", "13.1", "kernels", "label", candidate, "complete", 1);
    json_t *command = json_pack("{s:s, s:s, s:[s,s,s,s]}", "command", "run", "folder", "/a/folder",
                                "words", "--suite", "paper", "--candidates", "cuda-l2:it's & that");
    assert_true(plan && manifest && command);
    assert_int_equal(rundir_create(run, plan, 0), 0);
    assert_int_equal(jsonfile_write(run, "command.json", command), 0);
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    assert_int_equal(jsonfile_write(run, "manifest.json", manifest), 0);
    json_decref(plan);
    json_decref(manifest);
    json_decref(command);
    rows_free(&rows);
}

/* The caller frees. */
static char *read_report(const char *run, const char *name) {
    char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    return strdup(scratch_read(path));
}

static char *make_page(const char *run, const char *claims) {
    assert_int_equal(report_make(&(struct report_call){
                         .runs = (const char *const[]){run}, .count = 1, .claims_file = claims}),
                     EXIT_PASS);
    char *page = read_report(run, "report/report.html");
    assert_well_formed(page);
    return page;
}

static bool has_gnuplot(void) {
    return system("gnuplot --version > /dev/null 2>&1") == 0;
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    while ((text = strstr(text, word))) {
        text++;
        count++;
    }
    return count;
}

/* Every id once, and every link inside the page leads to one. */
static void links_lead_somewhere(const char *page) {
    static const char mark[] = "href=\"#";
    for (const char *at = page; (at = strstr(at, mark)); at++) {
        char id[128];
        snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(at + sizeof mark - 1, "\""),
                 at + sizeof mark - 1);
        if (count_of(page, id) != 1)
            fail_msg("%s is there %zu times", id, count_of(page, id));
    }
}

/* Headings go down one level at a time. */
static void headings_are_in_order(const char *page) {
    int last = 0;
    assert_int_equal(count_of(page, "<h1>"), 1);
    for (const char *at = page; (at = strstr(at, "<h")); at++) {
        if (!isdigit((unsigned char)at[2]))
            continue;
        assert_true(at[2] - '0' <= last + 1);
        last = at[2] - '0';
    }
}

TEST(a_page_of_a_run) {
    if (!has_gnuplot())
        skip();
    const char *run = scratch_path("run");
    write_run(run, 3, "a100_F16F16F16F16");
    char *page = make_page(run, SOURCE "/ci/claims.csv");
    links_lead_somewhere(page);
    headings_are_in_order(page);
    static const char *const wanted[] = {
        "<strong>Controls passed</strong>",
        "<a href=\"#claims\">Claims</a>: none of 18 can be compared.",
        "<details class=\"part\"><summary><h3 id=\"not-comparable\">18 not "
        "comparable</h3></summary>",
        "other shapes, 27 and not 1000",
        "times the speed of cublaslt-autotune-max</strong> by <code>device</code>, offline: the "
        "geometric mean over 24 shapes, with a 95 % interval over visits of ",
        /* From ratios.csv, checks.csv and times.csv, by Python's statistics. */
        "<th scope=\"row\">all</th><td class=\"n\">24</td><td class=\"n\">+40.4</td>"
        "<td class=\"n\">+9.8</td><td class=\"n\">+27.9</td><td class=\"n\">4</td>",
        "<caption>Table 1, by lens and library</caption>",
        "<th scope=\"col\" class=\"n\">better of both %</th></tr>",
        "<details class=\"part\"><summary><h3 id=\"layouts\">Single layouts, -nn and "
        "-tn</h3></summary>",
        "<details class=\"part\"><summary><h2 id=\"reading\">How to read this</h2></summary>",
        "id=\"figure-6\"",
        /* 20.217 TFLOP/s of 312 */
        "<th scope=\"col\" class=\"n\">% of f16 peak</th>",
        "<td class=\"n\">1.660 µs</td><td class=\"n\">20.2</td><td class=\"n\">6.5</td>",
        /* By the one lens of a mode. */
        "<tr><th scope=\"row\">256x256x256</th><td class=\"n good\">1.339 <small>",
        "by size, device lens; offline: 1.0",
        "<a href=\"#refused\">3 of 27 kernels on shapes</a> <strong>were refused</strong> and are "
        "in no "
        "number.",
        "faster by <code>call</code>, slower by <code>stream</code>",
        "<td>precision</td>",
        "unchecked-launch",
        "All that is known of machine and software is in <code>manifest.json</code>",
        "<code>gemmgate run --suite paper --candidates &#39;cuda-l2:it&#39;\\&#39;&#39;s &amp; "
        "that&#39; "
        "--seed 1 -o RUN\ngemmgate report RUN --claims ",
        "given in the folder <code>/a/folder</code>",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        says(page, wanted[i]);
    assert_int_equal(count_of(page, " src="), 6); /* nothing is fetched: the figures are in it */
    assert_int_equal(count_of(page, " src=\"data:image/svg+xml,%3C?xml"), 6);
    assert_int_equal(count_of(page, "<table"), count_of(page, "<caption>"));
    free(page);
    page = read_report(run, "report/report.md");
    says(page, "\n## What is claimed, and what was measured\n");
    says(page, "/ci/claims.csv; tolerance 3 points. [How a claim is "
               "judged](#reading).\n");
    says(page, "\n| 22.0 % faster than torch.matmul on average, offline | 22.0 | ");
    says(page, " of 1000 | **not comparable**: other shapes, 27 and not 1000 | call | "
               "arXiv 2512.02551, Table 1 and abstract (page 1) |\n");
    says(page, "[Claims](#claims): none of 18 can be compared.\n");
    says(page, "\n### 18 not comparable\n\n<details><summary>Show</summary>\n");
    free(page);
}

/* Names and texts from outside that try to be markup. */
TEST(nasty_names_stay_text) {
    static const char nasty[] = "</table><script>x</script>&amp;'\"`$(touch x)`";
    const char *run = scratch_path("nasty");
    write_run(run, 2, "label");
    struct rows rows = {0};
    assert_int_equal(read_rows(run, &rows), 0);
    for (size_t i = 0; i < rows.ratio_count; i++)
        rows.ratios[i].candidate = nasty;
    for (size_t i = 0; i < rows.time_count; i++)
        rows.times[i].candidate = nasty;
    for (size_t i = 0; i < rows.check_count; i++) {
        struct check_row *row = &rows.checks[i];
        snprintf(row->candidate, RUNDIR_NAME, "%s", nasty);
        snprintf(row->kernel, RUNDIR_NAME, "%s", nasty);
        strcpy(row->outcome, "crashed");
        snprintf(row->detail, sizeof row->detail, "%s\377\xed\xa0\x80", nasty);
    }
    for (size_t i = 0; i < rows.audit_count; i++)
        snprintf(rows.audits[i].text, sizeof rows.audits[i].text, "%s | ** [x](y) `", nasty);
    assert_int_equal(rows_csv_write(run, ROWS_CSV_RUN, &rows), 0);
    rows_free(&rows);
    if (has_gnuplot()) {
        char *page = make_page(run, NULL);
        says(page, "&lt;/table&gt;&lt;script&gt;x&lt;/script&gt;&amp;amp;&#39;&quot;`");
        assert_int_equal(count_of(page, "<script>"), 1);
        free(page);
    }
}

/* One shape alone: what became of its kernels, all arms; a shape that is not there is told. */
/* Without gnuplot the page is there all the same, and says what is missing. */
TEST(a_page_without_figures) {
    const char *run = scratch_path("bare");
    char *path = strdup(getenv("PATH"));
    write_run(run, 2, "label");
    assert_int_equal(setenv("PATH", scratch, 1), 0);
    assert_says(report_make(&(struct report_call){.runs = (const char *const[]){run}, .count = 1}),
                EXIT_PASS, "gnuplot is not installed");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    char *page = read_report(run, "report/report.html");
    assert_well_formed(page);
    links_lead_somewhere(page);
    says(page, "Not drawn");
    says_not(page, "What is claimed"); /* what has nothing to say is not there, nor a link to it */
    says_not(page, "href=\"#claims\"");
    says(page, "href=\"#verdict\"");
    says_not(page, "<figure");
    free(page);
    page = read_report(run, "report/report.md");
    says_not(page, "What is claimed");
    free(page);
}

/* A bad list of claims is said before anything is written. */
TEST(bad_claims_stop_a_report) {
    const char *run = scratch_path("claimed");
    write_run(run, 1, "label");
    assert_says(report_make(&(struct report_call){.runs = (const char *const[]){run},
                                                  .count = 1,
                                                  .claims_file = put("set\na\n")}),
                EXIT_TROUBLE, "claims.csv:1: no column 'quantity'");
    assert_int_equal(access(scratch_path("claimed/report"), F_OK), -1);
}

/* A run of nothing but a plan. */
TEST(an_empty_run_has_a_page) {
    const char *run = scratch_path("empty");
    json_t *plan = json_pack("{s:[]}", "units");
    assert_int_equal(rundir_create(run, plan, 0), 0);
    json_decref(plan);
    char *page = make_page(run, NULL);
    says(page, "No candidate was timed");
    says_not(page, "manifest.json"); /* there is none */
    free(page);
}

TESTS_BETWEEN(scratch_make, scratch_remove)

int main(int argc, char **argv) {
    if (argc == 2) {
        char run[PATH_MAX];
        if (files_join(run, argv[1], "run") < 0)
            return EXIT_TROUBLE;
        write_run(run, SIZES, "a100_F16F16F16F16");
        return report_make(&(struct report_call){.runs = (const char *const[]){run},
                                                 .count = 1,
                                                 .claims_file = SOURCE "/ci/claims.csv"});
    }
    return tests_run();
}
