/* cmocka, and what it wants to be included before it. */
#ifndef ASSERTS_H
#define ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
