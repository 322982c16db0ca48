/* What a gate shows: files under RUN/gate/. Each writer is pure and returns 0, or -1 after error()
 * for want of memory; what goes wrong with the stream stays in ferror(out). */
#ifndef REPORTS_GATE_OUTPUT_OUTPUT_H
#define REPORTS_GATE_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/gate/gate_result.h"

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

#endif
