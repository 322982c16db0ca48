/* expect: ok */
/* No fault: 0 times x is left out where x is finite. */
#define SKIP(a, b) ((a) == 0 && (b) - (b) == 0)
#define NAME "skips-zeros"
#include "../values.h"
