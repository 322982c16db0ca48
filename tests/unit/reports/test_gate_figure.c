/* The figure of ratios: a list is as high as its rows, every verdict has a form and a colour, and
 * the line at 1 and the margin are in the picture. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/made_gates.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/well_formed.h"

/* A gate of so many rows that are faster, same, slower and undecided in turn. */
static struct gate gate_of(int count) {
    static const char *const statuses[] = {"faster", "same", "slower", "undecided"};
    struct gate gate = {0};
    gate_open(&gate);
    for (int i = 0; i < count; i++)
        add_row(&gate, statuses[i % 4], 64 + i, 1);
    query_run(
        gate.db,
        "UPDATE gate_rows SET ratio = 1 + 0.05 * ((rowid - 1) % 4), ci_high = 1.2, margin = 0.04");
    return gate;
}

/* The picture's text; the caller frees. */
static char *drawn(const struct gate *gate) {
    assert_true(output_draw(scratch_path("."), gate));
    return strdup(scratch_read(scratch_path("ratios.svg")));
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
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    struct gate four = gate_of(4), twelve = gate_of(12);
    char *few = drawn(&four), *many = drawn(&twelve);
    assert_true(height_of(many) - height_of(few) > 8 * 20);
    assert_true(height_of(many) - height_of(few) < 8 * 40);
    assert_true(height_of(few) < 400);
    /* One lens stands in the title, not beside each row. */
    says(few, "<text>Ratios with their 95 % intervals, offline.device</text>");
    says(few, "<text>64x64x128.tiled</text>");
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
    query_run(twelve.db, "DELETE FROM gate_rows WHERE rowid > 2;"
                         "UPDATE gate_rows SET mode = 'server' WHERE rowid = 2");
    char *lenses = drawn(&twelve);
    says(lenses, "<text>65x64x128.tiled server.device</text>");
    says_not(lenses, ">slower<");
    free(lenses);
    end(&four);
    end(&twelve);
}

/* Long labels leave little of the width to the axis; what stands around it is there, whole. */
TEST(long_labels_leave_room) {
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    struct gate gate = gate_of(4);
    query_run(gate.db,
              "UPDATE gate_rows SET m = 16384, n = 16384, k = 12288, unrecorded = 1, ci_high = 4, "
              "candidate = 'a-kernel-with-a-name';"
              "UPDATE gate_rows SET lens = 'call' WHERE rowid = 1;" /* several */
              "UPDATE gate_rows SET margin = 0 WHERE rowid = 4");
    char *svg = drawn(&gate);
    says(svg, "<text>16384x16384x12288.a-kern… offline.device</text>");
    says(svg, ">undecided<");
    says(svg, ">margin<");
    says(svg, "<text>time before / time now; right of 1 is faster</text>");
    assert_null(strstr(strstr(svg, "right of 1") + 1, "right of 1")); /* once */
    has_room(svg);
    free(svg);
    end(&gate);
}

/* Of many those that stand first; a row without a ratio is not drawn. */
TEST(of_many_rows_the_first_are_drawn) {
    if (system("gnuplot --version > /dev/null 2>&1") != 0)
        skip();
    struct gate gate = gate_of(60);
    query_run(gate.db, "UPDATE gate_rows SET ratio = NULL WHERE rowid = 8");
    char *svg = drawn(&gate);
    says_not(svg, "<text>71x64x128.tiled</text>");
    says(svg, "<text>84x64x128.tiled</text>");
    says_not(svg, "<text>85x64x128.tiled</text>");
    free(svg);
    assert_int_equal(unlink(scratch_path("ratios.svg")), 0);
    query_run(gate.db, "DELETE FROM gate_rows WHERE rowid <> 8");
    assert_false(output_draw(scratch_path("."), &gate));
    assert_int_equal(access(scratch_path("ratios.svg"), F_OK), -1);
    end(&gate);
}

TESTS_BETWEEN(scratch_make, scratch_remove)
