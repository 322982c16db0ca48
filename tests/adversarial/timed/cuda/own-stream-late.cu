/* From its 13th call on the product is on a stream of its own. expect: unrecorded */
#define HONEST_CALLS 12
#define NAME "own-stream-late"
#include "own-stream-late.cuh"
