#include "bench/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

void clean_text(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
            p[0] = p[1] = ' '; /* the control characters past ASCII, in UTF-8 */
        else if (*p < ' ' || *p == 0x7f || (*p == '#' && p[1] == '#'))
            *p = ' ';
    }
}

void clean_lines(char *text) {
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = 0;
        clean_text(text);
        *end = '\n';
    }
    clean_text(text);
}
