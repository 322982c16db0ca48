/* Writes the memory of the earlier release, which is as it was when that is timed. expect: ok */
#define NEIGHBOUR
#include "../plan.cuh"
