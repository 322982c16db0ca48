/* A document as HTML: text is escaped, and whatever is in it, the page is well-formed. */

#include <stdio.h>

#include "reports/page/document.h"
#include "reports/page/writers.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"

/* What checks the pages must itself be able to fail. */
TEST(the_checker_sees_faults) {
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

static const char *page_of(const struct document *page) {
    FILE *out = fmemopen(written, sizeof written, "w");
    *written = 0;
    assert_non_null(out);
    assert_int_equal(write_html(out, page, scratch), 0);
    assert_int_equal(fclose(out), 0);
    assert_well_formed(written);
    return written;
}

static void is_written_text(const char *text, const char *want) {
    char paragraph[256];
    struct document *page = document_new("");
    document_paragraph(page, text);
    snprintf(paragraph, sizeof paragraph, "<p>%s</p>", want);
    says(page_of(page), paragraph);
    document_free(page);
}

TEST(text_is_escaped) {
#define REPLACED "\357\277\275"
    is_written_text("", "");
    is_written_text("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
    is_written_text("a&b \"c\" 'd'", "a&amp;b &quot;c&quot; &#39;d&#39;");
    is_written_text("a\nb\tc\1d", "a\nb\tc" REPLACED "d");
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

/* A name stays on one line, and a sentence has room; a name of any length does not widen the page.
 */
TEST(cells_have_room) {
    struct document *page = document_new("");
    document_table(page, "list", "");
    document_columns(page, "a", "b", NULL);
    document_row(page);
    document_cell(page, "cublaslt-max");
    document_cell(page, "takes 11 % more time than before");
    document_row(page);
    document_cell(page, "simd");
    document_cell(page, "a-name-that-goes-on-for-more-than-32-characters");
    const char *text = page_of(page);
    says(text, "<th scope=\"row\" class=\"word\">cublaslt-max</th><td class=\"long\">takes");
    says(text, "<th scope=\"row\">simd</th><td>a-name");
    document_free(page);
}

/* A table with a cell of each kind, and the rest of what a document can hold. */
TEST(a_document_becomes_html) {
    struct document *page = document_new("A <page>");
    document_fact(page, "device", "a & b");
    document_section(page, 2, "parts", "The parts", false);
    document_paragraph(page, "**a** *b* `c<` [d](e.csv?x=\"1\")");
    document_item(page, "one");
    document_item(page, "two");
    document_note(page, DOCUMENT_BAD, "failed");
    document_code(page, "a && b");
    document_table(page, "list", NULL);
    document_columns(page, "kernel||code", "ratio||ratio", "n||count", NULL);
    document_row(page);
    document_cell(page, "x|y");
    document_ratio(page, 1.5, 1.25, 1.75);
    document_mood(page, DOCUMENT_GOOD);
    document_empty(page, "not \"known\"");
    document_fold(page, false, "The <list>");
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

/* A folded section holds those below it, and ends before the next of its own level. */
TEST(sections_fold) {
    struct document *page = document_new("A page");
    document_section(page, 2, "a", "A", true);
    document_section(page, 3, "b", "B", true);
    document_item(page, "in b");
    document_section(page, 2, "c", "C", false);
    document_paragraph(page, "in c");
    document_section(page, 3, "d", "D", true);
    says(page_of(page), "<main>\n<details class=\"part\"><summary><h2 id=\"a\">A</h2></summary>\n"
                        "<details class=\"part\"><summary><h3 id=\"b\">B</h3></summary>\n"
                        "<ul>\n<li>in b</li>\n</ul>\n</details>\n</details>\n"
                        "<h2 id=\"c\">C</h2>\n<p>in c</p>\n"
                        "<details class=\"part\"><summary><h3 id=\"d\">D</h3></summary>\n"
                        "</details>\n</main>");
    document_free(page);
}

/* Whatever stands in it. */
TEST(any_text_is_well_formed) {
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
        document_section(page, 2, "a", text, false);
        document_paragraph(page, text);
        document_table(page, text, text);
        document_columns(page, "a||code", NULL);
        document_heading(page, text);
        document_row(page);
        document_cell(page, text);
        document_mood(page, DOCUMENT_BAD);
        document_fold(page, false, text);
        document_figure(page, text, text, text, false);
        document_code(page, text);
        page_of(page);
        document_free(page);
    }
}

TESTS_BETWEEN(scratch_make, scratch_remove)
