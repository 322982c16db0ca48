/* UTF-8 as RFC 3629 has it. */
#ifndef BENCH_BASE_UTF8_H
#define BENCH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that text, which ends in a NUL, begins with, and its code; the NUL is
 * U+0000, of one byte. 0 where it begins with none: not the shortest form, a surrogate, past
 * U+10FFFF, cut off; code then means nothing. */
size_t utf8_decode(const char *text, uint32_t *code);

/* Bytes of the character that text begins with; 0 where it begins with none or it cannot be shown:
 * a control character other than tab and the ends of lines, U+FFFE, U+FFFF. */
size_t utf8_shown(const char *text);

/* Whether the text is UTF-8 without ASCII control characters other than tab. */
bool utf8_is_plain(const char *text);

/* Copies the text; each byte that cannot be shown becomes U+FFFD. clean has room for three bytes and
 * a NUL for each. Returns how many it has. */
size_t utf8_clean(const char *text, char *clean);

#endif
