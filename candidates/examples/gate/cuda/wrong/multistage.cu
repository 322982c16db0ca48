#define SLOWER_PERCENT 0
#define WRONG 1
#include "../../release.cu"
