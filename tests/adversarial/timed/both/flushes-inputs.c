/* expect: values */
/* Subnormal entries of B are taken for zero. */
#define CHANGE_B(x) ((x) < 0x1p-14F && (x) > -0x1p-14F ? 0 : (x))
#define NAME "flushes-inputs"
#include "../values.h"
