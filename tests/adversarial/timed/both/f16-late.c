/* Later slices of 16 are added up in binary16. expect: precision */
#define NAME "f16-late"
#define BLUR(sum) narrow16(sum)
#include "../f16-late.h"
