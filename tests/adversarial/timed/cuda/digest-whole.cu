/* expect: ok */
/* No fault: gives its last product again only while every element of A and B stays the same. */
#define DIGEST_STEP 1
#include "digest.cuh"

KERNEL("digest-whole", keep_setup, launch, keep_teardown);
