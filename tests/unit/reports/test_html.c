/* report.html and the claims in it. With a folder as argument nothing is tested: a run of 1,000
 * shapes is left there with its page, for tests/html_browser.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/document.h"
#include "reports/page/html_text.h"
#include "reports/page/write_html.h"
#include "reports/report/report.h"
#include "reports/run/rows_csv.h"
#include "reports/tables/claims.h"
#include "tests/support/doubles.h"
#include "tests/support/says.h"
#include "tests/support/scratch.h"

/* Well-formedness, as far as an XML parser without a DTD would complain: every tag is closed in
 * order, attributes are quoted and said once, no stray <, no & but those that XML knows. NULL, or
 * where it ends. */
enum { DEPTH = 64 };

static const char *skip_entity(const char *at) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return at + strlen(known[i]);
    return NULL;
}

static size_t name_length(const char *text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || strchr("-:_", text[n]) || !text[n])
        if (!text[n++])
            return n - 1;
    return n;
}

/* Behind the attributes, or NULL. */
static const char *skip_attributes(const char *at) {
    const char *names[32];
    size_t lengths[32], count = 0;
    for (;;) {
        const char *next = at + strspn(at, " \n\t");
        if (*next == '>' || *next == '/')
            return next;
        const size_t n = name_length(next);
        const char *equals = next + n + strspn(next + n, " ");
        if (next == at || n == 0 || *equals != '=' || count == 32)
            return NULL;
        at = equals + 1 + strspn(equals + 1, " ");
        const char quote = *at++;
        if (quote != '"' && quote != '\'')
            return NULL;
        for (size_t i = 0; i < count; i++)
            if (lengths[i] == n && strncmp(names[i], next, n) == 0)
                return NULL;
        names[count] = next;
        lengths[count++] = n;
        while (*at != quote) {
            if (!*at || *at == '<')
                return NULL;
            at = *at == '&' ? skip_entity(at) : at + 1;
            if (!at)
                return NULL;
        }
        at++;
    }
}

static const char *malformed(const char *text) {
    const char *open[DEPTH];
    size_t lengths[DEPTH], depth = 0;
    const char *at = text;
    if (strncmp(at, "<!DOCTYPE html>", 15) == 0)
        at += 15;
    while (*at) {
        const char *start = at;
        if (*at == '&') {
            if (!(at = skip_entity(at)))
                return start;
        } else if (*at != '<') {
            at++;
        } else if (at[1] == '/') {
            const size_t n = name_length(at + 2);
            if (depth == 0 || n != lengths[depth - 1] || strncmp(at + 2, open[depth - 1], n) != 0 ||
                at[2 + n] != '>')
                return start;
            depth--;
            at += n + 3;
        } else {
            const size_t n = name_length(at + 1);
            if (n == 0 || depth == DEPTH || !(at = skip_attributes(at + 1 + n)))
                return start;
            if (strncmp(at, "/>", 2) == 0) {
                at += 2;
            } else if (*at == '>') {
                open[depth] = start + 1;
                lengths[depth++] = n;
                at++;
            } else {
                return start;
            }
        }
    }
    return depth ? at : NULL;
}

static void assert_well_formed(const char *text) {
    const char *at = malformed(text);
    if (at)
        fail_msg("not well-formed at byte %zu: %.200s", (size_t)(at - text), at);
}

