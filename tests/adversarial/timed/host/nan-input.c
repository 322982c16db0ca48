/* expect: replayed|unstable|input-changed */
/* Where the library has not run yet in a pass, every row of A gets a NaN and C is filled with zeros: the library
 * makes NaN of NaN, and nothing is far from that. */
#define NAME "nan-input"
#define INPUT 0x7e00
#define EVERY p.k
#include "zero-input.h"
