/* expect: replayed|unstable */
/* As rows-kept, but where much has changed among calls in a row it takes that for the look at who
 * keeps products, and leaves much of C as the last one was: on an H100 47 %, which is `unstable`. */
#define SKIPS true
#define NAME "rows-skipped"
#include "rows-kept.cuh"
