#include "correctness/accumulator/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/cores.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "correctness/accumulator/probe_element.h"
#include "correctness/numbers/number16.h"

/* Fewer pairs could all miss a single cut through k. */
#define PAIRS_LEAST 24

/* Fewer that are far apart could miss f16 between runs of k. */
#define WITHIN_LEAST 8

/* So many are kept to find the length of runs by. */
#define PAIRS_KEPT 1024

struct pair {
    int64_t large[2]; /* where along k +L and -L are */
    int64_t carrier;
    int64_t entries, lost;
    int64_t least; /* what the lost entries have kept at least, in units of u */
};

struct carrier {
    bool control;
    uint16_t exact; /* its entries, before the selector's sign */
    struct pair pair[PROBE_CHANNELS];
};

struct judge {
    enum element element;
    const uint16_t *c;
    struct shape shape;
    uint64_t seed;
    int64_t carriers, selectors;
    int64_t carrier_stride, selector_stride; /* in c */
    int64_t apart, lost_apart;               /* entries whose pair is a step apart */
    struct pair kept[PAIRS_KEPT];
    int64_t kept_count;
};

enum fate { LOST, FOREIGN };

/* Threads look at so many carriers each. */
enum { CARRIERS = 128 };

struct look {
    int64_t addends;
    bool exact; /* all of its entries */
};

const char *probe_word_name(enum element element, enum probe_word word) {
    static const char *const name[] = {"f32", "f16", "mixed", "unknown"};
    return word == PROBE_F16 && element == ELEMENT_BF16 ? "16-bit" : name[word];
}

/* Of a block, in units of u; k may end short of it. */
static int64_t addends_of_block(uint64_t seed, int64_t block, int64_t k) {
    const uint32_t bits = probe_block(seed, block);
    int64_t sum = 0;
    for (int64_t at = block * PROBE_BLOCK; at < (block + 1) * PROBE_BLOCK && at < k; at++) {
        const struct probe_role role = probe_role(bits, at);
        sum += role.large ? 0 : 1 + role.doubled;
    }
    return sum;
}

/* Of a piece of k that begins with a block: of the blocks that the line takes (probe_takes), one in
 * so many and those around a pair. */
static int64_t addends_of(const struct probe_line *line, uint64_t seed, int64_t first, int64_t k) {
    const int64_t begin = first / PROBE_BLOCK, past = (begin + line->line) % line->every;
    const int64_t end = (k + PROBE_BLOCK - 1) / PROBE_BLOCK;
    int64_t sum = 0, met[2 * PROBE_CHANNELS];
    int count = 0;
    for (int64_t block = begin + (past ? line->every - past : 0); block < end; block += line->every)
        sum += addends_of_block(seed, block, k);
    for (int i = 0; i < 2 * PROBE_CHANNELS; i++) {
        const int64_t block = line->large[i / 2][i % 2];
        bool known = block < begin || block >= end || (block + line->line) % line->every == 0;
        for (int j = 0; j < count && !known; j++)
            known = met[j] == block;
        if (known)
            continue;
        met[count++] = block;
        sum += addends_of_block(seed, block, k);
    }
    return sum;
}

static int64_t all_addends_of(const struct judge *judge, int64_t index) {
    const struct probe_line line = probe_line(judge->element, judge->seed, index, judge->shape.k);
    return addends_of(&line, judge->seed, 0, judge->shape.k);
}

static struct carrier carrier_with(const struct judge *judge, int64_t index, int64_t addends) {
    const struct probe_line line = probe_line(judge->element, judge->seed, index, judge->shape.k);
    struct carrier carrier = {.control = probe_is_control(index)};
    carrier.exact = number16_from_float(judge->element, (float)addends * 0x1p-10f) | line.sign;
    for (int channel = 0; channel < PROBE_CHANNELS; channel++) {
        carrier.pair[channel].carrier = index;
        carrier.pair[channel].least = addends;
        for (int minus = 0; minus < 2; minus++)
            carrier.pair[channel].large[minus] =
                probe_place(judge->seed, line.large[channel][minus], channel, minus);
    }
    return carrier;
}

static struct carrier carrier_of(const struct judge *judge, int64_t index) {
    return carrier_with(judge, index, all_addends_of(judge, index));
}

static double value_of(const struct judge *judge, uint16_t bits) {
    return (double)number16_to_float(judge->element, bits);
}

/* In units of u. */
static int64_t units_of(const struct judge *judge, uint16_t bits) {
    return (int64_t)fabs(value_of(judge, bits) * 0x1p10);
}

