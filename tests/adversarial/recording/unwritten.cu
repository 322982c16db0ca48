/* recording: wrong */
/* expect: unstable */
/* Adds a slice of its memory that it has never written: right where new memory holds zeros. */
#define CLEARS false
#include "slices.cuh"

KERNEL("unwritten", setup, launch, NULL);
