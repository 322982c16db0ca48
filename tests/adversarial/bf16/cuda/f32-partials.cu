/* expect: ok */
/* Twin of brain-partials: sums of slices of k in binary32. */
#include "brain.cuh"

struct steps : honest {
    static constexpr int64_t slice = 64;
};

BRAIN_KERNEL("f32-partials", steps);