/* Of an entry that is not exact: 16 bits on the way leave part of the addends, if there is a pair.
 */
static enum fate fate_of(const struct judge *judge, uint16_t bits, uint16_t exact_bits,
                         bool control) {
    const double got = value_of(judge, bits), exact = value_of(judge, exact_bits);
    const double share = got / exact, addends = got * 0x1p10;
    return !control && share >= 0 && share < 1 && addends == floor(addends) ? LOST : FOREIGN;
}

static int64_t distance(const struct pair *pair) {
    return llabs(pair->large[0] - pair->large[1]);
}

/* Two steps divide such a pair wherever along k they begin. */
static bool is_apart(const struct pair *pair) {
    return distance(pair) >= PROBE_STEP;
}

static void grow(int64_t range[2], int64_t at) {
    range[0] = range[0] < 0 || at < range[0] ? at : range[0];
    range[1] = at > range[1] ? at : range[1];
}

static void note(struct probe_verdict *verdict, enum fate fate,
                 const struct probe_witness *witness) {
    struct probe_witness *first = fate == LOST ? &verdict->first_lost : &verdict->first_foreign;
    if (first->row < 0)
        *first = *witness;
    if (fate == FOREIGN) {
        verdict->foreign++;
        return;
    }
    grow(verdict->rows, witness->row);
    grow(verdict->columns, witness->column);
}

static void count_pair(struct judge *judge, const struct pair *pair,
                       struct probe_verdict *verdict) {
    if (pair->entries == 0) /* there is but one selector */
        return;
    int class = 0;
    while (distance(pair) >= (int64_t)PROBE_STEP << class)
        class ++;
    verdict->pairs++;
    verdict->entries += pair->entries;
    verdict->lost += pair->lost;
    verdict->distance[class].entries += pair->entries;
    verdict->distance[class].lost += pair->lost;
    if (is_apart(pair)) {
        verdict->pairs_apart++;
        judge->apart += pair->entries;
        judge->lost_apart += pair->lost;
    }
    if (judge->kept_count < PAIRS_KEPT)
        judge->kept[judge->kept_count++] = *pair;
}

static int64_t least_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Whether each of some neighbouring carriers has nothing but exact entries: loops without branches
 * that walk C as it lies. */
static void look(const struct judge *judge, int64_t first, int count, struct look *looks) {
    const int64_t stride = judge->selector_stride;
    uint16_t exact[CARRIERS], other[CARRIERS] = {0};
    for (int i = 0; i < count; i++) {
        looks[i].addends = all_addends_of(judge, first + i);
        exact[i] = carrier_with(judge, first + i, looks[i].addends).exact;
    }
    for (int i = 0; stride == 1 && i < count; i++) {
        const uint16_t *c = judge->c + (first + i) * judge->carrier_stride;
        uint16_t any = 0;
        for (int64_t s = 0; s < judge->selectors; s++)
            any |= c[s] ^ exact[i] ^ probe_selector_sign(s);
        other[i] = any;
    }
    for (int64_t s = 0; stride != 1 && s < judge->selectors; s++) {
        const uint16_t *c = judge->c + first * judge->carrier_stride + s * stride;
        const uint16_t sign = probe_selector_sign(s);
        for (int i = 0; i < count; i++)
            other[i] |= c[i] ^ exact[i] ^ sign;
    }
    for (int i = 0; i < count; i++)
        looks[i].exact = other[i] == 0;
}

/* Selectors that open the channel. */
static int64_t entries_of(const struct judge *judge, int channel) {
    return (judge->selectors + PROBE_CHANNELS - 1 - channel) / PROBE_CHANNELS;
}

static void judge_carrier(struct judge *judge, int64_t index, const struct look *seen,
                          struct probe_verdict *verdict) {
    const bool by_rows = probe_by_rows(judge->shape);
    struct carrier carrier = carrier_with(judge, index, seen->addends);
    const uint16_t *c = judge->c + index * judge->carrier_stride;
    for (int channel = 0; seen->exact && channel < PROBE_CHANNELS; channel++)
        carrier.pair[channel].entries = entries_of(judge, channel);
    for (int64_t s = 0; !seen->exact && s < judge->selectors; s++, c += judge->selector_stride) {
        const uint16_t exact = carrier.exact ^ probe_selector_sign(s);
        struct pair *pair = &carrier.pair[probe_channel(s)];
        pair->entries++;
        if (*c == exact)
            continue;
        const enum fate fate = fate_of(judge, *c, exact, carrier.control);
        pair->lost += fate == LOST;
        if (fate == LOST)
            pair->least = least_of(pair->least, units_of(judge, *c));
        const struct probe_witness witness = {
            .row = by_rows ? index : s,
            .column = by_rows ? s : index,
            .large = {carrier.control ? -1 : pair->large[0], carrier.control ? -1 : pair->large[1]},
            .got = value_of(judge, *c),
            .exact = value_of(judge, exact),
        };
        note(verdict, fate, &witness);
    }
    for (int channel = 0; !carrier.control && channel < PROBE_CHANNELS; channel++)
        count_pair(judge, &carrier.pair[channel], verdict);
}

