/* What a gate shows: files under RUN/gate/. Each writer is pure and returns 0, or -1 after error()
 * for want of memory; what goes wrong with the stream stays in ferror(out). */
#ifndef REPORTS_GATE_OUTPUT_H
#define REPORTS_GATE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/gate/gate.h"

/* Writes all of the files below under RUN/gate/, whatever the verdict is, and then prints a summary
 * to stdout, or gate.json. 0, or -1 after error(). If one file fails, the others are still written,
 * what an earlier gate left in its place is removed, and no verdict is printed. */
int output_write(const struct gate *gate, bool json);

int output_csv(FILE *out, const struct gate *gate);   /* gate.csv: every row */
int output_json(FILE *out, const struct gate *gate);  /* gate.json, ci/gate.schema.json */
int output_junit(FILE *out, const struct gate *gate); /* junit.xml: one suite; classes are modes */
int output_markdown(FILE *out, const struct gate *gate); /* summary.md: sorted by severity, cut to
                                                          * OUTPUT_MARKDOWN bytes */
int output_html(FILE *out, const struct gate *gate); /* gate.html: the summary with all rows and the
                                                      * figure ratios.svg, which it draws */
int output_annotations(FILE *out, const struct gate *gate); /* annotations.txt: GitHub workflow
                                                             * commands on the kernels' files */
int output_text(FILE *out, const struct gate *gate);        /* what the terminal shows */

/* A comment on GitHub or GitLab holds 65,536 characters; a job summary 1 MiB. */
#define OUTPUT_MARKDOWN 60000

/* Puts what is known of a gate or a comparison as a whole into the table `whole`, which pages are filled
 * from: findings.md is what they share. csv: the file of the rows. Of `most`, rows that need a look are
 * shown in Markdown, twice as many of all rows, of totals and warnings a quarter; 0: all. */
void output_tell(const struct gate *gate, const char *csv, size_t most, bool drawn);

/* Draws FOLDER/ratios.svg and .png: a line a row, the first 20 that have a ratio, so narrow that a phone
 * shows it whole. Whether there is one: gnuplot may be missing. */
bool output_draw(const char *folder, const struct gate *gate);

#endif
