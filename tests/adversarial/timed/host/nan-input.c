/* A library makes NaN of NaN, and nothing is far from that. expect: replayed|unstable|input-changed
 */
#define NAME "nan-input"
#define INPUT 0x7e00
#define EVERY p.k
#include "zero-input.h"
