/* The one place that makes sentences about a row, for every page, file and verdict. */
#ifndef REPORTS_GATE_GATE_WORDS_H
#define REPORTS_GATE_GATE_WORDS_H

#include "reports/gate/gate_result.h"

/* Room for any text of a gate, cleaned: a byte may become the three of U+FFFD. */
#define GATE_CLEAN (3 * RUNDIR_TEXT)

/* The text without what XML 1.0 or JSON cannot hold (utf8_clean). A longer text than those of a gate is
 * cut. Returns clean. */
const char *gate_clean(const char *text, char clean[GATE_CLEAN]);

/* A text about the gate as a whole: its name in data, and for people (NULL: pages say it elsewhere). */
struct gate_fact {
    const char *key, *label, *text;
};
enum { GATE_FACTS = 13, GATE_COMMAND = 2048 };

/* Fills the facts; `again`, the last, is the command line that judges the same run again. It is cut off,
 * and so of no use, where it is longer than any command line. Texts live as long as both. */
void gate_list_facts(const struct gate *gate, char again[GATE_COMMAND],
                     struct gate_fact facts[GATE_FACTS]);

/* "64x64x64.kernel", whatever became of it: CI keeps a history by this name. */
#define GATE_ROW_NAME (SHAPE_TEXT + RUNDIR_NAME + 2)
const char *gate_row_name(const struct gate_row *row, char name[GATE_ROW_NAME]);

/* The words with dots between, the empty ones left out: "offline.device". */
#define GATE_JOINED (2 * RUNDIR_NAME + 2)
const char *gate_join(const char *one, const char *other, char joined[GATE_JOINED]);

/* Of a ratio t_reference / t_candidate: "5 % more time", "24 % less time". */
#define GATE_CHANGE 32
const char *gate_change(double ratio, char text[GATE_CHANGE]);

/* screening or confirmation: where the row's visits are from; "" without any. */
const char *gate_stage(const struct gate_row *row);

/* What decided the row: the "Student's t" of the confirmation, after Holm's correction, or the 95 %
 * "interval"; "" where nothing did. */
const char *gate_decided(const struct gate_row *row);

/* The row's numbers as a sentence; "" where it has none. */
const char *gate_evidence_text(const struct gate_row *row, char text[RUNDIR_TEXT]);

/* Appends "takes 5 % more time than previous: ..." and why the row has its status, as briefly as asked. */
void gate_append_why(const struct gate_row *row, size_t most, char *text, size_t size);

#endif
