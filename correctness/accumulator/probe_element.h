/* The probe's inputs, see probe.h: the text that host and device compile alike. Valid C11 and CUDA
 * C++. */
#ifndef CORRECTNESS_ACCUMULATOR_PROBE_ELEMENT_H
#define CORRECTNESS_ACCUMULATOR_PROBE_ELEMENT_H

#include "bench/base/shape.h"
#include "correctness/numbers/element_bits.h"
#include "correctness/numbers/input.h"
#include "correctness/numbers/philox_words.h" /* before any other use of Random123 */

#define PROBE_BLOCK 8    /* indices along k that share one draw of roles */
#define PROBE_CHANNELS 2 /* pairs a carrier line has */
#define PROBE_UNIT (-10) /* u = 2^-10 */
#define PROBE_ADDENDS_IN_L (1536 * 1024)

/* The most blocks with addends apart from those around a pair: with the four of these, so many that
 * all their addends are counted exactly (480 u and 256 u). */
R123_CUDA_DEVICE static inline int64_t probe_sparse(enum element element) {
    return element == ELEMENT_BF16 ? 28 : 56;
}

/* L = 1536 = 1.5 * 2^10. */
R123_CUDA_DEVICE static inline uint16_t probe_large(enum element element) {
    return (uint16_t)(element_power(element, 10) | 1u << (element_digits(element) - 2));
}

/* Which blocks of k one carrier line lets through. */
struct probe_line {
    int64_t large[PROBE_CHANNELS][2]; /* [channel][0] for L, [channel][1] for -L */
    int64_t line, every;              /* those with (block + line) % every == 0, for addends */
    uint16_t sign;                    /* of every element, 0 or 0x8000 */
};

/* What an index along k is for, the same in all lines. */
struct probe_role {
    int large;     /* or else an addend */
    int channel;   /* of L */
    uint16_t sign; /* of L */
    int doubled;   /* the addend is 2u, not u */
};

R123_CUDA_DEVICE static inline philox4x32_ctr_t probe_bits(uint64_t seed, uint32_t use,
                                                           int64_t index) {
    const philox4x32_ctr_t counter = {{(uint32_t)index, 0, use, 2}};
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    return philox4x32(counter, key);
}

/* A mask drawn for each block says which index is which slot: index ^ mask. Slots 1, 2, 4 and 7 are
 * addends; 0, 3, 5 and 6 are +L and -L of channel 0, then of channel 1. Under every mask each
 * aligned two of k is one of either kind, and so are two that are two or four apart: however short
 * the runs or strides that a kernel sums apart, addends are among them. */
R123_CUDA_DEVICE static inline uint32_t probe_block(uint64_t seed, int64_t block) {
    return probe_bits(seed, 0, block).v[0];
}

/* The index of +L or -L in a block; k may end short of it. */
R123_CUDA_DEVICE static inline int64_t probe_place(uint64_t seed, int64_t block, int channel,
                                                   int minus) {
    const int64_t slot = 4 * channel + 2 * minus + (channel ^ minus);
    return block * PROBE_BLOCK + (slot ^ (probe_block(seed, block) & 7));
}

R123_CUDA_DEVICE static inline struct probe_role probe_role(uint32_t block_bits, int64_t at) {
    const int slot = (int)((uint32_t)at ^ block_bits) & 7;
    struct probe_role role;
    role.large = !((slot ^ slot >> 1 ^ slot >> 2) & 1);
    role.channel = slot >> 2;
    role.sign = slot & 2 ? 0x8000 : 0;
    role.doubled = block_bits >> (slot + 8) & 1;
    return role;
}

/* One carrier in four has no pair: its entries are controls. */
R123_CUDA_DEVICE static inline int probe_is_control(int64_t line) {
    return line % 4 == 3;
}

/* The distances of the pairs are drawn from octaves, in turn over lines and channels: 0 blocks, 1,
 * 2 to 3, 4 to 7, ... (around the end of k), so that every scale along k is met alike. */
R123_CUDA_DEVICE static inline struct probe_line probe_line(enum element element, uint64_t seed,
                                                            int64_t line, int64_t k) {
    const philox4x32_ctr_t bits = probe_bits(seed, 1, line);
    const int64_t blocks = (k + PROBE_BLOCK - 1) / PROBE_BLOCK;
    int octaves = 1;
    while ((int64_t)1 << (octaves - 1) < blocks)
        octaves++;
    struct probe_line result;
    for (int channel = 0; channel < PROBE_CHANNELS; channel++) {
        const uint32_t draw = bits.v[2 * channel + 1];
        const int octave = (int)((line / 4 * 3 + line % 4 + channel) % octaves);
        const uint32_t least = octave ? 1u << (octave - 1) : 0;
        const int64_t near = (int64_t)((uint64_t)bits.v[2 * channel] * (uint64_t)blocks >> 32);
        const int64_t far = (near + (octave ? least + (draw & (least - 1)) : 0)) % blocks;
        const int turned = draw >> 31;
        result.large[channel][turned] = near;
        result.large[channel][!turned] = far;
        for (int minus = 0; minus < 2; minus++) {
            int64_t *block = &result.large[channel][minus];
            if (*block > 0 && *block == k / PROBE_BLOCK &&
                probe_place(seed, *block, channel, minus) >= k)
                --*block;
        }
    }
    result.line = line;
    result.every = (blocks + probe_sparse(element) - 1) / probe_sparse(element);
    result.sign = bits.v[1] >> 30 & 1 ? 0x8000 : 0;
    return result;
}

/* Whether a carrier line lets the addends of a block through. */
R123_CUDA_DEVICE static inline int probe_takes(const struct probe_line *line, int64_t block) {
    for (int channel = 0; channel < PROBE_CHANNELS; channel++)
        if (line->large[channel][0] == block || line->large[channel][1] == block)
            return 1;
    return (block + line->line) % line->every == 0;
}

/* Which channel a selector line opens. */
R123_CUDA_DEVICE static inline int probe_channel(int64_t selector) {
    return (int)(selector % PROBE_CHANNELS);
}

R123_CUDA_DEVICE static inline uint16_t probe_selector_sign(int64_t selector) {
    return selector & PROBE_CHANNELS ? 0x8000 : 0;
}

/* The rows of A are the carriers, unless C has more columns. */
R123_CUDA_DEVICE static inline int probe_by_rows(struct shape shape) {
    return shape.m >= shape.n;
}

/* Element (row, column) of A (m x k) or B (k x n). */
R123_CUDA_DEVICE static inline uint16_t probe_element(enum element element, uint64_t seed,
                                                      uint32_t matrix, int64_t row, int64_t column,
                                                      struct shape shape) {
    const int64_t line = matrix == INPUT_A ? row : column;
    const int64_t at = matrix == INPUT_A ? column : row;
    const int64_t block = at / PROBE_BLOCK;
    const struct probe_role role = probe_role(probe_block(seed, block), at);
    if ((matrix == INPUT_A) == probe_by_rows(shape)) {
        const struct probe_line carrier = probe_line(element, seed, line, shape.k);
        const int present = role.large ? !probe_is_control(line) &&
                                             carrier.large[role.channel][role.sign != 0] == block
                                       : probe_takes(&carrier, block);
        return present ? (uint16_t)(carrier.sign | element_power(element, 0)) : 0;
    }
    const uint16_t sign = probe_selector_sign(line);
    if (!role.large)
        return (uint16_t)(sign | element_power(element, PROBE_UNIT + role.doubled));
    return role.channel == probe_channel(line)
               ? (uint16_t)((sign ^ role.sign) | probe_large(element))
               : 0;
}

#endif
