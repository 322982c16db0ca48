/* What a gate shows: files under RUN/gate/. Each writer is pure and returns 0, or -1 after error()
 * for want of memory; what goes wrong with the stream stays in ferror(out). */
#ifndef REPORTS_GATE_OUTPUT_H
#define REPORTS_GATE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/gate/gate_result.h"
#include "reports/page/document.h"

/* Writes all of the files below under RUN/gate/, whatever the verdict is, and then prints a summary
 * to stdout, or gate.json. 0, or -1 after error(). If one file fails, the others are still written,
 * what an earlier gate left in its place is removed, and no verdict is printed. */
int output_write(const struct gate *gate, bool json);

int output_csv(FILE *out, const struct gate *gate);      /* gate.csv: every row */
int output_json(FILE *out, const struct gate *gate);     /* gate.json, ci/gate.schema.json */
int output_junit(FILE *out, const struct gate *gate);    /* junit.xml: a suite a mode and lens */
int output_markdown(FILE *out, const struct gate *gate); /* summary.md: sorted by severity, cut to
                                                          * OUTPUT_MARKDOWN bytes */
int output_html(FILE *out, const struct gate *gate); /* gate.html: the summary with all rows and the
                                                      * figure ratios.svg, which it draws */
int output_annotations(FILE *out, const struct gate *gate); /* annotations.txt: GitHub workflow
                                                             * commands on the kernels' files */
int output_text(FILE *out, const struct gate *gate);        /* what the terminal shows */

/* A comment on GitHub or GitLab holds 65,536 characters; a job summary 1 MiB. */
#define OUTPUT_MARKDOWN 60000

/* What pages of gates and comparisons share. Of `most`, rows that need a look are shown in Markdown,
 * and
 * twice as many of all rows; of totals a quarter; 0: all.
 *
 * The tables "rows" and "totals", which are data, too; rows that need a look, the largest improvements,
 * the statistics of all rows, and the figure where it is drawn. csv: the file of the rows. */
enum { OUTPUT_NOTES_SHARE = 4 };
void output_put_findings(struct document *page, const struct gate *gate, const char *csv,
                         size_t most, bool drawn);

/* Draws FOLDER/ratios.svg: what needs a look stands first. Whether there is one: gnuplot may be missing. */
bool output_draw(const char *folder, const struct gate *gate);

/* Room for any text of a gate, cleaned: a byte may become the three of U+FFFD. */
#define OUTPUT_CLEAN (3 * RUNDIR_TEXT)

/* The text without what XML 1.0 or JSON cannot hold (utf8_clean). A longer text than those of a gate is
 * cut. Returns clean. */
const char *output_clean(const char *text, char clean[OUTPUT_CLEAN]);

/* "64x64x64.kernel", whatever became of it: CI keeps a history by this name. */
#define OUTPUT_NAME (SHAPE_TEXT + RUNDIR_NAME + 2)
const char *output_name(const struct gate_row *row, char name[OUTPUT_NAME]);

/* The words with dots between, the empty ones left out: "set.offline.device". */
#define OUTPUT_JOINED (3 * RUNDIR_NAME + 3)
const char *output_join(const char *const *words, size_t count, char joined[OUTPUT_JOINED]);

/* screening or confirmation: where the row's visits are from; "" without any. */
const char *output_stage(const struct gate_row *row);

/* What decided the row: the "Student's t" of the confirmation, after Holm's correction, or the 95 %
 * "interval"; "" where nothing did. */
const char *output_decided(const struct gate_row *row);

/* The row's numbers as a sentence; "" where it has none. */
const char *output_evidence(const struct gate_row *row, char text[RUNDIR_TEXT]);

/* Why the row has its status, in a line; never "". */
const char *output_why(const struct gate_row *row, char text[RUNDIR_TEXT]);

#endif
