/* What the report says of recordings: the kernels without one, and the facts of the others. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/writers.h"
#include "tests/support/section.h"
#include "tests/support/test.h"

static struct rows rows;
static char *text; /* of the section */

static int forget(void **state) {
    (void)state;
    rows_free(&rows);
    memset(&rows, 0, sizeof rows);
    free(text);
    text = NULL;
    return 0;
}

static void add(int64_t m, const char *kernel, const char *finding, const char *level,
                double number) {
    struct audit_row row = {.shape = {m, 64, 32},
                            .candidate = "mine",
                            .part = "calls",
                            .number = number,
                            .text = "seen"};
    snprintf(row.level, sizeof row.level, "%s", level);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.finding, sizeof row.finding, "%s", finding);
    rows_add_audit(&rows, &row);
}

static void add_check(int64_t m, const char *kernel, const char *outcome, const char *detail) {
    struct check_row row = {.shape = {m, 64, 32}, .candidate = "mine"};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    snprintf(row.detail, sizeof row.detail, "%s", detail);
    rows_add_check(&rows, &row);
}

static void write_section(void (*section)(struct document *, const struct report *)) {
    struct document *page = section_of(&rows, section);
    size_t size;
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(write_markdown(out, page), 0);
    assert_int_equal(fclose(out), 0);
    document_free(page);
}

static void says(const char *words) {
    if (!strstr(text, words))
        fail_msg("the section lacks \"%s\": %s", words, text);
}

/* What refuses a kernel first; a kernel counts once at a shape, however many rows it has. */
TEST_WITH(facts_are_summed_in_one_table, NULL, forget) {
    add(64, "mine", "dependent-launch", "fact", 1);
    add(64, "mine", "dependent-launch", "fact", 2);
    add(128, "mine", "dependent-launch", "fact", 1);
    add(128, "cublas-nn", "dependent-launch", "fact", 1);
    add(64, "mine", "workspace", "refused", 1);
    write_section(section_recordings);
    says("## What the recordings show");
    says("| `workspace` | refused | calls | 1 | 64x64x32 mine: seen |\n"
         "| `dependent-launch` | fact | calls | 3 | 64x64x32 mine: seen |\n");
    assert_null(strstr(text, "Unrecorded"));
}

TEST_WITH(each_unrecorded_kernel_has_its_sentence, NULL, forget) {
    add_check(64, "mine", "unrecorded", "it launches a graph (cuGraphLaunch): launch its kernels");
    add_check(64, "previous", "ok", "");
    add_check(128, "mine", "ok", "");
    add_check(128, "previous", "unrecorded", "it makes a stream (cuStreamCreate): use its own");
    add_check(256, "mine", "inexact", "wrong by 4");
    write_section(section_recordings);
    says("Unrecorded: 2 kernels on shapes.");
    says("| 64x64x32 | mine | it launches a graph (cuGraphLaunch): launch its kernels |\n"
         "| 128x64x32 | previous | it makes a stream (cuStreamCreate): use its own |\n");
    assert_null(strstr(text, "wrong by"));
    write_section(section_refused);
    says("1 of 3 checks of a kernel on a shape did not pass");
    says("wrong by 4");
    assert_null(strstr(text, "graph"));
}

TEST_WITH(without_any_nothing_is_said, NULL, forget) {
    add_check(64, "mine", "ok", "");
    write_section(section_recordings);
    assert_null(strstr(text, "recordings"));
}
