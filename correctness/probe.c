#include "correctness/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "correctness/half.h"
#include "correctness/probe_element.h"

/* Fewer pairs could all miss a single cut through k. */
#define PAIRS_LEAST 24

/* So many are kept to find the length of runs by. */
#define PAIRS_KEPT 1024

struct pair {
    int64_t low, high; /* along k */
    int64_t entries, lost;
};

struct judge {
    const uint16_t *c;
    struct shape shape;
    uint64_t seed;
    int64_t carriers, selectors;
    int64_t carrier_stride, selector_stride; /* in c */
    int64_t apart, lost_apart;               /* entries whose pair two steps divide */
    struct pair kept[PAIRS_KEPT];
    int64_t kept_count;
};

enum fate { SAME, LOST, FOREIGN };

const char *probe_word_name(enum probe_word word) {
    static const char *const name[] = {"f32", "f16", "mixed", "unknown"};
    return name[word];
}

/* In units of u. */
static int64_t addends_of(const struct probe_line *line, uint64_t seed, int64_t k) {
    int64_t sum = 0;
    for (int64_t block = 0; block * PROBE_BLOCK < k; block++) {
        if (!probe_takes(line, block))
            continue;
        const uint32_t bits = probe_block(seed, block);
        for (int64_t at = block * PROBE_BLOCK; at < (block + 1) * PROBE_BLOCK && at < k; at++) {
            const struct probe_role role = probe_role(bits, at);
            sum += role.large ? 0 : 1 + role.doubled;
        }
    }
    return sum;
}

/* Of a carrier line's entries, before the selector's sign. */
static uint16_t exact_of(const struct judge *judge, const struct probe_line *line) {
    const int64_t addends = addends_of(line, judge->seed, judge->shape.k);
    return (uint16_t)(half_from_float((float)addends * 0x1p-10f) | line->sign);
}

static enum fate fate_of(uint16_t bits, uint16_t exact_bits, bool control) {
    if (bits == exact_bits)
        return SAME;
    const double got = (double)half_to_float(bits), exact = (double)half_to_float(exact_bits);
    const double share = got / exact, addends = got * 0x1p10;
    const bool explained = share >= 0 && share < 1 && addends == floor(addends);
    return explained && !control ? LOST : FOREIGN;
}

static struct pair pair_of(const struct probe_line *line, int channel) {
    const int64_t plus = line->large[channel][0], minus = line->large[channel][1];
    return (struct pair){plus < minus ? plus : minus, plus < minus ? minus : plus, 0, 0};
}

static bool is_apart(const struct pair *pair, int64_t run) {
    return pair->low / run != pair->high / run;
}

static int distance_class(const struct pair *pair) {
    int octave = is_apart(pair, PROBE_STEP);
    while (octave && pair->high - pair->low >= (int64_t)PROBE_STEP << octave)
        octave++;
    return octave;
}

static void grow(int64_t range[2], int64_t at) {
    range[0] = range[0] < 0 || at < range[0] ? at : range[0];
    range[1] = at > range[1] ? at : range[1];
}

static void note(const struct judge *judge, enum fate fate, const struct probe_line *line,
                 int64_t selector, uint16_t bits, uint16_t exact, struct probe_verdict *verdict) {
    const bool by_rows = probe_by_rows(judge->shape);
    const int channel = probe_channel(selector);
    const bool paired = !probe_is_control(line->line);
    const struct probe_witness witness = {
        .row = by_rows ? line->line : selector,
        .column = by_rows ? selector : line->line,
        .large = {paired ? line->large[channel][0] : -1, paired ? line->large[channel][1] : -1},
        .got = (double)half_to_float(bits),
        .exact = (double)half_to_float(exact),
    };
    struct probe_witness *first = fate == LOST ? &verdict->first_lost : &verdict->first_foreign;
    if (first->row < 0)
        *first = witness;
    if (fate == FOREIGN) {
        verdict->foreign++;
        return;
    }
    grow(verdict->rows, witness.row);
    grow(verdict->columns, witness.column);
}

static void count_pair(struct judge *judge, const struct pair *pair,
                       struct probe_verdict *verdict) {
    if (pair->entries == 0) /* there is but one selector */
        return;
    const int class = distance_class(pair);
    verdict->pairs++;
    verdict->entries += pair->entries;
    verdict->lost += pair->lost;
    verdict->distance[class].entries += pair->entries;
    verdict->distance[class].lost += pair->lost;
    if (class > 0) {
        verdict->pairs_apart++;
        judge->apart += pair->entries;
        judge->lost_apart += pair->lost;
    }
    if (judge->kept_count < PAIRS_KEPT)
        judge->kept[judge->kept_count++] = *pair;
}

static void judge_carrier(struct judge *judge, int64_t carrier, struct probe_verdict *verdict) {
    const struct probe_line line = probe_line(judge->seed, carrier, judge->shape.k);
    const uint16_t exact = exact_of(judge, &line);
    const bool control = probe_is_control(carrier);
    struct pair pair[PROBE_CHANNELS];
    for (int channel = 0; channel < PROBE_CHANNELS; channel++)
        pair[channel] = pair_of(&line, channel);
    const uint16_t *c = judge->c + carrier * judge->carrier_stride;
    for (int64_t s = 0; s < judge->selectors; s++, c += judge->selector_stride) {
        const int channel = probe_channel(s);
        const uint16_t want = exact ^ probe_selector_sign(s);
        const enum fate fate = fate_of(*c, want, control);
        if (fate != SAME)
            note(judge, fate, &line, s, *c, want, verdict);
        pair[channel].entries++;
        pair[channel].lost += fate == LOST;
    }
    for (int channel = 0; !control && channel < PROBE_CHANNELS; channel++)
        count_pair(judge, &pair[channel], verdict);
}

