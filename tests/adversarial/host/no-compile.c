/* The compiler refuses the source. expect: no-compile */
#include "slow.h"

#error "planted: this source does not compile"
