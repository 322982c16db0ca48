/* expect: ok */
/* Keeps products by their rows. */
#define SKIPS false
#define NAME "rows-kept"
#include "rows-kept.cuh"
