/* expect: precision|deviates */
/* Claims f32, but the sums of quarters of k are rounded to binary16 before they are added. */
#include "split.cuh"

KERNEL("f16-partials", split_setup<__half>, split_launch<__half>, split_teardown);