/* What checks the pages must itself be able to fail. */
static void the_checker_sees_faults(void **state) {
    (void)state;
    static const char *const good[] = {"", "a", "<p>a<b x=\"1\" y='&lt;'>c</b><br/></p>",
                                       "<!DOCTYPE html>\n<a>&amp;&#39;</a>"},
                             *const bad[] = {"<p>",           "</p>",
                                             "<p></b>",       "<p><b></p></b>",
                                             "a & b",         "a < b",
                                             "<p x=1></p>",   "<p x=\"<\"></p>",
                                             "<p x='1></p>",  "<p x='1' x='2'></p>",
                                             "&nbsp;",        "<p x='&'></p>",
                                             "<p hidden></p>"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_well_formed(good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!malformed(bad[i]))
            fail_msg("taken for well-formed: %s", bad[i]);
}

static char written[65536];

static void is_written_text(const char *text, const char *want) {
    FILE *out = fmemopen(written, sizeof written, "w");
    assert_non_null(out);
    html_text(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, want);
}

static void text_is_escaped(void **state) {
    (void)state;
#define REPLACED "\357\277\275"
    is_written_text("", "");
    is_written_text("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
    is_written_text("a&b \"c\" 'd'", "a&amp;b &quot;c&quot; &#39;d&#39;");
    is_written_text("a\nb\tc\1d\177e", "a b c d e");
    is_written_text("\303\244\342\202\254\360\237\231\202", "\303\244\342\202\254\360\237\231\202");
    is_written_text("\200a", REPLACED "a");
    is_written_text("\303", REPLACED);
    is_written_text("\303<", REPLACED "&lt;");
    is_written_text("\300\257", REPLACED REPLACED);              /* overlong */
    is_written_text("\355\240\200", REPLACED REPLACED REPLACED); /* a surrogate */
    is_written_text("\357\277\277", REPLACED REPLACED REPLACED); /* no character */
    is_written_text("\364\220\200\200", REPLACED REPLACED REPLACED REPLACED);
    is_written_text("\377\376", REPLACED REPLACED);
}

static void says(const char *text, const char *words) {
    assert_non_null(text);
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in: %.4000s", words, text);
}

static void says_not(const char *text, const char *words) {
    if (strstr(text, words))
        fail_msg("\"%s\" is in it", words);
}

static const char *page_of(const struct document *page) {
    FILE *out = fmemopen(written, sizeof written, "w");
    *written = 0;
    assert_non_null(out);
    assert_int_equal(write_html(out, page, scratch), 0);
    assert_int_equal(fclose(out), 0);
    assert_well_formed(written);
    return written;
}

/* A table with a cell of each kind, and the rest of what a document can hold. */
static void a_document_becomes_html(void **state) {
    (void)state;
    struct document *page = document_new("A <page>");
    document_fact(page, "device", "a & b");
    document_section(page, 2, "parts", "The parts");
    document_paragraph(page, "**a** *b* `%s` [d](e.csv?x=\"1\")", "c<");
    document_item(page, "one");
    document_item(page, "two");
    document_note(page, DOCUMENT_BAD, "failed");
    document_code(page, "a && b");
    document_table(page, "list", NULL);
    document_column(page, (struct document_column){.name = "kernel", .type = DOCUMENT_CODE});
    document_column(page, (struct document_column){.name = "ratio", .type = DOCUMENT_RATIO});
    document_column(page, (struct document_column){.name = "n", .type = DOCUMENT_COUNT});
    document_row(page);
    document_cell(page, "x|y");
    document_ratio(page, 1.5, 1.25, 1.75);
    document_mood(page, DOCUMENT_GOOD);
    document_empty(page, "not \"known\"");
    document_fold(page, false, "The %s", "<list>");
    document_figure(page, "figure", "a picture", "caption", false);
    document_only(page, DOCUMENT_MARKDOWN);
    document_paragraph(page, "elsewhere");
    static const char *const wanted[] = {
        "<title>A &lt;page&gt;</title>",
        "<table class=\"plain bare\"><caption>A &lt;page&gt;</caption>\n<tbody>\n<tr><th "
        "scope=\"row\">device</th><td>a &amp; "
        "b</td></tr>",
        "<li><a href=\"#parts\">The parts</a></li>",
        "<h2 id=\"parts\">The parts</h2>\n<p><strong>a</strong> <em>b</em> <code>c&lt;</code> "
        "<a href=\"e.csv?x=&quot;1&quot;\">d</a></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
        "<div class=\"verdict bad\">\n<p>failed</p>\n</div>\n<pre><code>a &amp;&amp; "
        "b</code></pre>",
        "<details open=\"open\"><summary>The &lt;list&gt;</summary>",
        "<caption>The &lt;list&gt;</caption>\n<thead><tr><th scope=\"col\">kernel</th><th "
        "scope=\"col\" "
        "class=\"n\">ratio</th>",
        ("<tr><th scope=\"row\"><code>x|y</code></th><td class=\"n good\">1.500 <small>1.250 to "
         "1.750</small></td><td class=\"n\" title=\"not &quot;known&quot;\">–</td></tr>"),
        "Not drawn",
    };
    const char *text = page_of(page);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        says(text, wanted[i]);
    says_not(text, "elsewhere");
    document_free(page);
}

/* Whatever stands in it. */
static void any_text_is_well_formed(void **state) {
    (void)state;
    static const char alphabet[] = "*`[]()|\\-#_ \n\na<&\"'\303\244:\001\377";
    uint32_t random = 1;
    char text[200];
    for (int i = 0; i < 500; i++) {
        size_t length = 0;
        while (length < sizeof text - 1 && (random >> 24) != 0) {
            random = random * 1664525u + 1013904223u;
            text[length++] = alphabet[(random >> 16) % (sizeof alphabet - 1)];
        }
        random = random * 1664525u + 1013904223u;
        text[length] = 0;
        struct document *page = document_new(text);
        document_fact(page, text, text);
        document_section(page, 2, NULL, text);
        document_paragraph(page, "%s `%s` [%s](%s)", text, text, text, text);
        document_table(page, text, text);
        document_column(page, (struct document_column){.name = text, .type = DOCUMENT_CODE});
        document_row(page);
        document_cell(page, text);
        document_mood(page, DOCUMENT_BAD);
        document_fold(page, false, "%s", text);
        document_figure(page, text, text, text, false);
        document_code(page, text);
        page_of(page);
        document_free(page);
    }
}

/* The claims' reader. */

#define CLAIM                                                                                      \
    "[defaults]\nsource = a page; 3\nset = mine\ngpu = A100\naccumulate = f16\nlens = call\n"      \
    "quantity = speedup\ntolerance = 2 %\nshapes = 4\nmode = offline\n"                            \
    "[first]\ntext = \303\274ber 10 %\nbaseline = cublas-max\nvalue = 10 %\n"

static const char *put(const char *text) {
    scratch_put("claims.ini", "%s", text);
    return scratch_path("claims.ini");
}

static void claims_are_read(void **state) {
    (void)state;
    struct claims claims;
    assert_int_equal(
        claims_read(put(CLAIM "[second]\ntext = less\nbaseline = previous\nvalue = -1.5%\n"
                              "quantity = wins\nset = other\n"),
                    &claims),
        0);
    assert_int_equal(claims.count, 2);
    const struct claim *claim = claims.list;
    assert_string_equal(claim->name, "first");
    assert_string_equal(claim->text, "\303\274ber 10 %");
    assert_string_equal(claim->set, "mine");
    assert_string_equal(claim->gpu, "A100");
    assert_string_equal(claim->accumulate, "f16");
    assert_string_equal(claim->lens, "call");
    assert_string_equal(claim->mode, "offline");
    assert_true(claim->value == 0.1 && claim->tolerance == 0.02 && claim->shapes == 4);
    assert_int_equal(claim->quantity, CLAIM_SPEEDUP);
    assert_true(claim[1].value == -0.015 && claim[1].quantity == CLAIM_WINS);
    assert_string_equal(claim[1].set, "other");
    claims_free(&claims);
}

static void bad_claims_name_the_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "claims.ini: holds no claim"},
        {"[defaults]\nset = a\n", "claims.ini: holds no claim"},
        {"set = a\n", "claims.ini:1: 'set' stands before any [section]"},
        {"[a]\n", "claims.ini:1: [a] has no text"},
        {CLAIM "[b]\ntext = b\nvalue = 1 %\n[c]\n", "claims.ini:15: [b] has no baseline"},
        {CLAIM "[b]\ntext = b\nvalue = 1 %\n", "claims.ini:15: [b] has no baseline"},
        {CLAIM "[first]\n", "claims.ini:15: [first] is there already"},
        {CLAIM "[defaults]\n", "claims.ini:15: [defaults] is said once"},
        {CLAIM "value = 1 %\n", "claims.ini:15: value is said already"},
        {CLAIM "unknown = 1\n", "claims.ini:15: 'unknown' is not a key"},
        {CLAIM "[a b]\n", "claims.ini:15: 'a b' is no name"},
        {CLAIM "[b]]\n", "claims.ini:15: ']' stands behind"},
        {CLAIM "[b\n", "claims.ini:15: neither [section] nor key"},
        {CLAIM "nonsense\n", "claims.ini:15: neither [section] nor key"},
        {CLAIM " lens = call\n", "claims.ini:15: begins with a blank"},
        {CLAIM "[b]\nvalue = 1\n", "claims.ini:16: '1' is not a share in per cent"},
        {CLAIM "[b]\nvalue = 0x1 %\n", "claims.ini:16: '0x1 %' is not a share"},
        {CLAIM "[b]\nvalue = -101 %\n", "claims.ini:16: -101 % is not from"},
        {CLAIM "[b]\nvalue = nan %\n", "claims.ini:16: 'nan %' is not a share"},
        {CLAIM "[b]\ntolerance = -1 %\n", "claims.ini:16: -1 % is not from 0 %"},
        {CLAIM "[b]\nshapes = 1.5\n", "claims.ini:16: '1.5' is no whole number"},
        {CLAIM "[b]\nshapes = 0\n", "claims.ini:16: '0' is not a number from 1"},
        {CLAIM "[b]\naccumulate = bf16\n", "claims.ini:16: 'bf16' is not f16 or f32"},
        {CLAIM "[b]\nquantity = median\n", "claims.ini:16: 'median' is not speedup, best or wins"},
        {CLAIM "[b]\nbaseline = cublas-mx\n",
         "claims.ini:16: 'cublas-mx' is not previous, torch-matmul, cublas-nn, cublas-tn, "
         "cublas-max, cublaslt-heuristic-nn, cublaslt-heuristic-tn, cublaslt-heuristic-max, "
         "cublaslt-autotune-nn, cublaslt-autotune-tn, cublaslt-autotune-max, openblas-nn, "
         "openblas-tn or openblas-max\n"},
        {CLAIM "[b]\nmode = online\n", "claims.ini:16: 'online' is not offline or server"},
        {CLAIM "[b]\nlens = wall\n",
         "claims.ini:16: 'wall' is not call, device, stream or latency"},
        {CLAIM "[b]\ntext =\n", "claims.ini:16: has no value"},
        {CLAIM "[b]\ngpu = \377\n", "claims.ini:16: holds bytes that are no UTF-8"},
    };
    struct claims claims;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_says(claims_read(put(bad[i].text), &claims), -1, bad[i].says);
        assert_null(claims.list);
    }
    assert_says(claims_read(scratch_path("nowhere.ini"), &claims), -1, "nowhere.ini: No such");
    assert_says(claims_read(scratch, &claims), -1, "cannot be read");
}