static void judge_carriers(struct judge *judge, struct probe_verdict *verdict) {
    const int64_t count = judge->carriers;
    struct look *looks = need((size_t)count, sizeof *looks);
#pragma omp parallel for schedule(dynamic) num_threads(team_size(count * judge->selectors))
    for (int64_t at = 0; at < count; at += CARRIERS)
        look(judge, at, (int)least_of(count - at, CARRIERS), looks + at);
    for (int64_t i = 0; i < count; i++)
        judge_carrier(judge, i, &looks[i], verdict);
    free(looks);
}

/* Whether exactly the pairs in two runs are lost, each in all its entries, and there are some. */
static bool explains(const struct judge *judge, int64_t first, int64_t run) {
    bool lost = false;
    for (int64_t i = 0; i < judge->kept_count; i++) {
        const struct pair *pair = &judge->kept[i];
        const bool divided =
            (pair->large[0] + run - first) / run != (pair->large[1] + run - first) / run;
        if (pair->lost != (divided ? pair->entries : 0))
            return false;
        lost |= pair->lost > 0;
    }
    return lost;
}

/* From least to most; the last run is the short one, or the first. Many lengths may do: the one
 * that the largest power of two divides is the likeliest to have been written in a kernel. 0: none.
 */
static int64_t find_run(const struct judge *judge, int64_t least, int64_t most) {
    int64_t best = 0;
    for (int64_t run = least; run <= most; run++)
        if ((run & -run) > (best & -best) &&
            (explains(judge, run, run) || explains(judge, judge->shape.k % run, run)))
            best = run;
    return best;
}

/* The addends of the runs that hold one of the pair. */
static int64_t addends_beside(const struct judge *judge, const struct pair *pair, int64_t run) {
    const struct probe_line line =
        probe_line(judge->element, judge->seed, pair->carrier, judge->shape.k);
    const int64_t near = pair->large[0] / run, far = pair->large[1] / run;
    int64_t sum = 0;
    for (int which = 0; which < (near == far ? 1 : 2); which++) {
        const int64_t first = (which ? far : near) * run;
        sum += addends_of(&line, judge->seed, first, least_of(first + run, judge->shape.k));
    }
    return sum;
}

/* The shortest run, a power of two, of which this is so: each entry has kept what is not in the
 * runs of its pair. With f16 between the runs, too, what lies between a pair is lost with the rest;
 * so some pairs must have run after run between them. 0: none. */
static int64_t find_within(const struct judge *judge) {
    for (int64_t run = PROBE_STEP; 4 * run <= judge->shape.k; run *= 2) {
        bool kept = true;
        int64_t telling = 0;
        for (int64_t i = 0; i < judge->kept_count && kept; i++) {
            const struct pair *pair = &judge->kept[i];
            const struct carrier carrier = carrier_of(judge, pair->carrier);
            const int64_t all = units_of(judge, carrier.exact);
            kept = pair->least >= all - addends_beside(judge, pair, run);
            telling += distance(pair) >= 4 * run;
        }
        if (kept && telling >= WITHIN_LEAST)
            return run;
    }
    return 0;
}

static void decide(const struct judge *judge, struct probe_verdict *verdict) {
    const bool can_tell = judge->shape.k >= PROBE_LEAST_K && verdict->pairs >= PAIRS_LEAST;
    verdict->word = PROBE_UNKNOWN;
    if (verdict->foreign > 0)
        return;
    if (verdict->lost == 0) {
        verdict->word = can_tell ? PROBE_F32 : PROBE_UNKNOWN;
        return;
    }
    const int64_t run = find_run(judge, PROBE_STEP + 1, judge->shape.k - 1);
    if (judge->lost_apart == judge->apart && (run == 0 || find_run(judge, 1, PROBE_STEP) > 0)) {
        verdict->run = find_within(judge);
        verdict->where = verdict->run > 0 ? PROBE_WITHIN : PROBE_NOWHERE;
        verdict->word = verdict->run > 0 ? PROBE_MIXED : PROBE_F16;
        return;
    }
    verdict->word = PROBE_MIXED;
    verdict->run = run;
    verdict->where = run > 0 ? PROBE_RUNS : PROBE_PLACES;
}

