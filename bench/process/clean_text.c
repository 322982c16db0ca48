#include "bench/process/clean_text.h"

#include <string.h>

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
