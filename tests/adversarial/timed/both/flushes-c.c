/* expect: values */
/* Subnormal entries of C are stored as zero. */
#define CHANGE_C(x) ((x) < 0x1p-14F && (x) > -0x1p-14F ? 0 : (x))
#define NAME "flushes-c"
#include "../values.h"
