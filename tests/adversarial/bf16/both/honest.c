/* expect: ok */
/* Twin of the others: sums in binary32, rounded to the nearest bfloat16 once. */
#define NAME "honest"
#include "../brain.h"
