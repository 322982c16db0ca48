/* expect: replayed|unstable */
/* As rows-kept, but where much has changed among calls in a row it takes that for the look at who
 * keeps products, and leaves most of C as the last one was. */
#define SKIPS true
#define NAME "rows-skipped"
#include "rows-kept.cuh"