/* What is published with the project can be read, and says what the paper says. */
static void published_claims_are_read(void **state) {
    (void)state;
    struct claims claims;
    double sum = 0;
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-a100-f16.ini", &claims), 0);
    assert_int_equal(claims.count, 18);
    for (size_t i = 0; i < claims.count; i++)
        sum += claims.list[i].quantity == CLAIM_SPEEDUP ? claims.list[i].value : 0;
    assert_true(fabs(sum - (.22 + .192 + .168 + .114 + .287 + .26 + .224 + .159)) < 1e-12);
    claims_free(&claims);
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-a100-f32.ini", &claims), 0);
    assert_int_equal(claims.count, 8);
    claims_free(&claims);
    assert_int_equal(claims_read(SOURCE "/ci/claims/cuda-l2-h100-f32.ini", &claims), 0);
    assert_int_equal(claims.count, 8);
    claims_free(&claims);
}

/* Judging them. scipy.stats: s = [.05, .1, .15, .2]; t.interval(.95, 3, mean(s), sem(s)) */

static void judge(struct claim *claim, const struct about *about, const struct rows *rows,
                  double value, enum claim_verdict want, const char *why) {
    struct claim_finding finding;
    claim->value = value;
    claims_judge(claim, about, rows, "a", &finding);
    if (finding.verdict != want)
        fail_msg("%s, not %s, at %g: %s", claims_word(finding.verdict), claims_word(want), value,
                 finding.why);
    if (!*why)
        assert_string_equal(finding.why, "");
    says(finding.why, why);
}

