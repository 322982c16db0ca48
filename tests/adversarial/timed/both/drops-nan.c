/* expect: values */
/* Products that are NaN are left out of the sum. */
#define CHANGE_PRODUCT(x) ((x) != (x) ? 0 : (x))
#define NAME "drops-nan"
#include "../values.h"
