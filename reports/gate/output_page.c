/* What a gate says: a document, of which summary.md, gate.html, gate.csv, gate.json and what the terminal
 * shows are laid out, and lines for CI. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "reports/gate/output.h"
#include "reports/page/assets.h"
#include "reports/page/writers.h"
#include "reports/query/query.h"
#include "reports/rows/series.h"

enum { WIDE = DOCUMENT_MARKDOWN | DOCUMENT_HTML };

static bool has_rows(const struct gate *gate) {
    return query_any(query_ask(gate->db, "SELECT 1 FROM gate_rows", NULL));
}

static void put_verdict(struct document *page, const struct gate *gate) {
    document_note(page, gate->verdict == GATE_PASS ? DOCUMENT_GOOD : DOCUMENT_BAD,
                  "**%s** (exit status %d)%s: %s", gate_verdict_word(gate->verdict),
                  gate_verdict_exit(gate->verdict),
                  gate->call.for_release ? ", as for a release" : "", gate->reason);
}

static void put_head(struct document *page, const struct gate *gate) {
    char heading[64];
    snprintf(heading, sizeof heading, "gemmgate: %s", gate_verdict_word(gate->verdict));
    document_section(page, 2, "verdict", heading);
    put_verdict(page, gate);
}

/* How much was measured, of what and where. */
static void put_facts(struct document *page, const struct gate *gate) {
    struct gate_fact facts[GATE_FACTS];
    char again[GATE_COMMAND];
    if (has_rows(gate)) {
        document_paragraph(page, "%zu kernels on shapes, %zu rows measured again as suspects, ",
                           gate->units, gate->suspects);
        if (gate->carried)
            document_add(page, "%zu carried over as they were, ", gate->carried);
        document_add(page, "%.4g %% of the shapes have an honest kernel.", 100 * gate->coverage);
    }
    gate_list_facts(gate, again, facts);
    for (size_t i = 0; i < GATE_FACTS; i++)
        if (facts[i].label && *facts[i].text)
            document_fact_marked(page, facts[i].label, "`%s`", facts[i].text);
    document_fact(page, "Inputs while timed", gate->run.about.inputs);
}

/* Markdown shows some; the terminal shows all. */
static void put_warnings(struct document *page, const struct gate *gate, size_t most) {
    const size_t shown = most && most < gate->warning_count ? most : gate->warning_count;
    for (size_t i = 0; i < gate->warning_count; i++) {
        document_only(page, i < shown ? DOCUMENT_PAGES : DOCUMENT_TERMINAL);
        document_item(page, "**warning:** %s", gate->warnings[i]);
    }
    document_only(page, WIDE);
    if (shown < gate->warning_count)
        document_item(page, "%zu more warnings; all are in `gate.json`",
                      gate->warning_count - shown);
}

/* At what the ratios of small products are stated. */
static void put_stated(struct document *page, const struct gate *gate) {
    double measured;
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (rows_stated(&gate->run.rows, words_lenses[lens], &measured) > 0)
            document_item(
                page,
                words_lens_is((enum lens)lens, LENS_HELD)
                    ? "By `%s` the ratios of small products are stated at an empty call of "
                      "%.4g µs, whatever the front end of the device takes in a process."
                    : "By `%s` the ratios of small products are stated at a launch of "
                      "%.4g µs, whatever a launch takes in a process.",
                words_lenses[lens],
                words_lens_is((enum lens)lens, LENS_HELD)
                    ? 1e6 * series_empty_seconds((enum lens)lens)
                    : json_number_value(json_object_get(gate->run.plan, "launch_us")));
}

static void put_how_to_read(struct document *page, const struct gate *gate) {
    struct gate_fact facts[GATE_FACTS];
    char again[GATE_COMMAND];
    if (!has_rows(gate))
        return;
    document_section(page, 3, "how-to-read", "How to read this");
    document_prose(page, assets_gate_reading_md);
    put_stated(page, gate);
    gate_list_facts(gate, again, facts);
    document_paragraph(page,
                       "Every row is in `%s/gate/`: gate.csv, gate.json, junit.xml. The raw "
                       "samples lie beside it. To judge them again: `%s`.",
                       gate->call.run, again);
}