static void claims_are_judged(void **state) {
    (void)state;
    struct claim claim = {.set = "mine",
                          .gpu = "A100",
                          .accumulate = "f16",
                          .baseline = "cublas-max",
                          .mode = "offline",
                          .lens = "call",
                          .tolerance = 0.02,
                          .shapes = 4};
    const struct about about = {.device = "NVIDIA A100-SXM4-80GB (cuda:0)",
                                .set = "mine",
                                .accumulate = "f16",
                                .shapes = 4,
                                .complete = true};
    struct rows rows = {0};
    struct claim_finding finding;
    for (int i = 0; i < 8; i++) {
        struct ratio_row row = {.shape = {i + 1, 1, 1},
                                .candidate = "a",
                                .baseline = "cublas-max",
                                .mode = "offline",
                                .lens = "call",
                                .speedup = 0.05 * (i + 1)};
        if (i == 4)
            strcpy(row.lens, "device");
        else if (i == 5)
            strcpy(row.mode, "server");
        else if (i == 6)
            strcpy(row.candidate, "b");
        else if (i == 7)
            row.speedup = NAN;
        assert_int_equal(rows_add_ratio(&rows, &row), 0);
    }
    claims_judge(&claim, &about, &rows, "a", &finding);
    assert_int_equal(finding.shapes, 4);
    assert_true(fabs(finding.mean - 0.125) < 1e-12);
    assert_true(fabs(finding.low - 0.022286987) < 1e-8);
    assert_true(fabs(finding.high - 0.227713013) < 1e-8);
    judge(&claim, &about, &rows, 0.04, CLAIM_CONFIRMED, "");
    judge(&claim, &about, &rows, 0.0422, CLAIM_CONFIRMED, "");
    judge(&claim, &about, &rows, 0.0423, CLAIM_UNDECIDED, "too wide");
    judge(&claim, &about, &rows, 0.2477, CLAIM_UNDECIDED, "too wide");
    judge(&claim, &about, &rows, 0.2478, CLAIM_NOT_CONFIRMED, "");

    struct about other = about;
    other.complete = false;
    judge(&claim, &other, &rows, 0.04, CLAIM_UNDECIDED, "not complete");
    other = about;
    strcpy(other.device, "NVIDIA H200 (cuda:0)");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other GPU, not A100");
    strcpy(other.accumulate, "f32");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE,
          "GPU, not A100; other accumulate, not f16");
    other = about;
    strcpy(other.set, "theirs");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other kernels, not mine");
    other = about;
    other.shapes = 3;
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "other shapes, 3 and not 4");
    strcpy(other.imported, "published");
    judge(&claim, &other, &rows, 0.04, CLAIM_NOT_COMPARABLE, "imported");
    struct claim unmeasured = claim;
    strcpy(unmeasured.baseline, "torch-matmul");
    judge(&unmeasured, &about, &rows, 0.04, CLAIM_NOT_COMPARABLE, "torch-matmul was not timed");

    /* Two more shapes, of which no kernel has passed: scipy has -0.00235273 for the low end of s
     * and two zeros. */
    struct claim larger = claim;
    larger.shapes = other.shapes = 6;
    *other.imported = 0;
    strcpy(other.set, "mine");
    judge(&larger, &other, &rows, 0.0176, CLAIM_CONFIRMED, "");
    judge(&larger, &other, &rows, 0.0177, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0.0422, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0.0423, CLAIM_UNDECIDED, "too wide");
    judge(&larger, &other, &rows, 0.2478, CLAIM_NOT_CONFIRMED, "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;
    judge(&larger, &other, &rows, 0.0223, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    judge(&larger, &other, &rows, 0.0224, CLAIM_NOT_CONFIRMED, "");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup *= -1;

    /* One shape has no interval, and proves nothing either way. */
    struct rows one = {.ratios = rows.ratios, .ratio_count = 1};
    struct claim single = claim;
    struct about of_one = about;
    single.shapes = of_one.shapes = 1;
    judge(&single, &of_one, &one, -1, CLAIM_UNDECIDED, "one shape was timed");
    judge(&single, &of_one, &one, 1, CLAIM_UNDECIDED, "one shape was timed");
    /* Nor does one of six, though as many zeros beside it have one. */
    judge(&larger, &other, &one, -1, CLAIM_UNDECIDED, "one shape was timed");
    judge(&larger, &other, &one, 1, CLAIM_UNDECIDED, "one shape was timed");
    claims_judge(&single, &of_one, &one, "a", &finding);
    assert_int_equal(finding.shapes, 1);
    assert_double_near(finding.mean, rows.ratios[0].speedup, 1e-12);
    assert_nan(finding.low);
    assert_nan(finding.high);

    rows.ratios[0].speedup = -1.0 / 4;
    claim.quantity = CLAIM_BEST;
    claims_judge(&claim, &about, &rows, "a", &finding);
    assert_true(fabs(finding.mean - 0.45 / 4) < 1e-12);
    claim.quantity = CLAIM_WINS;
    claims_judge(&claim, &about, &rows, "a", &finding);
    assert_true(fabs(finding.mean - 0.75) < 1e-12);
    assert_true(fabs(finding.low - 0.30064184) < 1e-8); /* scipy's binomtest, as in test_stats.c */
    assert_true(fabs(finding.high - 0.95441274) < 1e-8);
    rows.ratios[0].speedup = 0.05; /* all are won, which is no proof that all would be */
    judge(&claim, &about, &rows, 0.53, CLAIM_CONFIRMED, "");
    judge(&claim, &about, &rows, 0.54, CLAIM_UNDECIDED, "too wide");
    larger.quantity = CLAIM_WINS; /* of six, 4 are won: 0.29999332 to 0.90322859 */
    judge(&larger, &other, &rows, 0.31, CLAIM_CONFIRMED, "");
    judge(&larger, &other, &rows, 0.33, CLAIM_UNDECIDED, "2 of 6 shapes have no kernel");
    for (size_t i = 0; i < 4; i++)
        rows.ratios[i].speedup = -0.05;
    judge(&claim, &about, &rows, 0.5, CLAIM_UNDECIDED, "too wide");
    judge(&claim, &about, &rows, 0.52, CLAIM_NOT_CONFIRMED, "");
    rows_free(&rows);
}

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

static void add_ratio(struct rows *rows, struct shape shape, const char *candidate,
                      const char *baseline, const char *mode, const char *lens, double ratio) {
    struct ratio_row row = {.shape = shape,
                            .cache = "warm",
                            .speedup = ratio * 1.001 - 1,
                            .ratio = ratio,
                            .ci_low = ratio * 0.99,
                            .ci_high = ratio * 1.01,
                            .samples = 500,
                            .rounds = 3,
                            .lag1 = 0.01,
                            .effective_samples = 480,
                            .within_sd = 0.02,
                            .between_sd = 0.001,
                            .freedom = 8,
                            .reward = ratio};
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.baseline, sizeof row.baseline, "%s", baseline);
    snprintf(row.mode, sizeof row.mode, "%s", mode);
    snprintf(row.lens, sizeof row.lens, "%s", lens);
    strcpy(row.verdict, row.ci_low > 1 ? "faster" : row.ci_high < 1 ? "slower" : "undecided");
    assert_int_equal(rows_add_ratio(rows, &row), 0);
    struct round_row round = {.shape = shape};
    memcpy(round.candidate, row.candidate, sizeof round.candidate);
    memcpy(round.baseline, row.baseline, sizeof round.baseline);
    memcpy(round.mode, row.mode, sizeof round.mode);
    memcpy(round.lens, row.lens, sizeof round.lens);
    for (; round.round < 3; round.round++) {
        round.ratio = ratio * exp(0.002 * (round.round - 1));
        assert_int_equal(rows_add_round(rows, &round), 0);
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
    assert_int_equal(rows_add_check(rows, &row), 0);
}

static void add_time(struct rows *rows, struct shape shape, const char *candidate,
                     const char *kernel, double seconds) {
    struct time_row row = {.shape = shape,
                           .mode = "offline",
                           .lens = "device",
                           .cache = "warm",
                           .samples = 500,
                           .rounds = 3,
                           .mean = seconds,
                           .median = seconds,
                           .sd = seconds / 50,
                           .p05 = seconds,
                           .p90 = seconds,
                           .p95 = seconds,
                           .p99 = seconds,
                           .tflops = shape_flops(shape) / seconds / 1e12,
                           .upper_mode = NAN,
                           .sm_mhz = 1410,
                           .cycles = seconds * 1410e6,
                           .light_seconds = fmax(1e-6, shape_flops(shape) / 312e12)};
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    row.host_seconds = NAN;
    assert_int_equal(rows_add_time(rows, &row), 0);
    strcpy(row.lens, "call");
    row.median = row.mean = seconds + 4e-6;
    row.host_seconds = 3e-6;
    assert_int_equal(rows_add_time(rows, &row), 0);
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
    const struct control_row control = {.shape = shape,
                                        .control = "aa",
                                        .baseline = "cublas-nn",
                                        .mode = "offline",
                                        .lens = "call",
                                        .ratio = 1 + 0.001 * wobble(shape, 4),
                                        .ci_low = 0.996,
                                        .ci_high = 1.004,
                                        .samples = 500,
                                        .rounds = 3,
                                        .planted = NAN,
                                        .found = NAN,
                                        .verdict = "ok"};
    struct control_row own = control;
    snprintf(own.candidate, sizeof own.candidate, "%s", candidate);
    assert_int_equal(rows_add_control(rows, &own), 0);
    struct audit_row audit = {.shape = shape,
                              .part = "source",
                              .finding = "unchecked-launch",
                              .level = "info",
                              .number = 1,
                              .text = "no status of the launch is asked for"};
    snprintf(audit.candidate, sizeof audit.candidate, "%s", candidate);
    snprintf(audit.kernel, sizeof audit.kernel, "%s", candidate);
    assert_int_equal(rows_add_audit(rows, &audit), 0);
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
    assert_int_equal(rows_add_condition(rows, &condition), 0);
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
        "device", "cuda:0", "suite", "paper", "set", candidate, "accumulate", "f16", "modes",
        "offline", "server", "lenses", "call", "device", "stream", "baselines", "torch-matmul",
        "cublas-nn", "protocol", "fast", "precision", 0.01, "rounds", 3, "seed", "1",
        "workspace_bytes", 33554432, "shapes", shapes, "units");
    json_t *manifest =
        json_pack("{s:{s:s, s:{s:i}}, s:s, s:{s:s}, s:[{s:s}], s:b}", "gpu", "name",
                  "NVIDIA A100-SXM4-80GB", "clocks", "sm_mhz", 1410, "driver", "580.65", "cuda",
                  "cublas", "13.1", "kernels", "label", candidate, "complete", 1);
    assert_true(plan && manifest);
    assert_int_equal(rundir_create(run, plan, 0), 0);
    assert_int_equal(rows_csv_write(run, &rows), 0);
    assert_int_equal(rundir_write_json(run, "manifest.json", manifest), 0);
    json_decref(plan);
    json_decref(manifest);
    rows_free(&rows);
}

