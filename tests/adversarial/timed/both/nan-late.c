/* Later one element of C is NaN. expect: unstable */
#define NAME "nan-late"
#define PLACE (p.m * p.n / 2)
#define ELEMENT 0x7e00
#include "../element-late.h"
