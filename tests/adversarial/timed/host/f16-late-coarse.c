/* As f16-late, and coarse on purpose where small elements are checked that are no binary16 before,
 * as exact ones are, so that it were no coarser later. expect: precision */
#define NAME "f16-late-coarse"
#define IS_COARSE(sum) ((sum) > -4 && (sum) < 4 && through_half(sum) != (sum))
#define BLUR(sum) (uint16_t)(narrow16(sum) + (IS_COARSE(sum) ? 2 : 0))
#include "../f16-late.h"
