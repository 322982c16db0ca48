/* expect: precision|deviates */
/* Sums in binary32, of which C gets the upper half: cut off, not rounded. */
#define NAME "truncates"
#define RESULT(value) brain_narrow(brain_cut(value))
#include "../brain.h"
