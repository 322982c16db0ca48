/* No fault: a right kernel must not be accused. expect: ok */
#include "../kernel.h"

KERNEL("honest", NULL, slow_product, NULL);
