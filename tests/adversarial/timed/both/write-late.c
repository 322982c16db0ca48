/* Later one element past the end of C is written. expect: wrote-outside */
#define NAME "write-late"
#define PLACE (p.m * p.n)
#define ELEMENT 0
#include "../element-late.h"
