#include "reports/page/html_text.h"

#include <stdint.h>

#include "bench/base/utf8.h"

/* The length of the UTF-8 sequence that the text begins with, or 0 when it is none or, in any
 * plane, no character. */
static size_t sequence_length(const char *text) {
    uint32_t code;
    const size_t length = utf8_decode(text, &code);
    return length > 0 && (code & 0xfffe) != 0xfffe ? length : 0;
}

void html_text(FILE *out, const char *text) {
    for (size_t length; *text; text += length) {
        length = sequence_length(text);
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            if (length == 0) {
                fputs("\xef\xbf\xbd", out); /* U+FFFD */
                length = 1;
            } else if (length == 1 && ((unsigned char)*text < ' ' || *text == 0x7f) &&
                       *text != '\n') {
                fputc(' ', out);
            } else {
                fwrite(text, 1, length, out);
            }
        }
    }
}
