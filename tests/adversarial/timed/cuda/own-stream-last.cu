/* expect: unrecorded */
/* The same, but later than calls are recorded in a process of their own. */
#define NAME "own-stream-last"
#include "own-stream-late.cuh"
