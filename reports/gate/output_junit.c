#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/words.h"
#include "reports/gate/output.h"
#include "reports/gate/output_parts.h"
#include "reports/tables/tables.h"

/* What became of a test case. */
enum fate { PASSED, FAILURE, ERROR, SKIPPED, FATE_COUNT };
static const char *const elements[FATE_COUNT] = {"system-out", "failure", "error", "skipped"};

static enum fate fate_of(const struct gate_row *row) {
    switch (row->status) {
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

static struct counts count(const struct gate_row *const *rows, size_t size) {
    struct counts counts = {0};
    for (size_t i = 0; i < size; i++) {
        counts.fates[fate_of(rows[i])]++;
        counts.seconds += isfinite(rows[i]->seconds) ? rows[i]->seconds : 0;
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
        put_attribute(out, "type", gate_status_word(row->status));
        put_attribute(out, "message", gate_status_text(row->status));
    }
    fputc('>', out);
    if (fate == PASSED)
        fprintf(out, "%s: %s\n", gate_status_word(row->status), gate_status_text(row->status));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        put_text(out, lines[i]);
        fputs(*lines[i] ? "\n" : "", out);
    }
    fprintf(out, "</%s>\n", elements[fate]);
}

static void put_case(FILE *out, const struct gate *gate, const struct gate_row *row) {
    const char *words[] = {gate->set, row->mode, row->lens};
    char name[OUTPUT_NAME], joined[OUTPUT_JOINED];
    fputs("  <testcase", out);
    put_attribute(out, "name", output_name(row, name));
    put_attribute(out, "classname", output_join(words, 3, joined));
    if (isfinite(row->seconds))
        fprintf(out, " time=\"%.9f\"", row->seconds);
    fputs(">\n", out);
    put_outcome(out, row);
    fputs("  </testcase>\n", out);
}

static void put_suite(FILE *out, const struct gate *gate, const struct gate_row *const *rows,
                      size_t size) {
    const struct counts counts = count(rows, size);
    const char *words[] = {rows[0]->mode, rows[0]->lens};
    const char *facts[][2] = {{"verdict", gate_verdict_word(gate->verdict)},
                              {"reason", gate->reason},
                              {"previous", gate->previous},
                              {"device", gate->device},
                              {"gemmgate", gate->commit},
                              {"plan", gate->plan_hash},
                              {"folder", gate->folder}};
    char joined[OUTPUT_JOINED];
    fputs(" <testsuite", out);
    put_attribute(out, "name", *output_join(words, 2, joined) ? joined : "kernels");
    put_counts(out, &counts, size);
    fprintf(out, " skipped=\"%zu\"", counts.fates[SKIPPED]);
    if (*gate->start)
        put_attribute(out, "timestamp", gate->start);
    fputs(">\n  <properties>\n", out);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fputs("   <property", out);
        put_attribute(out, "name", facts[i][0]);
        put_attribute(out, "value", facts[i][1]);
        fputs("/>\n", out);
    }
    fputs("  </properties>\n", out);
    for (size_t i = 0; i < size; i++)
        put_case(out, gate, rows[i]);
    fputs(" </testsuite>\n", out);
}

static int compare_suites(const struct gate_row *a, const struct gate_row *b) {
    const int order = words_compare(words_modes, a->mode, b->mode);
    return order ? order : words_compare(words_lenses, a->lens, b->lens);
}

/* In a suite the gate's order, which is that of the array. */
static int compare(const void *left, const void *right) {
    const struct gate_row *a = *(const struct gate_row *const *)left;
    const struct gate_row *b = *(const struct gate_row *const *)right;
    const int order = compare_suites(a, b);
    return order ? order : (a > b) - (a < b);
}

int output_junit(FILE *out, const struct gate *gate) {
    const struct gate_row **rows = malloc(gate->count * sizeof *rows + 1);
    if (!rows)
        return error("no memory for the JUnit report of %zu rows", gate->count);
    for (size_t i = 0; i < gate->count; i++)
        rows[i] = &gate->rows[i];
    qsort(rows, gate->count, sizeof *rows, compare);
    const struct counts counts = count(rows, gate->count);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gemmgate\"", out);
    put_counts(out, &counts, gate->count);
    fputs(">\n", out);
    for (size_t first = 0, end; first < gate->count; first = end) {
        for (end = first + 1; end < gate->count && compare_suites(rows[first], rows[end]) == 0;)
            end++;
        put_suite(out, gate, rows + first, end - first);
    }
    fputs("</testsuites>\n", out);
    free(rows);
    return 0;
}
