#define SLOWER_PERCENT 10
#define SLOWER_ONE_IN 1
#include "../../release.cu"