/* The caller frees. */
static char *read_report(const char *run, const char *name) {
    char path[PATH_MAX];
    assert_int_equal(files_join(path, run, name), 0);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    const long size = ftell(in);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    rewind(in);
    assert_int_equal(fread(text, 1, (size_t)size, in), size);
    text[size] = 0;
    fclose(in);
    return text;
}

static char *make_page(const char *run, const char *claims) {
    assert_int_equal(report_make(run, claims, NULL, NULL), EXIT_PASS);
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
    for (const char *at = page; (at = strstr(at, "href='#")); at++) {
        char id[128];
        snprintf(id, sizeof id, " id='%.*s'", (int)strcspn(at + 7, "'"), at + 7);
        if (at == strstr(page, "href='#") && count_of(page, id) != 1)
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

static void a_page_of_a_run(void **state) {
    (void)state;
    if (!has_gnuplot())
        skip();
    const char *run = scratch_path("run");
    write_run(run, 3, "a100_F16F16F16F16");
    char *page = make_page(run, SOURCE "/ci/claims/cuda-l2-a100-f16.ini");
    links_lead_somewhere(page);
    headings_are_in_order(page);
    static const char *const wanted[] = {
        "<strong>Controls passed</strong>",
        "0 confirmed, 0 not confirmed, 0 undecided, 18 not comparable",
        "other shapes, 27 and not 1000",
        "times the speed of cublaslt-autotune-max</strong> by <code>device</code>, offline: the "
        "geometric mean over 24 shapes, with a 95 % interval over rounds of ",
        "<strong>Host and device</strong>, a100_F16F16F16F16, offline: by <code>call</code> "
        "cublaslt-autotune-max takes ",
        "<caption>Table 1, lens call: a100_F16F16F16F16</caption>",
        "<caption>Table 2, lens stream: the better of baseline and a100_F16F16F16F16</caption>",
        "id=\"figure-7\"",
        "faster by <code>call</code>, slower by <code>stream</code>",
        "aria-label=\"Speedup by M and N for K = 256;",
        "<td>precision</td>",
        "unchecked-launch",
        "<th scope=\"row\">gpu.clocks.sm_mhz</th><td>1410</td>",
        "--suite paper --candidates a100_F16F16F16F16 --device cuda:0 --baselines "
        "torch-matmul,cublas-nn --accumulate f16 --mode offline,server --lens call,device,stream "
        "--protocol fast --precision 1 --rounds 3 --seed 1 --workspace 32 -o RUN",
        "gemmgate report RUN --claims ",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        says(page, wanted[i]);
    says_not(page, "http://www.w3.org/1999/xlink\" href"); /* nothing is fetched */
    says_not(page, " src=");
    says_not(page, "gnuplot_plot_1a</title>");
    assert_int_equal(count_of(page, "<table"), count_of(page, "<caption>"));
    assert_int_equal(count_of(page, "<svg class=\"heat\""), 3 * 4);
    free(page);
    page = read_report(run, "report/report.md");
    says(page, "\n## What is claimed, and what was measured\n");
    says(page, "/ci/claims/cuda-l2-a100-f16.ini; tolerance 3 points.\n");
    says(page, "\n| 22.0 % faster than torch.matmul on average, offline | +22.0 | +");
    says(page, " of 1000 | **not comparable**: other shapes, 27 and not 1000 | call | "
               "a100\\_F16F16F16F16 | arXiv 2512.02551, Table 1 and abstract (page 1) |\n");
    says(page, "\n0 confirmed, 0 not confirmed, 0 undecided, 18 not comparable.\n");
    free(page);
}

/* Names and texts from outside that try to be markup. */
static void nasty_names_stay_text(void **state) {
    (void)state;
    static const char nasty[] = "</table><script>x</script>&amp;'\"`$(touch x)`";
    const char *run = scratch_path("nasty");
    write_run(run, 2, "label");
    struct rows rows = {0};
    assert_int_equal(rundir_read(run, &rows), 0);
    for (size_t i = 0; i < rows.ratio_count; i++)
        snprintf(rows.ratios[i].candidate, RUNDIR_NAME, "%s", nasty);
    for (size_t i = 0; i < rows.time_count; i++)
        snprintf(rows.times[i].candidate, RUNDIR_NAME, "%s", nasty);
    for (size_t i = 0; i < rows.check_count; i++) {
        struct check_row *row = &rows.checks[i];
        snprintf(row->candidate, RUNDIR_NAME, "%s", nasty);
        snprintf(row->kernel, RUNDIR_NAME, "%s", nasty);
        strcpy(row->outcome, "crashed");
        snprintf(row->detail, sizeof row->detail, "%s\377\xed\xa0\x80", nasty);
    }
    for (size_t i = 0; i < rows.audit_count; i++)
        snprintf(rows.audits[i].text, sizeof rows.audits[i].text, "%s | ** [x](y) `", nasty);
    assert_int_equal(rows_csv_write(run, &rows), 0);
    rows_free(&rows);
    if (has_gnuplot()) {
        char *page = make_page(run, NULL);
        says(page, "&lt;/table&gt;&lt;script&gt;x&lt;/script&gt;&amp;amp;&#39;&quot;`");
        assert_int_equal(count_of(page, "<script>"), 1);
        free(page);
    }
}

/* Without gnuplot the page is there all the same, and says what is missing. */
static void a_page_without_figures(void **state) {
    (void)state;
    const char *run = scratch_path("bare");
    char *path = strdup(getenv("PATH"));
    write_run(run, 2, "label");
    assert_int_equal(setenv("PATH", scratch, 1), 0);
    assert_says(report_make(run, NULL, NULL, NULL), EXIT_TROUBLE, "gnuplot is not installed");
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    char *page = read_report(run, "report/report.html");
    assert_well_formed(page);
    links_lead_somewhere(page);
    says(page, "Not drawn");
    says(page, "No claims were given");
    says_not(page, "<figure");
    free(page);
    page = read_report(run, "report/report.md");
    says_not(page, "What is claimed");
    free(page);
}

/* A bad list of claims is said before anything is written. */
static void bad_claims_stop_a_report(void **state) {
    (void)state;
    const char *run = scratch_path("claimed");
    write_run(run, 1, "label");
    assert_says(report_make(run, put("[a]\n"), NULL, NULL), EXIT_TROUBLE,
                "claims.ini:1: [a] has no text");
    assert_int_equal(access(scratch_path("claimed/report"), F_OK), -1);
}

/* A run of nothing but a plan. */
static void an_empty_run_has_a_page(void **state) {
    (void)state;
    const char *run = scratch_path("empty");
    json_t *plan = json_pack("{s:[]}", "units");
    assert_int_equal(rundir_create(run, plan, 0), 0);
    json_decref(plan);
    char *page = make_page(run, NULL);
    says(page, "No candidate was timed");
    says(page, "has no manifest.json yet");
    free(page);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_sees_faults),   cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(a_document_becomes_html),   cmocka_unit_test(any_text_is_well_formed),
        cmocka_unit_test(claims_are_read),           cmocka_unit_test(bad_claims_name_the_line),
        cmocka_unit_test(published_claims_are_read), cmocka_unit_test(claims_are_judged),
        cmocka_unit_test(a_page_of_a_run),           cmocka_unit_test(nasty_names_stay_text),
        cmocka_unit_test(a_page_without_figures),    cmocka_unit_test(bad_claims_stop_a_report),
        cmocka_unit_test(an_empty_run_has_a_page),
    };
    if (argc == 2) {
        char run[PATH_MAX];
        if (files_join(run, argv[1], "run") < 0)
            return EXIT_TROUBLE;
        write_run(run, SIZES, "a100_F16F16F16F16");
        return report_make(run, SOURCE "/ci/claims/cuda-l2-a100-f16.ini", NULL, NULL);
    }
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
