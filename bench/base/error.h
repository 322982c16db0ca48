/* Reporting our own faults: one line on stderr, and -1 to return.
 * A floor header: it includes nothing of the project and every folder may include it. */
#ifndef BENCH_BASE_ERROR_H
#define BENCH_BASE_ERROR_H

/* Exit statuses of the program; the order of precedence when several apply is
 * 2, 6, 5, 4, 1, 3, 0. */
enum exit_status {
    EXIT_PASS = 0,
    EXIT_REGRESSION = 1,
    EXIT_TROUBLE = 2, /* usage, I/O or internal error */
    EXIT_INCONCLUSIVE = 3,
    EXIT_NOT_COMPARABLE = 4,
    EXIT_ENVIRONMENT = 5,
    EXIT_REFUSED = 6,      /* wrong or dishonest kernel */
    EXIT_INTERRUPTED = 75, /* what is measured is kept: run again with --resume (EX_TEMPFAIL) */
    EXIT_NO_DEVICE = 77
};

/* Prints "gemmgate: " and the message to stderr with a newline. Always returns -1, so that a
 * caller says `return error("...")`. Say what is wrong, where (file:line), and what to do. */
int error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with "gemmgate: warning: "; returns nothing because the caller goes on. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether stderr ends in a line that is written again and again: a message then takes its place. */
void error_line_moves(int moves);

#endif