/* Whether exactly the pairs in two runs are lost, each in all its entries. */
static bool explains(const struct judge *judge, int64_t run) {
    for (int64_t i = 0; i < judge->kept_count; i++) {
        const struct pair *pair = &judge->kept[i];
        if (pair->lost != (is_apart(pair, run) ? pair->entries : 0))
            return false;
    }
    return true;
}

/* Many lengths may do: the one that the largest power of two divides is the likeliest to have been
 * written in a kernel. 0: none. */
static int64_t find_run(const struct judge *judge) {
    int64_t best = 0;
    for (int64_t run = 2; run < judge->shape.k; run++)
        if ((run & -run) > (best & -best) && explains(judge, run))
            best = run;
    return best;
}

/* Whether each 8 x 8 of C (no tensor core tile is smaller) has lost all pairs that two steps
 * divide, or none. */
static bool in_tiles(const struct judge *judge) {
    enum { SIDE = 8 };
    for (int64_t first = 0; first < judge->carriers; first += SIDE) {
        struct probe_line line[SIDE];
        uint16_t exact[SIDE];
        const int64_t count = judge->carriers - first < SIDE ? judge->carriers - first : SIDE;
        for (int64_t i = 0; i < count; i++) {
            line[i] = probe_line(judge->seed, first + i, judge->shape.k);
            exact[i] = exact_of(judge, &line[i]);
        }
        bool seen[2] = {false};
        for (int64_t s = 0; s < judge->selectors; s++) {
            const int channel = probe_channel(s);
            if (s % SIDE == 0)
                seen[SAME] = seen[LOST] = false;
            for (int64_t i = 0; i < count; i++) {
                const struct pair pair = pair_of(&line[i], channel);
                const int64_t at = (first + i) * judge->carrier_stride + s * judge->selector_stride;
                if (is_apart(&pair, PROBE_STEP) && !probe_is_control(first + i))
                    seen[judge->c[at] != (exact[i] ^ probe_selector_sign(s))] = true;
            }
            if (seen[SAME] && seen[LOST])
                return false;
        }
    }
    return true;
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
    if (judge->lost_apart == judge->apart) {
        verdict->word = PROBE_F16;
        return;
    }
    verdict->word = PROBE_MIXED;
    verdict->run = find_run(judge);
    verdict->where = verdict->run > 0 ? PROBE_RUNS : in_tiles(judge) ? PROBE_TILES : PROBE_PLACES;
}

__attribute__((format(printf, 2, 3))) static void say(struct probe_verdict *verdict,
                                                      const char *format, ...) {
    const size_t used = strlen(verdict->evidence);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->evidence + used, sizeof verdict->evidence - used, format, arguments);
    va_end(arguments);
}

static void say_witness(struct probe_verdict *verdict, const struct probe_witness *witness) {
    say(verdict, "C[%lld][%lld] is %.9g, exactly %.9g", (long long)witness->row,
        (long long)witness->column, witness->got, witness->exact);
    if (witness->large[0] >= 0)
        say(verdict, " (+-1536 at k = %lld and %lld)", (long long)witness->large[0],
            (long long)witness->large[1]);
    say(verdict, ".");
}

static void say_distances(struct probe_verdict *verdict) {
    say(verdict, " Lost by distance along k:");
    for (int d = 0; d < PROBE_DISTANCES; d++) {
        const int64_t entries = verdict->distance[d].entries, lost = verdict->distance[d].lost;
        if (entries == 0)
            continue;
        if (d == 0)
            say(verdict, " one step");
        else
            say(verdict, ", <%lld", (long long)PROBE_STEP << d);
        say(verdict, " %.3g %%", 100.0 * (double)lost / (double)entries);
    }
    say(verdict, ".");
}

static void say_where(const struct judge *judge, struct probe_verdict *verdict) {
    switch (verdict->where) {
    case PROBE_NOWHERE:
        say(verdict, " Lost wherever two steps of %d along k divide the pair.", PROBE_STEP);
        break;
    case PROBE_RUNS:
        say(verdict,
            " Lost exactly where runs of %lld along k divide the pair: %lld f16 partial sums, of "
            "k slices or split-K.",
            (long long)verdict->run,
            (long long)((judge->shape.k + verdict->run - 1) / verdict->run));
        break;
    case PROBE_TILES:
        say(verdict,
            " Lost in every step, but only in parts of C within rows %lld to %lld, columns %lld "
            "to %lld.",
            (long long)verdict->rows[0], (long long)verdict->rows[1],
            (long long)verdict->columns[0], (long long)verdict->columns[1]);
        break;
    case PROBE_PLACES:
        say(verdict, " No one length of runs along k and no tiles of C explain which.");
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
        "%lld entries with %lld different pairs of +-1536, %lld of them in two steps of "
        "%d along k, kept all addends.",
        (long long)verdict->entries, (long long)verdict->pairs, (long long)verdict->pairs_apart,
        PROBE_STEP);
    if (judge->shape.k < PROBE_LEAST_K || verdict->pairs < PAIRS_LEAST)
        say(verdict, " Too little to tell: k of %d and %d pairs are needed.", PROBE_LEAST_K,
            PAIRS_LEAST);
}

void probe_judge(const uint16_t *c, struct shape shape, uint64_t seed,
                 struct probe_verdict *verdict) {
    const bool by_rows = probe_by_rows(shape);
    struct judge judge = {
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
    for (int64_t carrier = 0; carrier < judge.carriers; carrier++)
        judge_carrier(&judge, carrier, verdict);
    decide(&judge, verdict);
    give_evidence(&judge, verdict);
}
