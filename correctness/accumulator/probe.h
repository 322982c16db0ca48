/* Which accumulator a kernel really has, seen from outside: inputs made for it, and a judge of C.
 *
 * Let L = 1536 and u = 2^-10. Every entry of C is a sum of products. Each product is L or -L (the
 * pair; each occurs at most once), u or 2u (the addends), or 0. All addends have one sign. The true
 * value is T, the sum of the addends; it is at most 480 u (tested). Any way to add the products up
 * is a tree. Each node is a partial sum over some of k, kept in binary32 or rounded to binary16. A
 * node that holds both or neither of the pair is a whole number of u below 2^11, which is exact in
 * both formats. A node that holds one of the pair is +-L + s with 0 <= s <= 480 u:
 *   - binary32 has it exactly: its size is below 2^21 u, three bits under what the format holds.
 *     Tensor cores align to the largest exponent and cut off; what 22 bits hold of that (tested;
 *     they keep 24 or more) still has every whole u.
 *   - binary16 has steps of 2^-10 * 2^10 = 1024 u there and rounds to nearest: s < 512 u is gone,
 *     all of it, and +-L is left. L is in the middle of its binade, so the step is the same on
 *     both sides.
 * So with f32 throughout every entry is T exactly, and the last rounding hides nothing; with any
 * f16 node that has one of the pair and an addend, the entry is a whole number of u from 0 to below
 * T. Nothing else can come of either: an entry that is something else, or a control (an entry
 * without a pair) that is not T, was made by something other than an accumulator.
 *
 * Addends stand beside both members of the pair, so that a run of k that divides a pair has some. A
 * few stand all over k. Places are drawn from the seed. Distances go from one aligned 8 to all of
 * k, so that the entries that are lost say where the f16 is. The matrix that has more lines (rows
 * of A or columns of B) has the carriers. A carrier's elements are 0 and 1: they let through the
 * addends of some blocks of k, and two pairs, or none in one line of four. The lines of the other
 * matrix are selectors: they hold +-L for one of the two pairs, u and 2u. So each pair is met once
 * in every second selector, all over C.
 *
 * Of bf16 the inputs are the same numbers, with fewer addends: all of them are at most 256 u
 * (tested), which bfloat16 counts exactly. A node rounded to bfloat16 has steps of 2^10 * 2^-7 = 8
 * beside L, so that s <= 1/4 is gone; one rounded to binary16 loses it as above. So bf16 and f16
 * are found alike and not told apart: the word is "16-bit".
 *
 * What it cannot tell:
 *   - two ways that round at the same places along k: k slices from split-K parts of one size, f16
 *     steps of 16 from f32 where k is no larger than 16;
 *   - f16 from mixed with very few lines: of 25 pairs none may be within one run of 32 and yet a
 *     step apart;
 *   - rounding toward zero to binary16 on the way, which no known kernel does: it is unknown. */
#ifndef CORRECTNESS_ACCUMULATOR_PROBE_H
#define CORRECTNESS_ACCUMULATOR_PROBE_H

#include <stdint.h>

#include "bench/base/element.h"
#include "bench/base/shape.h"

#define PROBE_LEAST_K 16
#define PROBE_STEP 16 /* along k: what one tensor core instruction adds before it rounds */

enum probe_word {
    PROBE_F32,    /* all is kept */
    PROBE_F16,    /* all pairs at least a step apart are lost, in all of C, and not PROBE_WITHIN */
    PROBE_MIXED,  /* some of them, or parts of them */
    PROBE_UNKNOWN /* wrong in another way, or nothing could be told */
};

/* Where a mixed accumulator is f16. */
enum probe_where {
    PROBE_NOWHERE, /* the word is not PROBE_MIXED */
    PROBE_RUNS,    /* between equal runs of k: slices, or the partials of split-K */
    PROBE_WITHIN,  /* within equal runs of k, and not between them: f16 sums of slices */
    PROBE_PLACES   /* at other places along k, or in some parts of C */
};

/* By distance of the pair along k: [0] less than a step, [d] less than 2^d steps. */
#define PROBE_DISTANCES 18

/* One entry that is not what f32 makes. */
struct probe_witness {
    int64_t row, column; /* -1: there is none */
    int64_t large[2];    /* where along k L and -L are; -1 in a control */
    double got, exact;
};

struct probe_verdict {
    enum probe_word word;
    enum probe_where where;
    int64_t run;                 /* indices along k, of PROBE_RUNS and PROBE_WITHIN; else 0 */
    int64_t pairs, pairs_apart;  /* different pairs; those at least a step apart */
    int64_t entries, lost;       /* entries with a pair; those that lost addends as f16 does */
    int64_t foreign;             /* entries that no accumulator explains, NaN among them */
    int64_t rows[2], columns[2]; /* first and last with a lost entry; -1 if none */
    struct probe_witness first_lost, first_foreign; /* by carrier, then selector */
    struct {
        int64_t entries, lost;
    } distance[PROBE_DISTANCES];
    char evidence[768]; /* sentences */
};

/* "f32", "f16" (of bf16 "16-bit": it may be either), "mixed" or "unknown". */
const char *probe_word_name(enum element element, enum probe_word word);

/* c is m x n row-major, what a kernel made of A and B filled with probe_element
 * (probe_element.h) for this seed and shape. */
void probe_judge(enum element element, const uint16_t *c, struct shape shape, uint64_t seed,
                 struct probe_verdict *verdict);

#endif
