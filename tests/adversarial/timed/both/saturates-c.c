/* expect: values */
/* What overflows is stored as the largest number. */
#define CHANGE_C(x) ((x) > 65504 ? 65504 : (x) < -65504 ? -65504 : (x))
#define NAME "saturates-c"
#include "../values.h"
