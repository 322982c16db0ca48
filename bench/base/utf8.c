#include "bench/base/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t utf8_decode(const char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = *byte < 0x80             ? 1
                          : (*byte & 0xe0) == 0xc0 ? 2
                          : (*byte & 0xf0) == 0xe0 ? 3
                          : (*byte & 0xf8) == 0xf0 ? 4
                                                   : 0;
    *code = *byte;
    if (length < 2)
        return length;
    *code &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (byte[i] & 0x3fu);
    }
    const bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code >= least[length] && *code <= 0x10ffff && !surrogate ? length : 0;
}

size_t utf8_shown(const char *text) {
    uint32_t code;
    const size_t size = utf8_decode(text, &code);
    const bool control = (code < ' ' && code != '\t' && code != '\n' && code != '\r') ||
                         (code >= 0x7f && code < 0xa0);
    return size > 0 && !control && code != 0xfffe && code != 0xffff ? size : 0;
}

bool utf8_is_plain(const char *text) {
    uint32_t code;
    for (size_t size; *text; text += size)
        if ((size = utf8_decode(text, &code)) == 0 || (code < ' ' && code != '\t') || code == 0x7f)
            return false;
    return true;
}

size_t utf8_clean(const char *text, char *clean) {
    static const char unknown[] = "\xef\xbf\xbd";
    size_t used = 0;
    while (*text) {
        const size_t length = utf8_shown(text), put = length ? length : strlen(unknown);
        memcpy(clean + used, length ? text : unknown, put);
        used += put;
        text += length ? length : 1;
    }
    clean[used] = 0;
    return used;
}
