/* The elements of A, B and C: 16-bit floats, with all traits in one table. A floor header:
 * it includes nothing of the project and every folder may include it. Valid C11 and CUDA C++. */
#ifndef BENCH_BASE_ELEMENT_H
#define BENCH_BASE_ELEMENT_H

/* Word of users and files; type in CUDA; digits of the significand, the leading one among them;
 * exponent of the largest binade, which is also the bias of the stored exponent. binary16 is of
 * IEEE 754. bfloat16 is the upper half of a binary32 (Wang and Kanwar, "BFloat16: The secret to
 * high performance on Cloud TPUs", 2019).
 *
 * What follows of a row: whole numbers are exact up to 2^digits (2048, 256); the largest number is
 * (2 - 2^(1-digits)) * 2^exponent (65504, 3.39e38); the least normal one is 2^(1-exponent) (2^-14,
 * 2^-126), and the least of all 2^(2-exponent-digits) (2^-24, 2^-133). Both have 16 bits: sign,
 * exponent and significand. */
#define ELEMENTS(X)                                                                                \
    X(ELEMENT_F16, "f16", "half", 11, 15)                                                          \
    X(ELEMENT_BF16, "bf16", "__nv_bfloat16", 8, 127)

#define X(id, ...) id,
enum element { ELEMENTS(X) ELEMENT_COUNT };
#undef X

#ifdef __cplusplus
extern "C" {
#endif

/* By enum element, and NULL after the last. */
extern const char *const element_words[ELEMENT_COUNT + 1];

/* "half", "__nv_bfloat16". */
const char *element_cuda_type(enum element element);

/* "f16", "bf16" or "f16, bf16" of bits 1 << enum element, of which there is at least one. */
const char *element_list(int elements);

#ifdef __cplusplus
}
#endif
#endif
