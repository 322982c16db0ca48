/* The figure of ratios: a list is as high as its rows, every verdict has a form and a colour, and
 * the line at 1 and the margin are in the picture. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/page/ratio_figure.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"

static struct ratio_point point(enum verdict verdict, const char *lens) {
    struct ratio_point p = {.ratio = 1 + 0.05 * (double)verdict,
                            .low = 0.99,
                            .high = 1.2,
                            .margin = 0.04,
                            .size = 20,
                            .verdict = verdict};
    snprintf(p.label, sizeof p.label, "64x64x64.%d", (int)verdict);
    snprintf(p.lens, sizeof p.lens, "%s", lens);
    return p;
}

/* The picture's text; the caller frees. */
static char *drawn(const char *name, const struct ratio_point *points, size_t count) {
    char file[64], *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_int_equal(ratio_figure(scratch_path("."), name, "Every row", points, count), 1);
    snprintf(file, sizeof file, "%s.svg", name);
    FILE *in = fopen(scratch_path(file), "r");
    assert_non_null(in);
    text[fread(text, 1, (1 << 20) - 1, in)] = 0;
    fclose(in);
    return text;
}

static double height_of(const char *svg) {
    double width, height;
    const char *box = strstr(svg, "viewBox=\"");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    assert_true(width == 560); /* as page.css has it */
    return height;
}

/* Each text lies inside the picture, by eight units a letter; and no two on one line overlap. */
static void has_room(const char *svg) {
    double end = 0, line = -1;
    for (const char *at = svg; (at = strstr(at, "<g transform=\"translate(")); at++) {
        double x, y;
        char anchor[16], text[128] = "";
        if (sscanf(at,
                   "<g transform=\"translate(%lf,%lf)\" stroke=\"none\" fill=\"%*[^\"]\" "
                   "font-family=\"%*[^\"]\" font-size=\"%*[^\"]\" text-anchor=\"%15[^\"]\">"
                   "%*[^<]<text>%127[^<]",
                   &x, &y, anchor, text) < 4)
            continue;
        const double width = 8 * (double)strlen(text);
        const double from = strcmp(anchor, "middle") == 0 ? x - width / 2
                            : strcmp(anchor, "end") == 0  ? x - width
                                                          : x;
        if (from < 0 || from + width > 560)
            fail_msg("\"%s\" goes from %g to %g", text, from, from + width);
        if (y == line && from < end)
            fail_msg("\"%s\" begins at %g, where another ends at %g", text, from, end);
        end = from + width;
        line = y;
    }
    assert_true(line > 0);
}

TEST(a_list_is_as_high_as_its_rows) {
    struct ratio_point points[12];
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    for (size_t i = 0; i < 12; i++)
        points[i] = point((enum verdict)(i % 4), "offline.call");
    char *few = drawn("few", points, 4), *many = drawn("many", points, 12);
    assert_true(height_of(many) - height_of(few) > 8 * 20);
    assert_true(height_of(many) - height_of(few) < 8 * 40);
    assert_true(height_of(few) < 400);
    /* One lens stands in the title, not beside each row. */
    says(few, "<text>Every row, offline.call</text>");
    says(few, "<text>64x64x64.0</text>");
    static const char *const words[] = {">faster<", ">slower<", ">same<", ">undecided<",
                                        ">margin<"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        says(few, words[i]);
    /* The margin's bars, the line at 1 in dashes, and the colours of faster and slower. */
    says(few, "<polygon fill = 'rgb(216, 216, 216)'");
    says(few, "stroke-dasharray");
    says(few, "rgb(  0, 114, 178)");
    says(few, "rgb(230, 159,   0)");
    free(few);
    free(many);
    strcpy(points[1].lens, "server.call");
    char *lenses = drawn("lenses", points, 2);
    says(lenses, "<text>64x64x64.1 server.call</text>");
    says_not(lenses, ">slower<");
    free(lenses);
}

/* Long labels leave little of the width to the axis; what stands around it is there, whole. */
TEST(long_labels_leave_room) {
    struct ratio_point points[4];
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    for (size_t i = 0; i < 4; i++) {
        points[i] = point((enum verdict)i, i ? "offline.device" : "offline.call");
        strcpy(points[i].label, "16384x16384x12288.a-kernel-with-a-name unrecorded / library");
        points[i].high = 4;
    }
    char *svg = drawn("long", points, 4);
    says(svg, "<text>16384x16384x12288.a-kern… offline.device</text>");
    says(svg, ">undecided<");
    says(svg, ">margin<");
    says(svg, "<text>time before / time now; right of 1 is faster</text>");
    assert_null(strstr(strstr(svg, "right of 1") + 1, "right of 1")); /* once */
    has_room(svg);
    free(svg);
}

TEST(many_are_a_cloud) {
    struct ratio_point points[60];
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    for (size_t i = 0; i < 60; i++) {
        points[i] = point((enum verdict)(i % 4), "offline.call");
        points[i].size = 18 + (double)i / 3;
    }
    points[7].ratio = NAN;
    char *cloud = drawn("cloud", points, 60);
    says(cloud, "viewBox=\"0 0 1200 700\"");
    says(cloud, ">as before, within the margin<");
    says(cloud, ">undecided<");
    free(cloud);
    points[0].ratio = NAN;
    assert_int_equal(ratio_figure(scratch_path("."), "none", "No row", points, 1), 0);
    assert_int_equal(access(scratch_path("none.svg"), F_OK), -1);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
