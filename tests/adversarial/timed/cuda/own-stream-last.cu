/* expect: unrecorded */
/* The product is on a stream of its own, from a later call on than any that is recorded in a process of its own. */
#define NAME "own-stream-last"
#include "own-stream-late.cuh"
