/* Whole arrays between an element and float, with the processor's own instructions where it has
 * them. Rounds to nearest, ties to even. */
#ifndef BASELINES_CONVERT_H
#define BASELINES_CONVERT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/base/element.h"

void convert_to_float(enum element element, const uint16_t *bits, float *out, size_t count);
void convert_from_float(enum element element, const float *value, uint16_t *out, size_t count);

#endif
