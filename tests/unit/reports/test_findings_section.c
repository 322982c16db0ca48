/* What the report says of what audits found. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/writers.h"
#include "reports/sections/sections.h"
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

static void add(int64_t m, const char *candidate, const char *kernel, const char *finding,
                double number) {
    struct audit_row row = {
        .shape = {m, 64, 32}, .part = "calls", .number = number, .level = "info", .text = "seen"};
    snprintf(row.candidate, sizeof row.candidate, "%s", candidate);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.finding, sizeof row.finding, "%s", finding);
    rows_add_audit(&rows, &row);
}

static void write_section(void) {
    const struct report report = {.rows = &rows};
    struct document *page = document_new("");
    size_t size;
    FILE *out = open_memstream(&text, &size);
    section_findings(page, &report);
    assert_int_equal(write_markdown(out, page), 0);
    assert_int_equal(fclose(out), 0);
    document_free(page);
}

/* Each library once, however many shapes; a kernel at every shape, however many launches. */
TEST_WITH(dependent_launches_are_summed, NULL, forget) {
    add(64, "mine", "mine", "dependent-launch", 1);
    add(64, "mine", "mine", "dependent-launch", 2);
    add(128, "mine", "mine", "dependent-launch", 1);
    add(128, "mine", "previous", "dependent-launch", 1);
    add(64, "mine", "cublas-nn", "dependent-launch", 1);
    add(128, "mine", "cublas-nn", "dependent-launch", 1);
    add(128, "mine", "cublas-tn", "dependent-launch", 1);
    add(64, "mine", "mine", "cuda-alloc", 1);
    write_section();
    assert_non_null(strstr(text, "are kernels of cublas-nn, cublas-tn and of 3 under test."));
}

TEST_WITH(libraries_may_have_none, NULL, forget) {
    add(64, "mine", "mine", "dependent-launch", 1);
    write_section();
    assert_non_null(strstr(text, "are kernels of no library and of 1 under test."));
}

TEST_WITH(without_any_nothing_is_said, NULL, forget) {
    add(64, "mine", "mine", "cuda-alloc", 1);
    write_section();
    assert_non_null(strstr(text, "cuda-alloc"));
    assert_null(strstr(text, "programmatic dependent launch"));
}
