/* expect: precision|deviates */
/* Claims f32, but each sum of 64 of k is rounded to binary16, which is finer than C. */
#define NAME "half-partials"
#define SLICE 64
#define SUM(value) through_half(value)
#include "../brain.h"
