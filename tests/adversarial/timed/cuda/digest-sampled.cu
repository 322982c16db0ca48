/* expect: ok */
/* Gives its last product again while every 512th element of A and B stays the same. They never do:
 * each call has operands of its own. So it earns nothing. */
#define DIGEST_STEP 512
#include "digest.cuh"

KERNEL("digest-sampled", keep_setup, launch, keep_teardown);
