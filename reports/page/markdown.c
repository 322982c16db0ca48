#include "reports/page/markdown.h"

#include <math.h>
#include <string.h>

const char *markdown_percent(double speedup, char text[16]) {
    if (isnan(speedup))
        return strcpy(text, MARKDOWN_NOTHING);
    snprintf(text, 16, "%+.1f", 100 * speedup);
    return text;
}

void markdown_cell(FILE *out, const char *format, double value) {
    fputc(' ', out);
    if (isnan(value))
        fputs(MARKDOWN_NOTHING, out);
    else
        fprintf(out, format, value);
    fputs(" |", out);
}

void markdown_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\|`*_<>[]#&~$", *text))
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}
