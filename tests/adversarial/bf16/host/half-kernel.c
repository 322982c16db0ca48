/* expect: unsupported */
/* Twin of the others: serves binary16, says so by saying nothing, and is not asked. */
#include "../../kernel.h"

KERNEL("half-kernel", NULL, slow_product, NULL);
