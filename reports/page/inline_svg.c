#include "reports/page/inline_svg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/html_text.h"

/* The whole file with a NUL, or NULL after error(). */
static char *read_text(const char *folder, const char *name) {
    char path[PATH_MAX], *text = NULL;
    size_t size = 0, used = 0;
    if (files_join(path, folder, name) < 0)
        return NULL;
    FILE *in = fopen(path, "r");
    for (bool more = in != NULL; more;) {
        if (used + 1 >= size) {
            char *larger = realloc(text, size = 2 * size + 65536);
            if (!larger)
                break;
            text = larger;
        }
        const size_t got = fread(text + used, 1, size - used - 1, in);
        used += got;
        more = got > 0;
    }
    const bool failed = !in || !text || ferror(in) || !feof(in);
    if (in)
        fclose(in);
    if (failed) {
        free(text);
        error("%s: cannot be read; run `gemmgate report` again", path);
        return NULL;
    }
    text[used] = 0;
    return text;
}

/* The body, with the prefix before each id and reference to one, and without titles: those of
 * gnuplot's plots are "gnuplot_plot_1a". */
static void put_body(FILE *out, const char *text, const char *end, size_t number) {
    static const char *const words[] = {" id='", " id=\"", "href='#", "url(#"}, title[] = "<title>";
    while (text < end) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && length == 0; i++)
            if (strncmp(text, words[i], strlen(words[i])) == 0)
                length = strlen(words[i]);
        const char *close =
            strncmp(text, title, strlen(title)) == 0 ? strstr(text, "</title>") : NULL;
        if (close) {
            text = close + strlen("</title>");
            continue;
        }
        fwrite(text, 1, length ? length : 1, out);
        if (length)
            fprintf(out, "f%zu-", number);
        text += length ? length : 1;
    }
}

int inline_svg(FILE *out, const char *folder, const char *picture, const char *alt, size_t number) {
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.200s.svg", picture);
    char *text = read_text(folder, name);
    const char *box = text ? strstr(text, "viewBox=\"") : NULL;
    const char *canvas = text ? strstr(text, "<g id=\"gnuplot_canvas\">") : NULL;
    const char *end = canvas ? strstr(canvas, "</svg>") : NULL;
    if (!text)
        return -1;
    if (!box || box > canvas || !end) {
        free(text);
        return error("%s/%s: is no picture of gnuplot's", folder, name);
    }
    const int box_length = (int)strspn(box + 9, "0123456789. ");
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"%.*s\" role=\"img\" "
            "aria-labelledby=\"f%zu-title\"><title id=\"f%zu-title\">",
            box_length, box + 9, number, number);
    html_text(out, alt);
    fputs("</title>\n", out);
    put_body(out, canvas, end, number);
    fputs("</svg>", out);
    free(text);
    return 0;
}
