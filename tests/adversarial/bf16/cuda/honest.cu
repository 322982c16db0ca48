/* expect: ok */
/* Twin of the others: sums in binary32, rounded to the nearest bfloat16 once. */
#include "brain.cuh"

BRAIN_KERNEL("honest", honest);
