#define SLOWER_PERCENT 0
#include "../../release.c"
