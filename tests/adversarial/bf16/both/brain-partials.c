/* expect: precision|deviates */
/* Claims f32, but each sum of 64 of k is rounded to bfloat16. */
#define NAME "brain-partials"
#define SLICE 64
#define SUM(value) brain_widen(brain_narrow(value))
#include "../brain.h"
