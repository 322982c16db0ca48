/* Whole arrays between binary16 and float, with the processor's own instructions where it has them.
 */
#ifndef BASELINES_HALF_CONVERT_H
#define BASELINES_HALF_CONVERT_H

#include <stddef.h>
#include <stdint.h>

void half_convert_to_float(const uint16_t *half, float *out, size_t count);
void half_convert_from_float(const float *value, uint16_t *out, size_t count);

#endif
