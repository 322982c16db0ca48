/* Numbers of either element as 16 bits in a uint16_t: conversion, and the size of their last place.
 */
#ifndef CORRECTNESS_NUMBERS_NUMBER16_H
#define CORRECTNESS_NUMBERS_NUMBER16_H

#include <stdint.h>

#include "bench/base/element.h"

/* Exact. NaN and infinities keep their class. */
float number16_to_float(enum element element, uint16_t bits);

/* The same for n of them, several a clock. */
void number16_to_floats(enum element element, const uint16_t *bits, float *out, int64_t n);

/* Round to nearest, ties to even; overflow gives infinity; NaN gives a quiet NaN. */
uint16_t number16_from_float(enum element element, float value);
void number16_from_floats(enum element element, const float *value, uint16_t *out, int64_t n);

/* Distance between the two neighbours that enclose |value|, the upper one where |value| is itself
 * one; the least number in the subnormals; infinity from number16_overflow up; NaN of NaN. */
float number16_ulp(enum element element, float value);

/* The least value that rounds to infinity: 65520 of binary16, 2^128 - 2^119 of bfloat16. */
float number16_overflow(enum element element);

#endif
