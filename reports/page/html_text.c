#include "reports/page/html_text.h"

#include <math.h>
#include <stdint.h>

#include "bench/base/utf8.h"
#include "reports/page/markdown.h"

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
            } else if (length == 1 && ((unsigned char)*text < ' ' || *text == 0x7f)) {
                fputc(' ', out);
            } else {
                fwrite(text, 1, length, out);
            }
        }
    }
}

void html_table_open(FILE *out, const char *caption, const struct html_column *columns,
                     size_t count) {
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
    html_text(out, caption);
    fprintf(out, "\"><table%s><caption>",
            count > 0 && *columns[0].name ? " class=\"sortable\"" : "");
    html_text(out, caption);
    fputs("</caption>\n<thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        if (!*columns[i].name) {
            fputs("<td></td>", out);
            continue;
        }
        fprintf(out, "<th scope=\"col\"%s>", columns[i].number ? " class=\"n\"" : "");
        html_text(out, columns[i].name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_close(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

void html_fold_open(FILE *out, const char *summary, size_t rows) {
    enum { MANY = 40 };
    fprintf(out, "<details%s><summary>", rows > MANY ? "" : " open=\"open\"");
    html_text(out, summary);
    fputs("</summary>\n", out);
}

void html_fold_close(FILE *out) {
    fputs("</details>\n", out);
}

void html_row_open(FILE *out) {
    fputs("<tr>", out);
}

void html_row_close(FILE *out) {
    fputs("</tr>\n", out);
}

void html_head_cell(FILE *out, const char *text) {
    fputs("<th scope=\"row\">", out);
    html_text(out, text);
    fputs("</th>", out);
}

void html_cell(FILE *out, const char *text) {
    fputs("<td>", out);
    html_text(out, text);
    fputs("</td>", out);
}

void html_count_cell(FILE *out, size_t count) {
    fprintf(out, "<td class=\"n\">%zu</td>", count);
}

void html_number_cell(FILE *out, const char *format, double value) {
    fputs("<td class=\"n\">", out);
    if (isnan(value))
        fputs(MARKDOWN_NOTHING, out);
    else
        fprintf(out, format, value);
    fputs("</td>", out);
}

void html_percent_cell(FILE *out, double speedup) {
    char text[16];
    fprintf(out, "<td class=\"n\">%s</td>", markdown_percent(speedup, text));
}
