#include <ctype.h>

#include "reports/gate/output.h"
#include "reports/gate/output_parts.h"

enum { ROWS_SHOWN = 20 };

/* On one line, so that nothing from outside begins one: a CI server reads commands there. */
static void put_line(FILE *out, const char *text) {
    char clean[OUTPUT_CLEAN];
    for (const char *c = output_clean(text, clean); *c; c++)
        fputc(iscntrl((unsigned char)*c) ? ' ' : *c, out);
}

static void put_row(FILE *out, const struct gate_row *row) {
    const char *words[] = {row->mode, row->lens};
    char name[OUTPUT_NAME], joined[OUTPUT_JOINED], evidence[RUNDIR_TEXT];
    fprintf(out, "%-12s ", gate_status_word(row->status));
    put_line(out, output_name(row, name));
    if (*output_join(words, 2, joined)) {
        fputc(' ', out);
        put_line(out, joined);
    }
    if (*output_evidence(row, evidence)) {
        fputs(": ", out);
        put_line(out, evidence);
    }
    if (*row->text) {
        fputs(": ", out);
        put_line(out, row->text);
    }
    fputc('\n', out);
}

void output_text(FILE *out, const struct gate *gate) {
    size_t listed = 0;
    if (gate->total_count > 0) {
        comparison_print(out, gate->totals, gate->total_count);
        fputc('\n', out);
    }
    for (size_t i = 0; i < gate->count; i++) {
        const enum gate_status status = gate->rows[i].status;
        if (status != GATE_SAME && status != GATE_FASTER && listed++ < ROWS_SHOWN)
            put_row(out, &gate->rows[i]);
    }
    if (listed > ROWS_SHOWN)
        fprintf(out, "%zu more in gate.csv\n", listed - ROWS_SHOWN);
    for (size_t i = 0; i < gate->warning_count; i++) {
        fputs("warning: ", out);
        put_line(out, gate->warnings[i]);
        fputc('\n', out);
    }
    for (int i = 0; i < GATE_STATUS_COUNT; i++)
        fprintf(out, "%s%zu %s", i ? ", " : "", gate->statuses[i],
                gate_status_word((enum gate_status)i));
    fprintf(out, "\n%s (exit status %d): ", gate_verdict_word(gate->verdict),
            gate_verdict_exit(gate->verdict));
    put_line(out, gate->reason);
    fputc('\n', out);
    put_line(out, gate->run);
    fputs("/gate/summary.md\n", out);
}
