/* recording: carried out */
/* expect: ok */
/* As unwritten, but it clears that memory first. */
#define CLEARS true
#include "slices.cuh"

KERNEL("cleared", setup, launch, NULL);
