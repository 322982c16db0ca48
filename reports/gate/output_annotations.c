#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/jsonfile.h"
#include "reports/gate/output.h"

/* GitHub shows at most ten of each level in a step; the last notice says what is left out. */
enum level { LEVEL_NONE, LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTICE, LEVEL_COUNT };
static const struct {
    const char *word;
    size_t most;
} levels[LEVEL_COUNT] = {[LEVEL_ERROR] = {"error", 10},
                         [LEVEL_WARNING] = {"warning", 10},
                         [LEVEL_NOTICE] = {"notice", 9}};
static const enum level row_levels[GATE_STATUS_COUNT] = {
    [GATE_WRONG] = LEVEL_ERROR,       [GATE_UNRECORDED] = LEVEL_ERROR,
    [GATE_SLOWER] = LEVEL_ERROR,      [GATE_BEHIND] = LEVEL_ERROR,
    [GATE_MISSING] = LEVEL_ERROR,     [GATE_ENVIRONMENT] = LEVEL_WARNING,
    [GATE_UNDECIDED] = LEVEL_WARNING, [GATE_KNOWN] = LEVEL_NOTICE};

/* A machine that is not fit tells nothing of the kernels. */
static enum level level_of(const struct gate *gate, const struct gate_row *row) {
    return gate->verdict == GATE_VERDICT_ENVIRONMENT && row->status != GATE_ENVIRONMENT
               ? LEVEL_NONE
               : row_levels[row->status];
}

/* As the runner takes it back: % \r \n in a message, and : , in a property. Other control
 * characters were cleaned away but the tab. */
static void put_escaped(FILE *out, const char *text, bool property) {
    char clean[GATE_CLEAN];
    for (const char *c = gate_clean(text, clean); *c; c++)
        if (strchr(property ? "%\r\n:," : "%\r\n", *c))
            fprintf(out, "%%%02X", (unsigned)*c);
        else
            fputc(*c, out);
}

/* That of the first error which a compiler has told of the source, else 1. */
static long line_of(const struct gate_row *row) {
    const char *at = strstr(row->text, row->source);
    const char *number = at ? at + strlen(row->source) : "";
    const long line = *number == ':' || *number == '(' ? strtol(number + 1, NULL, 10) : 1;
    return line > 0 ? line : 1;
}

/* FOLDER/SOURCE without a leading "./"; a path of the repository where the folder was given so. */
static void put_file(FILE *out, const char *folder, const struct gate_row *row) {
    while (strncmp(folder, "./", 2) == 0)
        folder += 2 + strspn(folder + 2, "/");
    const size_t length = strlen(folder);
    fputs(" file=", out);
    put_escaped(out, strcmp(folder, ".") == 0 ? "" : folder, true);
    if (length > 0 && strcmp(folder, ".") != 0 && folder[length - 1] != '/')
        fputc('/', out);
    put_escaped(out, row->source, true);
    fprintf(out, ",line=%ld,", line_of(row));
}

/* Behind what the title says, why and by which numbers, a line each. */
static void put_row(FILE *out, const struct gate *gate, const struct gate_row *row) {
    char name[GATE_ROW_NAME], joined[GATE_JOINED], evidence[RUNDIR_TEXT];
    const char *lines[] = {row->text, gate_evidence_text(row, evidence)};
    fprintf(out, "::%s", levels[level_of(gate, row)].word);
    if (*row->source)
        put_file(out, jsonfile_text(gate->run.manifest, "folder"), row);
    fprintf(out, "%stitle=%s ", *row->source ? "" : " ", gate_status_words[row->status]);
    put_escaped(out, gate_row_name(row, name), true);
    fputs(*gate_join(row->mode, row->lens, joined) ? " " : "", out);
    put_escaped(out, joined, true);
    fprintf(out, "::%s", gate_status_texts[row->status]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        fputs(*lines[i] ? "%0A" : "", out);
        put_escaped(out, lines[i], false);
    }
    fputc('\n', out);
}

int output_annotations(FILE *out, const struct gate *gate) {
    size_t counts[LEVEL_COUNT] = {0};
    const char *between = "::notice title=gemmgate::";
    const enum level whole = gate->verdict == GATE_PASS ? LEVEL_NOTICE : LEVEL_ERROR;
    counts[whole]++;
    fprintf(out, "::%s title=gemmgate %s::", levels[whole].word, gate_verdict_word(gate->verdict));
    put_escaped(out, gate->reason, false);
    fprintf(out, " (exit status %d)\n", gate_verdict_exit(gate->verdict));
    for (size_t i = 0; i < gate->count; i++) {
        const enum level level = level_of(gate, &gate->rows[i]);
        if (level != LEVEL_NONE && counts[level]++ < levels[level].most)
            put_row(out, gate, &gate->rows[i]);
    }
    for (size_t i = LEVEL_ERROR; i < LEVEL_COUNT; i++) {
        if (counts[i] <= levels[i].most)
            continue;
        const size_t more = counts[i] - levels[i].most;
        fprintf(out, "%s%zu more %s%s", between, more, levels[i].word, more > 1 ? "s" : "");
        between = ", ";
    }
    if (*between == ',')
        fputs("; all are in gate.csv\n", out);
    return 0;
}
