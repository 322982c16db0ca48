/* Texts about a gate as a whole. What is said of its rows is in gate_schema.sql. */
#ifndef REPORTS_GATE_GATE_FACTS_H
#define REPORTS_GATE_GATE_FACTS_H

#include "reports/gate/gate_result.h"

/* Its name in data, and for people (NULL: pages say it elsewhere). */
struct gate_fact {
    const char *key, *label, *text;
};
enum { GATE_FACTS = 13, GATE_COMMAND = 2048 };

/* Fills the facts; `again`, the last, is the command line that judges the same run again. It is cut off,
 * and so of no use, where it is longer than any command line. Texts live as long as both. */
void gate_list_facts(const struct gate *gate, char again[GATE_COMMAND],
                     struct gate_fact facts[GATE_FACTS]);

#endif
