/* What the writers of output.h share: clean texts, names and the evidence in words. */
#ifndef REPORTS_GATE_OUTPUT_OUTPUT_PARTS_H
#define REPORTS_GATE_OUTPUT_OUTPUT_PARTS_H

#include <stdio.h>

#include "reports/gate/gate_result.h"

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

/* What decided the row: the "Student's t" of its stage, after Holm's correction, or the 95 %
 * "interval" that cleared it; "" where nothing did. */
const char *output_decided(const struct gate_row *row);

/* The row's numbers as a sentence; "" where it has none. */
const char *output_evidence(const struct gate_row *row, char text[RUNDIR_TEXT]);

/* Why the row has its status, in a line; never "". */
const char *output_why(const struct gate_row *row, char text[RUNDIR_TEXT]);

#endif