/* most: as of output_put_findings. */
static struct document *make_page(const struct gate *gate, size_t most, const char *title,
                                  bool drawn) {
    struct document *page = document_new(title);
    document_only(page, WIDE);
    put_head(page, gate);
    put_warnings(page, gate, most ? 1 + most / OUTPUT_NOTES_SHARE : 0);
    document_only(page, DOCUMENT_TERMINAL);
    if (has_rows(gate))
        document_paragraph(page, "A ratio is the time of what a kernel is held against / its own: "
                                 "above 1 is faster.");
    output_put_findings(page, gate, "gate.csv", most);
    document_only(page, WIDE);
    if (drawn)
        output_put_figure(page, gate);
    put_facts(page, gate);
    put_how_to_read(page, gate);
    document_only(page, DOCUMENT_TERMINAL);
    put_verdict(page, gate);
    document_paragraph(page, "%s/gate/gate.html", gate->call.run);
    return page;
}

int output_csv(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, 0, "", false);
    const int status = write_csv(out, page, "rows");
    document_free(page);
    return status;
}

int output_text(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, 0, "", false);
    const int status = write_text(out, page);
    document_free(page);
    return status;
}

int output_html(FILE *out, const struct gate *gate) {
    char folder[PATH_MAX], title[sizeof gate->run.about.set + 32];
    if (files_join(folder, gate->call.run, "gate") < 0)
        return -1;
    const bool drawn = output_draw(folder, gate);
    snprintf(title, sizeof title, "gemmgate gate: %s", gate->run.about.set);
    struct document *page = make_page(gate, 0, title, drawn);
    const int status = write_html(out, page, folder);
    document_free(page);
    return status;
}

/* Whole where that is short enough, else cut: so much that any fifty rows of ordinary texts fit, and any
 * eight. */
int output_markdown(FILE *out, const struct gate *gate) {
    static const size_t mosts[] = {0, 50, 8};
    char *bytes = NULL;
    size_t size = OUTPUT_MARKDOWN + 1;
    for (size_t i = 0; i < sizeof mosts / sizeof *mosts && size > OUTPUT_MARKDOWN; i++) {
        struct document *page = make_page(gate, mosts[i], "", false);
        free(bytes);
        FILE *stream = need_stream(&bytes, &size);
        fputs("<!-- gemmgate -->\n",
              stream); /* by which a comment is found that is to be replaced */
        write_markdown(stream, page);
        fclose(stream);
        document_free(page);
    }
    fwrite(bytes, 1, size, out);
    free(bytes);
    return 0;
}

/* The gate's facts by their keys, behind its verdict. */
static void add_facts(json_t *json, const struct gate *gate) {
    struct gate_fact facts[GATE_FACTS];
    char again[GATE_COMMAND];
    gate_list_facts(gate, again, facts);
    for (size_t i = 0; i < GATE_FACTS; i++)
        json_object_set_new(json, facts[i].key, jsonfile_string(facts[i].text));
}

int output_json(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, 0, "", false);
    json_t *warnings = json_array(), *counts = json_object();
    for (size_t i = 0; i < gate->warning_count; i++)
        json_array_append_new(warnings, jsonfile_string(gate->warnings[i]));
    for (sqlite3_stmt *status = query_ask(gate->db, query_gate_statuses, NULL); query_next(status);)
        json_object_set_new(counts, query_text(status, "status"),
                            json_integer((json_int_t)query_count(status, "count")));
    json_t *json = json_pack("{s:i, s:s, s:i, s:b}", "format", 8, "verdict",
                             gate_verdict_word(gate->verdict), "exit_status",
                             gate_verdict_exit(gate->verdict), "release", gate->call.for_release);
    add_facts(json, gate);
    json_object_update_new(
        json, json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "counts", counts, "suspects",
                        (json_int_t)gate->suspects, "carried", (json_int_t)gate->carried, "units",
                        (json_int_t)gate->units, "coverage", jsonfile_number(gate->coverage),
                        "warnings", warnings, "totals", write_json_table(page, "totals"), "rows",
                        write_json_table(page, "rows")));
    document_free(page);
    return jsonfile_print(out, json, 9, JSON_INDENT(1), "the gate");
}

/* The lines of an answer that is asked for with the gate's texts. */
static int write_lines(FILE *out, const struct gate *gate, const char *sql) {
    json_t *texts = json_pack("{s:s, s:i}", "verdict", gate_verdict_word(gate->verdict),
                              "exit_status", gate_verdict_exit(gate->verdict));
    add_facts(texts, gate);
    char *json = json_dumps(texts, 0);
    for (sqlite3_stmt *line = query_ask(gate->db, sql, json, NULL); query_next(line);)
        fprintf(out, "%s\n", query_text(line, "text"));
    free(json);
    json_decref(texts);
    return 0;
}

int output_junit(FILE *out, const struct gate *gate) {
    return write_lines(out, gate, query_junit);
}

int output_annotations(FILE *out, const struct gate *gate) {
    return write_lines(out, gate, query_annotations);
}
