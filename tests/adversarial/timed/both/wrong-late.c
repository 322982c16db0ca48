/* Later one element of C is wrong, as where threads race. expect: unstable */
#define NAME "wrong-late"
#define PLACE (p.m * p.n / 2)
#define ELEMENT 0x7000
#include "../element-late.h"
