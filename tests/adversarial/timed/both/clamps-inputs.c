/* expect: values */
/* Entries of A beyond 8 are taken for 8. */
#define CHANGE(x) ((x) > 8 ? 8 : (x) < -8 ? -8 : (x))
#define NAME "clamps-inputs"
#include "../values.h"
