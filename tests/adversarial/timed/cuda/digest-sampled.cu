/* expect: replayed|unstable */
/* Gives its last product again while every 512th element of A and B stays the same: in an
 * interval of many calls, unless each call has operands of its own. */
#define DIGEST_STEP 512
#include "digest.cuh"

KERNEL("digest-sampled", keep_setup, launch, keep_teardown);
