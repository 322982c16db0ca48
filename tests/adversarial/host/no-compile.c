/* The compiler refuses the source. expect: no-compile */
#include "../kernel.h"

#error "planted: this source does not compile"
