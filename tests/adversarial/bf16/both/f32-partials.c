/* expect: ok */
/* Twin of brain-partials: sums of slices of k in binary32. */
#define NAME "f32-partials"
#define SLICE 64
#include "../brain.h"
