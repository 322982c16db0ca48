/* Texts that grow, and words of a command line. */
#ifndef BENCH_BASE_TEXT_H
#define BENCH_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes what printf would behind the text, which has `size` bytes in all; cut where it is full. */
void text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_append_args(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

bool text_begins(const char *text, const char *with);

/* Reads the finite decimal number that the text begins with. Returns what stands behind it, or NULL
 * where there is none. */
const char *text_number(const char *text, double *number);

/* Writes the word: in single quotes where a shell would read it as anything but one word. */
void text_quote(FILE *out, const char *word);

/* Appends the first line of what is said; of one of more than `most` bytes the words that fit, and
 * an ellipsis. */
void text_append_brief(char *text, size_t size, const char *said, size_t most);

/* Prints one line: what printf would, made harmless, and an end of line. File names, and what kernels
 * and compilers say, may hold anything: all that goes to a terminal or a log passes through here. No
 * control character is left, and no line begins with what a CI server obeys (::error::). */
void text_print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_print_line_args(FILE *out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The same of each line of the text. */
void text_print_lines(FILE *out, const char *text);

/* Columns of the terminal that the stream is; 0: it is none. */
int text_columns(FILE *out);

/* Puts spaces for control characters and for what is no UTF-8, in place. "##", which begins a command wherever it stands in
 * a line (##[error] of GitHub, ##vso[...] of Azure), becomes " #". */
void clean_text(char *text);

/* The same, but for the ends of lines: of what goes into files, where nothing takes lines apart. */
void clean_lines(char *text);

#endif
