/* What a gate says: a document, of which summary.md, gate.html, gate.csv, gate.json and what the terminal
 * shows are laid out, and lines for CI. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"
#include "reports/gate/output.h"
#include "reports/page/writers.h"
#include "reports/query/plot.h"
#include "reports/query/query.h"

#define WHOLE(TEXT, NUMBER, SIZE)                                                                  \
    TEXT(verdict, gate_verdict_word(gate->verdict))                                                \
    SIZE(exit_status, gate_verdict_exit(gate->verdict))                                            \
    TEXT(reason, gate->reason)                                                                     \
    TEXT(run_folder, call->run)                                                                    \
    TEXT(set_name, about->set)                                                                     \
    TEXT(folder, jsonfile_text(manifest, "folder"))                                                \
    TEXT(previous, gate->base.name)                                                                \
    TEXT(kernels_commit, jsonfile_text(manifest, "kernels_commit"))                                \
    TEXT(previous_commit, jsonfile_text(manifest, "previous_commit"))                              \
    TEXT(gemmgate_commit, jsonfile_text(json_object_get(manifest, "gemmgate"), "git_commit"))      \
    TEXT(device, about->device)                                                                    \
    TEXT(start, about->start)                                                                      \
    TEXT(finish, about->end)                                                                       \
    TEXT(plan_hash, about->hash)                                                                   \
    TEXT(inputs, about->inputs)                                                                    \
    SIZE(asked, call->policy != NULL)                                                              \
    TEXT(policy_file, call->policy_file)                                                           \
    TEXT(against, call->against)                                                                   \
    TEXT(entry, call->store_entry)                                                                 \
    TEXT(renamed, call->renamed)                                                                   \
    SIZE(release, call->for_release)                                                               \
    SIZE(absolute, call->absolute)                                                                 \
    SIZE(units, (int64_t)gate->units)                                                              \
    SIZE(suspects, (int64_t)gate->suspects)                                                        \
    SIZE(carried, (int64_t)gate->carried)                                                          \
    NUMBER(coverage, gate->coverage)                                                               \
    TEXT(csv, csv)                                                                                 \
    SIZE(most, (int64_t)most)                                                                      \
    SIZE(drawn, drawn)
QUERY_LIST(whole, "whole", WHOLE)

void output_tell(const struct gate *gate, const char *csv, size_t most, bool drawn) {
    const struct gate_call *call = &gate->call;
    const struct about *about = &gate->run.about;
    const json_t *manifest = gate->run.manifest;
    const struct whole whole = QUERY_VALUES(WHOLE);
    query_run(gate->db, "DROP TABLE IF EXISTS whole");
    query_add(gate->db, whole_file(), "", &whole, 1);
}

static struct document *make_page(const struct gate *gate, size_t most, const char *title,
                                  bool drawn) {
    struct document *page = document_new(title);
    output_tell(gate, "gate.csv", most, drawn);
    query_fill(page, gate->db, "", assets_gate_page_md);
    query_fill(page, gate->db, "", assets_findings_md);
    query_fill(page, gate->db, "", assets_gate_below_md);
    return page;
}

bool output_draw(const char *folder, const struct gate *gate) {
    struct child gnuplot;
    sqlite3_stmt *words = query_ask(gate->db, query_gate_figure, NULL);
    if (!query_next(words))
        return false;
    sqlite3_stmt *const data[] = {query_ask(gate->db, query_gate_figure, NULL), NULL};
    const int made = plot_make(folder, "ratios", words, data);
    sqlite3_finalize(words);
    query_run(gate->db, "DELETE FROM figures; INSERT INTO figures (name) VALUES ('ratios')");
    return made == 0 && plot_start(&gnuplot, folder, gate->db) > 0 &&
           plot_wait(&gnuplot, folder, gate->db) > 0;
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

int output_json(FILE *out, const struct gate *gate) {
    struct document *page = make_page(gate, 0, "", false);
    json_t *warnings = json_array(), *counts = json_object();
    json_t *json = json_pack("{s:i, s:s, s:i, s:b}", "format", 8, "verdict",
                             gate_verdict_word(gate->verdict), "exit_status",
                             gate_verdict_exit(gate->verdict), "release", gate->call.for_release);
    for (sqlite3_stmt *fact = query_ask(gate->db, "SELECT * FROM facts", NULL); query_next(fact);)
        json_object_set_new(json, query_text(fact, "key"),
                            jsonfile_string(query_text(fact, "text")));
    for (sqlite3_stmt *warning = query_ask(gate->db, "SELECT * FROM warnings", NULL);
         query_next(warning);)
        json_array_append_new(warnings, jsonfile_string(query_text(warning, "text")));
    for (sqlite3_stmt *status = query_ask(gate->db, query_gate_statuses, NULL); query_next(status);)
        json_object_set_new(counts, query_text(status, "status"),
                            json_integer((json_int_t)query_count(status, "count")));
    json_object_update_new(
        json, json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "counts", counts, "suspects",
                        (json_int_t)gate->suspects, "carried", (json_int_t)gate->carried, "units",
                        (json_int_t)gate->units, "coverage", jsonfile_number(gate->coverage),
                        "warnings", warnings, "totals", write_json_table(page, "totals"), "rows",
                        write_json_table(page, "rows")));
    document_free(page);
    return jsonfile_print(out, json, 9, JSON_INDENT(1), "the gate");
}

static int write_lines(FILE *out, const struct gate *gate, const char *sql) {
    output_tell(gate, "", 0, false);
    for (sqlite3_stmt *line = query_ask(gate->db, sql, NULL); query_next(line);)
        fprintf(out, "%s\n", query_text(line, "text"));
    return 0;
}

int output_junit(FILE *out, const struct gate *gate) {
    return write_lines(out, gate, query_junit);
}

int output_annotations(FILE *out, const struct gate *gate) {
    return write_lines(out, gate, query_annotations);
}

static const struct {
    const char *name;
    int (*write)(FILE *out, const struct gate *gate);
} outputs[] = {{"gate.csv", output_csv},    {"gate.json", output_json},
               {"junit.xml", output_junit}, {"summary.md", output_markdown},
               {"gate.html", output_html},  {"annotations.txt", output_annotations}};

static int write_one(const char *folder, size_t i, const struct gate *gate) {
    struct file file;
    if (file_open(&file, folder, outputs[i].name) < 0)
        return -1;
    if (outputs[i].write(file.stream, gate) < 0)
        file_abandon(&file);
    else if (file_commit(&file) == 0)
        return 0;
    /* Better none than that of another verdict. */
    unlink(file.path);
    return -1;
}

static int refuse_output(const struct gate *gate, const char *folder, size_t failed,
                         const char *first) {
    output_tell(gate, "", 0, false);
    sqlite3_stmt *again = query_ask(gate->db, "SELECT text FROM facts WHERE key = 'again'", NULL);
    query_next(again);
    error("%s: %zu of the gate's files could not be written, %s first; once that is mended, judge "
          "again what is measured: %s",
          folder, failed, first, query_text(again, "text"));
    sqlite3_finalize(again);
    return -1;
}

int output_write(const struct gate *gate, bool json) {
    char folder[PATH_MAX];
    size_t failed = 0;
    const char *first = NULL;
    if (files_join(folder, gate->call.run, "gate") < 0 || files_make_folder(folder) < 0)
        return -1;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (write_one(folder, i, gate) < 0 && failed++ == 0)
            first = outputs[i].name;
    if (failed)
        return refuse_output(gate, folder, failed, first);
    const int status = json ? output_json(stdout, gate) : output_text(stdout, gate);
    return status < 0 || fflush(stdout) == EOF || ferror(stdout)
               ? error("stdout: cannot write the gate's summary")
               : 0;
}
