#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/gate_output/output.h"
#include "reports/gate_output/output_parts.h"
#include "reports/tables/tables.h"

/* A test case is a kernel on a shape in a mode. Its name and class are the same whatever became of
 * it: a kernel that was not timed has a case in each mode that is judged. One case more is the
 * whole gate. */
struct test {
    const struct gate_row *row;
    const char *mode, *lens;
};

/* What became of a test case. */
enum fate { PASSED, FAILURE, ERROR, SKIPPED, FATE_COUNT };
static const char *const elements[FATE_COUNT] = {"system-out", "failure", "error", "skipped"};

static enum fate fate_of(const struct gate_row *row) {
    switch (row->status) {
    case GATE_UNRECORDED:
    case GATE_SLOWER:
    case GATE_BEHIND:
    case GATE_MISSING:
        return FAILURE;
    case GATE_WRONG:
    case GATE_ENVIRONMENT:
        return ERROR;
    case GATE_UNDECIDED:
    case GATE_ADDED:
        return SKIPPED;
    default:
        return PASSED;
    }
}

/* Text or attribute; ">" always, because "]]>" must not stand in a text. */
static void put_text(FILE *out, const char *text) {
    char clean[OUTPUT_CLEAN];
    for (const char *c = output_clean(text, clean); *c; c++)
        if (strchr("<>&\"\t\n\r", *c))
            fprintf(out, "&#%d;", *c);
        else
            fputc(*c, out);
}

static void put_attribute(FILE *out, const char *name, const char *value) {
    fprintf(out, " %s=\"", name);
    put_text(out, value);
    fputc('"', out);
}

struct counts {
    size_t fates[FATE_COUNT];
    double seconds;
};

static struct counts count(const struct test *tests, size_t size) {
    struct counts counts = {0};
    for (size_t i = 0; i < size; i++) {
        const double seconds = tests[i].row->wall_seconds;
        counts.fates[fate_of(tests[i].row)]++;
        counts.seconds += isfinite(seconds) ? seconds : 0;
    }
    return counts;
}

/* Three decimals, which is all that Jenkins' schema allows of a suite. */
static void put_counts(FILE *out, const struct counts *counts, size_t tests) {
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", tests,
            counts->fates[FAILURE], counts->fates[ERROR], counts->seconds);
}

/* The why, the numbers and the file, a line each. */
static void put_outcome(FILE *out, const struct gate_row *row) {
    const enum fate fate = fate_of(row);
    char evidence[RUNDIR_TEXT];
    const char *lines[] = {row->text, output_evidence(row, evidence), row->source};
    fprintf(out, "   <%s", elements[fate]);
    if (fate != PASSED) {
        put_attribute(out, "type", gate_status_words[row->status]);
        put_attribute(out, "message", gate_status_texts[row->status]);
    }
    fputc('>', out);
    if (fate == PASSED)
        fprintf(out, "%s: %s\n", gate_status_words[row->status], gate_status_texts[row->status]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put_text(out, lines[i]);
        fputs(*lines[i] ? "\n" : "", out);
    }
    fprintf(out, "</%s>\n", elements[fate]);
}

static void put_case(FILE *out, const struct gate *gate, const struct test *test) {
    const struct gate_row *row = test->row;
    const char *words[] = {gate->set, test->mode, test->lens};
    char name[OUTPUT_NAME], joined[OUTPUT_JOINED];
    fputs("  <testcase", out);
    put_attribute(out, "name", output_name(row, name));
    put_attribute(out, "classname", output_join(words, 3, joined));
    if (isfinite(row->wall_seconds))
        fprintf(out, " time=\"%.3f\"", row->wall_seconds);
    fputs(">\n", out);
    put_outcome(out, row);
    fputs("  </testcase>\n", out);
}

static void put_properties(FILE *out, const struct gate *gate) {
    const char *facts[][2] = {{"verdict", gate_verdict_word(gate->verdict)},
                              {"reason", gate->reason},
                              {"previous", gate->previous},
                              {"device", gate->device},
                              {"gemmgate", gate->commit},
                              {"plan", gate->plan_hash},
                              {"folder", gate->folder}};
    fputs("  <properties>\n", out);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fputs("   <property", out);
        put_attribute(out, "name", facts[i][0]);
        put_attribute(out, "value", facts[i][1]);
        fputs("/>\n", out);
    }
    fputs("  </properties>\n", out);
}

