#include "reports/page/gnuplot.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/files.h"

/* A page's figures take a second each. */
#define LIMIT_SECONDS 600

const char gnuplot_preamble[] =
    "set encoding utf8\n"
    "set border 3 lc rgb '#404040'\n"
    "set tics nomirror out\n"
    "set grid ytics lc rgb '#d8d8d8' lw 1 lt 1\n"
    "set key outside bottom center horizontal maxrows 1 spacing 1.2 samplen 3\n"
    "set style fill solid 0.9 noborder\n";

void gnuplot_put_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            fputc((unsigned char)*text < ' ' || strchr("\"\\`", *text) ? '\'' : *text, out);
    fputc('"', out);
}

/* Whether the picture ends as its format ends: gnuplot does not tell of a full disk. */
static bool picture_is_whole(const char *folder, const char *name) {
    static const char png[] = "IEND\xae"
                              "B`\x82",
                      svg[] = "</svg>\n\n";
    const size_t stem = strlen(name);
    const bool is_png = stem > 4 && strcmp(name + stem - 4, ".png") == 0;
    const size_t length = is_png ? sizeof png - 1 : sizeof svg - 1;
    char path[PATH_MAX], end[16] = "";
    FILE *in = files_join(path, folder, name) < 0 ? NULL : fopen(path, "r");
    bool whole = in && fseek(in, -(long)length, SEEK_END) == 0 && fread(end, length, 1, in) == 1 &&
                 memcmp(end, is_png ? png : svg, length) == 0;
    if (in)
        fclose(in);
    if (in && !whole)
        unlink(path);
    return whole;
}

int gnuplot_draw(const char *folder, const char *script, const char *const *pictures) {
    char path[PATH_MAX];
    const char *const arguments[] = {path, script, NULL};
    /* The scripts' encoding: of another one gnuplot 6 warns. */
    const struct child_program program = {
        .arguments = arguments, .folder = folder, .locale = "C.UTF-8", .output = -1};
    struct child child;
    if (!child_find("gnuplot", NULL, path))
        return error("gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, "
                     "then try again");
    if (child_run(&child, &program, LIMIT_SECONDS) < 0)
        return -1;
    bool whole = child.fate == CHILD_ENDED && child.status == 0;
    for (; *pictures; pictures++)
        whole = picture_is_whole(folder, *pictures) && whole;
    return whole ? 0
                 : error("gnuplot did not draw what %s/%s asks for: see what it says above; is "
                         "the disk full?",
                         folder, script);
}
