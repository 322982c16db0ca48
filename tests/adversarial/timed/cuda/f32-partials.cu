/* expect: ok */
/* No fault: two kernels a call, too, but their partial sums, allocated in setup, are binary32. */
#include "split.cuh"

KERNEL("f32-partials", split_setup<float>, split_launch<float>, split_teardown);
