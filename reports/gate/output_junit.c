#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/gate/output.h"

/* A test case is a kernel on a shape in a mode. Its name and class are the same whatever became of
 * it: a kernel that was not timed has a case in each mode that is judged. One case more, the first, is
 * the whole gate, since CI shows neither a skipped case nor a property. */
struct test {
    const struct gate_row *row; /* NULL: the whole gate */
    const char *mode, *lens;
};

/* What became of a test case. */
enum fate { PASSED, FAILURE, ERROR, SKIPPED, FATE_COUNT };
static const char *const elements[FATE_COUNT] = {"system-out", "failure", "error", "skipped"};

static const enum fate row_fates[GATE_STATUS_COUNT] = {
    [GATE_WRONG] = ERROR,       [GATE_ENVIRONMENT] = ERROR, [GATE_UNRECORDED] = FAILURE,
    [GATE_SLOWER] = FAILURE,    [GATE_BEHIND] = FAILURE,    [GATE_MISSING] = FAILURE,
    [GATE_UNDECIDED] = SKIPPED, [GATE_ADDED] = SKIPPED};
static const enum fate gate_fates[GATE_VERDICT_COUNT] = {
    [GATE_INTERRUPTED] = ERROR,         [GATE_ERROR] = ERROR,
    [GATE_VERDICT_ENVIRONMENT] = ERROR, [GATE_NOT_COMPARABLE] = ERROR,
    [GATE_VERDICT_WRONG] = FAILURE,     [GATE_REGRESSION] = FAILURE,
    [GATE_COVERAGE] = FAILURE,          [GATE_INCONCLUSIVE] = FAILURE};

static enum fate fate_of(const struct gate *gate, const struct test *test) {
    return test->row ? row_fates[test->row->status] : gate_fates[gate->verdict];
}

/* Text or attribute; ">" always, because "]]>" must not stand in a text. */
static void put_text(FILE *out, const char *text) {
    char clean[GATE_CLEAN];
    for (const char *c = gate_clean(text, clean); *c; c++)
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

/* How many cases there are of each fate, and how long they took: three decimals, which is all that
 * Jenkins' schema allows of a suite. */
static void put_counts(FILE *out, const struct gate *gate, const struct test *tests, size_t size,
                       bool skipped) {
    size_t fates[FATE_COUNT] = {0};
    double seconds = 0;
    for (size_t i = 0; i < size; i++) {
        fates[fate_of(gate, &tests[i])]++;
        if (tests[i].row && isfinite(tests[i].row->wall_seconds))
            seconds += tests[i].row->wall_seconds;
    }
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", size,
            fates[FAILURE], fates[ERROR], seconds);
    if (skipped)
        fprintf(out, " skipped=\"%zu\"", fates[SKIPPED]);
}

/* What became of it, then the why, the numbers and the file, a line each. */
static void put_outcome(FILE *out, enum fate fate, const char *word, const char *message,
                        const struct gate_row *row) {
    char evidence[RUNDIR_TEXT];
    const char *lines[] = {row ? row->text : "", row ? gate_evidence_text(row, evidence) : "",
                           row ? row->source : ""};
    fprintf(out, "   <%s", elements[fate]);
    if (fate != PASSED) {
        put_attribute(out, "type", word);
        put_attribute(out, "message", message);
    }
    fputc('>', out);
    if (fate == PASSED || !row) {
        fprintf(out, "%s: ", word);
        put_text(out, message);
        fputs(row ? "\n" : "", out);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put_text(out, lines[i]);
        fputs(*lines[i] ? "\n" : "", out);
    }
    fprintf(out, "</%s>\n", elements[fate]);
}

static void put_case(FILE *out, const struct gate *gate, const struct test *test) {
    const struct gate_row *row = test->row;
    const char *word = row ? gate_status_words[row->status] : gate_verdict_word(gate->verdict);
    const char *set = *gate->run.about.set ? gate->run.about.set : "gemmgate";
    char name[GATE_ROW_NAME], joined[GATE_JOINED];
    gate_join(test->mode, test->lens, joined);
    fputs("  <testcase", out);
    put_attribute(out, "name", row ? gate_row_name(row, name) : "verdict");
    fputs(" classname=\"", out);
    put_text(out, set);
    fputs(*joined ? "." : "", out);
    put_text(out, joined);
    fputc('"', out);
    if (row && isfinite(row->wall_seconds))
        fprintf(out, " time=\"%.3f\"", row->wall_seconds);
    fputs(">\n", out);
    put_outcome(out, fate_of(gate, test), word, row ? gate_status_texts[row->status] : gate->reason,
                row);
    fputs("  </testcase>\n", out);
}

static void put_property(FILE *out, const char *name, const char *value) {
    fputs("   <property", out);
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fputs("/>\n", out);
}

static void put_properties(FILE *out, const struct gate *gate) {
    struct gate_fact facts[GATE_FACTS];
    char again[GATE_COMMAND];
    gate_list_facts(gate, again, facts);
    fputs("  <properties>\n", out);
    put_property(out, "verdict", gate_verdict_word(gate->verdict));
    for (size_t i = 0; i < GATE_FACTS; i++)
        put_property(out, facts[i].key, facts[i].text);
    fputs("  </properties>\n", out);
}

/* The cases of the gate and of all rows; returns how many. */
static size_t list_tests(const struct gate *gate, struct test *tests) {
    size_t count = 0;
    tests[count++] = (struct test){NULL, "", ""};
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        const bool everywhere = !*row->lens && gate->judged_count > 0;
        for (size_t j = 0; j < (everywhere ? gate->judged_count : 1); j++)
            tests[count++] = (struct test){row, everywhere ? gate->judged[j].mode : row->mode,
                                           everywhere ? gate->judged[j].lens : row->lens};
    }
    return count;
}

int output_junit(FILE *out, const struct gate *gate) {
    struct test *tests = need(1 + gate->count * GATE_JUDGED, sizeof *tests);
    const size_t size = list_tests(gate, tests);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gemmgate\"", out);
    put_counts(out, gate, tests, size, false);
    fputs(">\n <testsuite name=\"gate\"", out);
    put_counts(out, gate, tests, size, true);
    if (*gate->run.about.start)
        put_attribute(out, "timestamp", gate->run.about.start);
    fputs(">\n", out);
    put_properties(out, gate);
    for (size_t i = 0; i < size; i++)
        put_case(out, gate, &tests[i]);
    fputs(" </testsuite>\n</testsuites>\n", out);
    free(tests);
    return 0;
}