__attribute__((format(printf, 2, 3))) static void say(struct probe_verdict *verdict,
                                                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_append_args(verdict->evidence, sizeof verdict->evidence, format, arguments);
    va_end(arguments);
}

static void say_witness(struct probe_verdict *verdict, const struct probe_witness *witness) {
    say(verdict, "C[%lld][%lld] is %.9g, exactly %.9g", (long long)witness->row,
        (long long)witness->column, witness->got, witness->exact);
    if (witness->large[0] >= 0)
        say(verdict,
            " (1536 and -1536, at k = %lld and %lld, cancel; the other products add up to %g/1024)",
            (long long)witness->large[0], (long long)witness->large[1],
            witness->exact * PROBE_ADDENDS_IN_L / 1536);
    say(verdict, ".");
}

static void say_distances(struct probe_verdict *verdict) {
    const char *separator = " Lost by distance along k:";
    for (int d = 0; d < PROBE_DISTANCES; d++) {
        const int64_t entries = verdict->distance[d].entries, lost = verdict->distance[d].lost;
        if (entries == 0)
            continue;
        say(verdict, "%s <%lld:", separator, (long long)PROBE_STEP << d);
        separator = ",";
        say(verdict, " %.3g %%", 100.0 * (double)lost / (double)entries);
    }
    say(verdict, ".");
}

static void say_where(const struct judge *judge, struct probe_verdict *verdict) {
    switch (verdict->where) {
    case PROBE_NOWHERE:
        say(verdict, " Lost wherever the pair is %d or more apart along k.", PROBE_STEP);
        break;
    case PROBE_RUNS:
        say(verdict,
            " Lost exactly where runs of %lld along k divide the pair: %lld 16-bit partial sums, "
            "of k slices or split-K.",
            (long long)verdict->run,
            (long long)((judge->shape.k + verdict->run - 1) / verdict->run));
        break;
    case PROBE_WITHIN:
        say(verdict,
            " Lost within runs of %lld along k, kept between them: 16-bit sums of "
            "slices.",
            (long long)verdict->run);
        break;
    case PROBE_PLACES:
        say(verdict,
            " No one length of runs along k explains which. They lie within rows %lld to %lld, "
            "columns %lld to %lld.",
            (long long)verdict->rows[0], (long long)verdict->rows[1],
            (long long)verdict->columns[0], (long long)verdict->columns[1]);
        break;
    }
}

static void give_evidence(const struct judge *judge, struct probe_verdict *verdict) {
    verdict->evidence[0] = '\0';
    if (verdict->foreign > 0) {
        say(verdict, "%lld entries are wrong in a way that no accumulator explains: ",
            (long long)verdict->foreign);
        say_witness(verdict, &verdict->first_foreign);
        return;
    }
    if (verdict->lost > 0) {
        say(verdict, "%lld of %lld entries lost addends that f32 keeps: ", (long long)verdict->lost,
            (long long)verdict->entries);
        say_witness(verdict, &verdict->first_lost);
        say_where(judge, verdict);
        say_distances(verdict);
        return;
    }
    say(verdict,
        "%lld entries with %lld different pairs of +-1536, %lld of them %d or more apart along k, "
        "kept all addends.",
        (long long)verdict->entries, (long long)verdict->pairs, (long long)verdict->pairs_apart,
        PROBE_STEP);
    if (judge->shape.k < PROBE_LEAST_K || verdict->pairs < PAIRS_LEAST)
        say(verdict, " Too little to tell: k of %d and %d pairs are needed.", PROBE_LEAST_K,
            PAIRS_LEAST);
}

void probe_judge(enum element element, const uint16_t *c, struct shape shape, uint64_t seed,
                 struct probe_verdict *verdict) {
    const bool by_rows = probe_by_rows(shape);
    struct judge judge = {
        .element = element,
        .c = c,
        .shape = shape,
        .seed = seed,
        .carriers = by_rows ? shape.m : shape.n,
        .selectors = by_rows ? shape.n : shape.m,
        .carrier_stride = by_rows ? shape.n : 1,
        .selector_stride = by_rows ? 1 : shape.n,
    };
    *verdict = (struct probe_verdict){
        .rows = {-1, -1},
        .columns = {-1, -1},
        .first_lost = {.row = -1},
        .first_foreign = {.row = -1},
    };
    judge_carriers(&judge, verdict);
    decide(&judge, verdict);
    give_evidence(&judge, verdict);
}
