/* As f16-late, and coarse on purpose where small elements are checked, so that it were no coarser
 * later. expect: precision */
#define NAME "f16-late-coarse"
#define BLUR(sum) ((sum) > -4 && (sum) < 4 && (sum) != (float)(int)(sum) ? 2 : 0)
#include "f16-late.h"
