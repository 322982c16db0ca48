#include "bench/base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "bench/base/text.h"

static int line_moves;

void error_line_moves(int moves) {
    line_moves = moves;
}

/* Lines of two threads do not mix. */
static void say(const char *prefix, const char *format, va_list args) {
    flockfile(stderr);
    if (line_moves)
        fputs("\r\033[K", stderr);
    line_moves = 0;
    fputs(prefix, stderr);
    text_print_line_args(stderr, format, args);
    funlockfile(stderr);
}

int error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("gemmgate: ", format, args);
    va_end(args);
    return -1;
}

void warning(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("gemmgate: warning: ", format, args);
    va_end(args);
}
