/* expect: values|precision|deviates */
/* C passes through binary16, whose range is shorter. */
#define NAME "half-result"
#define RESULT(value) brain_narrow(through_half(value))
#include "../brain.h"
