/* What it means that a kernel uses a function: the tables behind the static audit. */
#ifndef CORRECTNESS_AUDIT_SYMBOL_RULES_H
#define CORRECTNESS_AUDIT_SYMBOL_RULES_H

#include <stdbool.h>

#include "correctness/audit/finding.h"

/* Names are separated by blanks. A name that ends in * stands for all names with that beginning. */
struct symbol_rule {
    bool allowed;
    enum finding_kind kind; /* unless allowed */
    const char *reason;     /* why kernels need them, or what they could do with them */
    const char *names;
};

/* Whether the list of names holds this one. */
bool symbol_in(const char *names, const char *name);

/* The rule for a linker symbol, with or without its leading underscores, or NULL for an unknown. */
const struct symbol_rule *symbol_rule_of(const char *name);

/* Whether the harness itself calls a symbol of this name, so that a library that defines it would
 * be called instead. */
bool symbol_of_harness(const char *name);

/* What a CUDA runtime linked into a library needs for itself, though no kernel might. */
extern const char symbols_of_static_runtime[];

#endif
