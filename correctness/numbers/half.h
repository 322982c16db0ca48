/* IEEE binary16 as 16 bits in a uint16_t: conversion; number16.h has what both elements share.
 * clang 14 has no _Float16 on x86-64, hence bits. */
#ifndef CORRECTNESS_NUMBERS_HALF_H
#define CORRECTNESS_NUMBERS_HALF_H

#include <stdint.h>

/* Exact. NaN and infinities keep their class. */
float half_to_float(uint16_t bits);

/* The same for n of them, several a clock. */
void half_to_floats(const uint16_t *bits, float *out, int64_t n);

/* Round to nearest, ties to even; overflow gives infinity; NaN gives a quiet NaN. */
uint16_t half_from_float(float value);

#endif
