#include "bench/base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/base/utf8.h"

void text_append_args(char *text, size_t size, const char *format, va_list args) {
    const size_t used = strlen(text);
    vsnprintf(text + used, size - used, format, args);
}

void text_append(char *text, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_append_args(text, size, format, args);
    va_end(args);
}

bool text_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* A number of at most 15 digits without an exponent, as most are: its digits and the power of ten
 * that they are divided by are exact, so that their quotient is rounded as strtod rounds. NULL: it is
 * another, or none. */
static const char *plain_number(const char *text, double *number) {
    const bool negative = *text == '-';
    double digits = 0, power = 1;
    int count = 0;
    bool point = false;
    for (text += negative; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        digits = 10 * digits + (*text - '0');
        power *= point ? 10 : 1;
        count++;
    }
    *number = (negative ? -digits : digits) / power;
    return count > 0 && count <= 15 && !(*text && strchr("eExX.+-", *text)) ? text : NULL;
}

/* strtod alone would take nan, inf and hexadecimal. */
const char *text_number(const char *text, double *number) {
    const char *plain = plain_number(text, number);
    char *end;
    if (plain)
        return plain;
    const char *first = text + (*text == '-' || *text == '+');
    if (!*first || !strchr(".0123456789", *first))
        return NULL;
    const size_t digits = strspn(text, ".0123456789eE+-");
    *number = strtod(text, &end);
    return end == text + digits && isfinite(*number) ? end : NULL;
}

void text_quote(FILE *out, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+%@";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

void text_append_brief(char *text, size_t size, const char *said, size_t most) {
    size_t length = strcspn(said, "\n");
    const bool cut = length > most;
    if (cut)
        for (length = most; length > 0 && said[length] != ' ';)
            length--;
    text_append(text, size, "%.*s%s", (int)length, said, cut ? " …" : "");
}

/* Control characters, also those past ASCII, and those that turn the order of what follows. */
static bool steers(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void clean_text(char *text) {
    while (*text) {
        uint32_t code;
        const size_t length = utf8_decode(text, &code);
        if (length == 0 || steers(code))
            memset(text, ' ', length ? length : 1);
        else if (text[0] == '#' && text[1] == '#')
            *text = ' ';
        text += length ? length : 1;
    }
}

void text_print_line_args(FILE *out, const char *format, va_list args) {
    char *line;
    if (vasprintf(&line, format, args) < 0)
        return;
    clean_text(line);
    const size_t blanks = strspn(line, " ");
    const bool obeyed = text_begins(line + blanks, "::");
    fprintf(out, "%.*s%s%s\n", (int)blanks, line, obeyed ? "\\" : "", line + blanks);
    free(line);
}

void text_print_line(FILE *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_print_line_args(out, format, args);
    va_end(args);
}

void text_print_lines(FILE *out, const char *text) {
    for (;;) {
        const size_t length = strcspn(text, "\n");
        text_print_line(out, "%.*s", (int)length, text);
        if (!text[length] || !text[length + 1])
            return;
        text += length + 1;
    }
}

int text_columns(FILE *out) {
    struct winsize size;
    if (!isatty(fileno(out)))
        return 0;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void clean_lines(char *text) {
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = 0;
        clean_text(text);
        *end = '\n';
    }
    clean_text(text);
}
