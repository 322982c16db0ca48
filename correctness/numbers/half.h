/* IEEE binary16 as 16 bits in a uint16_t: conversion and the size of its last place.
 * clang 14 has no _Float16 on x86-64, hence bits. */
#ifndef CORRECTNESS_NUMBERS_HALF_H
#define CORRECTNESS_NUMBERS_HALF_H

#include <stdint.h>

#define HALF_ONE 0x3c00u
#define HALF_GREATEST 0x7bffu /* 65504 */
#define HALF_NAN 0xffffu      /* the quiet NaN that poisons C and the guard zones */

/* Exact. NaN and infinities keep their class. */
float half_to_float(uint16_t bits);

/* The same for n of them, several a clock. */
void half_to_floats(const uint16_t *bits, float *out, int64_t n);

/* Round to nearest, ties to even; overflow gives infinity; NaN gives a quiet NaN. */
uint16_t half_from_float(float value);

/* Distance between the two binary16 neighbours that enclose |value|, the upper one where |value| is
 * itself one; 2^-24 in the subnormals, infinity from 65520 up, NaN of NaN. */
float half_ulp(float value);

/* An element of C is coarse if it is further from the reference than this many of the reference's
 * last places. When two products are compared with each other, twice as many are allowed: two
 * products that are not coarse beside the exact one are then not coarse beside each other. */
#define HALF_COARSE 1.5f

/* Nonzero if the bits are a NaN. */
int half_is_nan(uint16_t bits);

#endif
