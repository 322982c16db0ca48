/* The instructions that a kernel's library holds for the device: which units multiply, and in what
 * they accumulate. This is evidence beside the black-box probe (correctness/accumulator/probe.h),
 * never instead of it. It counts the instructions that are there, not how often they run. It reads
 * them in a disassembler's output for a file that may be hostile. */
#ifndef CORRECTNESS_AUDIT_MACHINE_CODE_H
#define CORRECTNESS_AUDIT_MACHINE_CODE_H

#include <stdbool.h>
#include <stdio.h>

#include "correctness/audit/behaviour.h"

/* X(identifier, words). The first nine are matrix instructions, of f16 where no other type is said.
 * fp8 stands for fewer bits too, integers for 8 bits and fewer. */
#define MACHINE_CLASSES(X)                                                                         \
    X(HMMA_F32, "HMMA f32")                                                                        \
    X(HGMMA_F32, "HGMMA f32")                                                                      \
    X(HMMA_F16, "HMMA f16")                                                                        \
    X(HGMMA_F16, "HGMMA f16")                                                                      \
    X(MMA_WIDE, "bf16 or tf32 MMA")                                                                \
    X(MMA_FP8, "fp8 MMA")                                                                          \
    X(MMA_INTEGER, "integer MMA")                                                                  \
    X(MMA_F64, "DMMA")                                                                             \
    X(MMA_OTHER, "other MMA")                                                                      \
    X(FP8_CONVERSION, "fp8 conversion")                                                            \
    X(HFMA2, "HFMA2")                                                                              \
    X(HADD2, "HADD2")                                                                              \
    X(FFMA, "FFMA")                                                                                \
    X(DEPENDENT, "griddepcontrol")

#define MACHINE_ENUM(id, words) MACHINE_##id,
enum machine_class { MACHINE_CLASSES(MACHINE_ENUM) MACHINE_CLASS_COUNT };
#undef MACHINE_ENUM

/* One function for one architecture. */
struct machine_function {
    uint64_t symbol; /* behaviour_symbol of the whole name */
    size_t arch;
    uint64_t counts[MACHINE_CLASS_COUNT];
    char name[96]; /* mangled, cut */
};

#define MACHINE_ARCHS 16

/* Starts zeroed; machine_code_free ends it. */
struct machine_code {
    char archs[MACHINE_ARCHS][16]; /* "sm_90a" */
    size_t arch_count;
    struct machine_function *functions;
    size_t count;
    uint64_t dropped; /* functions for which there was no room */
};

/* Reads what `cuobjdump -sass` prints to its end; a line that is nothing known is passed over.
 */
void machine_code_parse(FILE *text, struct machine_code *code);

/* The same as a text of our own, for machine_code_load: 0, or -1 where it cannot be written. */
int machine_code_save(const struct machine_code *code, FILE *out);

/* Reads such a text from the current place to the end of the file. 0, or -1 if it is no such text.
 * The caller frees code either way. */
int machine_code_load(FILE *in, struct machine_code *code);

/* Appends, for each architecture, the instructions of the functions that ran, and the findings
 * about them. The events of a recorded run say which functions ran. Without events that is not
 * known: every function counts, and none is accused if another one has the honest instructions. */
void machine_code_judge(const struct machine_code *code, const struct behaviour_event *events,
                        uint64_t count, bool claims_f32, struct finding_list *list);

void machine_code_free(struct machine_code *code);

#endif
