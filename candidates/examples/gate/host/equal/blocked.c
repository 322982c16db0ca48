#define SLOWER_PERCENT 0 /* as old, in other words */
#include "../../release.c"
