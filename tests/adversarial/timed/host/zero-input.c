/* A library makes zeros of zeros. expect: input-changed */
#define NAME "zero-input"
#define INPUT 0
#define EVERY 1
#include "zero-input.h"
