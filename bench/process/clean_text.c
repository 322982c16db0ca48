#include "bench/process/clean_text.h"

void clean_text(char *text) {
    for (unsigned char *p = (unsigned char *)text; *p; p++) {
        if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
            p[0] = p[1] = ' '; /* the control characters past ASCII, in UTF-8 */
        else if (*p < ' ' || *p == 0x7f || (*p == '#' && p[1] == '#'))
            *p = ' ';
    }
}
