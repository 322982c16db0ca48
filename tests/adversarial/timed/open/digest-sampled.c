/* expect: replayed|unstable */
/* Gives its last product again while every 512th element of A and B stays the same: over all
 * arrivals of a visit, unless each has operands of its own. */
#define DIGEST_STEP 512
#include "digest.h"

KERNEL("digest-sampled", keep_setup, launch, keep_teardown);
