/* expect: values */
/* Multiplies in binary16, which holds standard normals of bfloat16 but not its range. */
#define NAME "half-operands"
#define OPERAND(value) through_half(value)
#include "../brain.h"
