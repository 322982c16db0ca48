/* The counter-based generator behind input.h, the one piece of it that host and device compile from
 * the same text. Valid C11 and CUDA C++. */
#ifndef CORRECTNESS_NUMBERS_PHILOX_WORDS_H
#define CORRECTNESS_NUMBERS_PHILOX_WORDS_H

#include <stdint.h>

/* Random123 marks its functions for the device alone unless told; a host-and-device caller needs
 * both. It must be told before the first inclusion of any of its headers. */
#ifdef __CUDACC__
#define R123_CUDA_DEVICE __host__ __device__
#endif
#include <Random123/philox.h>

/* Elements that one call of philox_words serves. */
#define PHILOX_GROUP 8

/* word[e] indexes the table for element (row, 8 * group + e). */
R123_CUDA_DEVICE static inline void philox_words(uint64_t seed, uint32_t matrix, uint32_t row,
                                                 uint32_t group, uint16_t word[PHILOX_GROUP]) {
    const philox4x32_ctr_t counter = {{group, row, matrix, 0}};
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t bits = philox4x32(counter, key);
    for (int i = 0; i < PHILOX_GROUP / 2; i++) {
        word[2 * i] = (uint16_t)(bits.v[i] & 0xffff);
        word[2 * i + 1] = (uint16_t)(bits.v[i] >> 16);
    }
}

#endif
