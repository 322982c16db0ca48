/* expect: ok */
/* Twin of half-operands: takes subnormals for zero, as --use_fast_math does. */
#define NAME "flushes"
#define FLUSHED(value) ((value) > -0x1p-126f && (value) < 0x1p-126f ? 0.0f : (value))
#define OPERAND(value) FLUSHED(value)
#define RESULT(value) brain_narrow(FLUSHED(value))
#include "../brain.h"