static void begin_suite(FILE *out, const struct gate *gate, const char *name,
                        const struct counts *counts, size_t size) {
    fputs(" <testsuite", out);
    put_attribute(out, "name", name);
    put_counts(out, counts, size);
    fprintf(out, " skipped=\"%zu\"", counts->fates[SKIPPED]);
    if (*gate->start)
        put_attribute(out, "timestamp", gate->start);
    fputs(">\n", out);
}

static void put_suite(FILE *out, const struct gate *gate, const struct test *tests, size_t size) {
    const struct counts counts = count(tests, size);
    const char *words[] = {tests[0].mode, tests[0].lens};
    char joined[OUTPUT_JOINED];
    begin_suite(out, gate, *output_join(words, 2, joined) ? joined : "kernels", &counts, size);
    put_properties(out, gate);
    for (size_t i = 0; i < size; i++)
        put_case(out, gate, &tests[i]);
    fputs(" </testsuite>\n", out);
}

/* What a whole gate is that did not pass: CI shows neither a skipped case nor a property. */
static enum fate fate_of_whole(enum gate_verdict verdict) {
    switch (verdict) {
    case GATE_PASS:
        return PASSED;
    case GATE_INTERRUPTED:
    case GATE_ERROR:
    case GATE_VERDICT_ENVIRONMENT:
    case GATE_NOT_COMPARABLE:
        return ERROR;
    default:
        return FAILURE;
    }
}

static void put_whole(FILE *out, const struct gate *gate) {
    const enum fate fate = fate_of_whole(gate->verdict);
    struct counts counts = {.fates = {0}};
    counts.fates[fate] = 1;
    begin_suite(out, gate, "gate", &counts, 1);
    put_properties(out, gate);
    fputs("  <testcase name=\"verdict\"", out);
    put_attribute(out, "classname", *gate->set ? gate->set : "gemmgate");
    fprintf(out, ">\n   <%s", elements[fate]);
    if (fate != PASSED) {
        put_attribute(out, "type", gate_verdict_word(gate->verdict));
        put_attribute(out, "message", gate->reason);
    }
    fprintf(out, ">%s: ", gate_verdict_word(gate->verdict));
    put_text(out, gate->reason);
    fprintf(out, "</%s>\n  </testcase>\n </testsuite>\n", elements[fate]);
}

static int compare_suites(const struct test *a, const struct test *b) {
    const int order = words_compare(words_modes, a->mode, b->mode);
    return order ? order : words_compare(words_lenses, a->lens, b->lens);
}

/* In a suite the gate's order, which is that of the array. */
static int compare(const void *left, const void *right) {
    const struct test *a = left, *b = right;
    const int order = compare_suites(a, b);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The cases of all rows; returns how many. */
static size_t list_tests(const struct gate *gate, struct test *tests) {
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        if (*row->lens || gate->judged_count == 0) {
            tests[count++] = (struct test){row, row->mode, row->lens};
            continue;
        }
        for (size_t j = 0; j < gate->judged_count; j++)
            tests[count++] = (struct test){row, gate->judged[j].mode, gate->judged[j].lens};
    }
    return count;
}

int output_junit(FILE *out, const struct gate *gate) {
    struct test *tests = need(gate->count * GATE_MODES, sizeof *tests);
    const size_t size = list_tests(gate, tests);
    qsort(tests, size, sizeof *tests, compare);
    struct counts counts = count(tests, size);
    counts.fates[fate_of_whole(gate->verdict)]++;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gemmgate\"", out);
    put_counts(out, &counts, size + 1);
    fputs(">\n", out);
    put_whole(out, gate);
    for (size_t first = 0, end; first < size; first = end) {
        for (end = first + 1; end < size && compare_suites(&tests[first], &tests[end]) == 0;)
            end++;
        put_suite(out, gate, tests + first, end - first);
    }
    fputs("</testsuites>\n", out);
    free(tests);
    return 0;
}
