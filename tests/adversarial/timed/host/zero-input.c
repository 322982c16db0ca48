/* expect: input-changed|replayed */
/* Where the library has not run yet in a pass, A and C are filled with zeros: the library makes zeros of zeros. */
#define NAME "zero-input"
#define INPUT 0
#define EVERY 1
#include "zero-input.h"
