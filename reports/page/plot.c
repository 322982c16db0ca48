#include "reports/page/plot.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "reports/page/assets.h"

/* A page's figures take a second each. */
#define LIMIT_SECONDS 600

int plot_open(struct plot *plot, const char *folder, const char *name, const char *kind) {
    char file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%.200s.gp", name);
    if (file_open(&plot->script, folder, file) < 0)
        return -1;
    snprintf(file, sizeof file, "%.200s.dat", name);
    if (file_open(&plot->data, folder, file) < 0) {
        file_abandon(&plot->script);
        return -1;
    }
    plot_text(plot, "name", name);
    plot_text(plot, "kind", kind);
    return 0;
}

int plot_close(struct plot *plot) {
    fputs(assets_plot_gp, plot->script.stream);
    const int data = file_commit(&plot->data), script = file_commit(&plot->script);
    return data < 0 || script < 0 ? -1 : 0;
}

static void put_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            fputc((unsigned char)*text < ' ' || strchr("\"\\`", *text) ? '\'' : *text, out);
    fputc('"', out);
}

void plot_row(struct plot *plot, const double *numbers, size_t count, const char *label) {
    FILE *out = plot->data.stream;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%.9g", i ? " " : "", numbers[i]);
    if (label) {
        fputc(' ', out);
        put_quoted(out, label);
    }
    fputc('\n', out);
}

void plot_end(struct plot *plot) {
    fputs("\n\n", plot->data.stream);
}

void plot_text(struct plot *plot, const char *variable, const char *text) {
    fprintf(plot->script.stream, "%s = ", variable);
    put_quoted(plot->script.stream, text);
    fputc('\n', plot->script.stream);
}

void plot_number(struct plot *plot, const char *variable, double number) {
    fprintf(plot->script.stream, "%s = %.9g\n", variable, number);
}

/* Whether the picture ends as its format ends: gnuplot does not tell of a full disk. */
static bool is_whole(const char *folder, const char *name, const char *ending, const char *last,
                     size_t length) {
    char file[NAME_MAX + 1], path[PATH_MAX], end[16] = "";
    snprintf(file, sizeof file, "%.200s%s", name, ending);
    FILE *in = files_join(path, folder, file) < 0 ? NULL : fopen(path, "r");
    const bool whole = in && fseek(in, -(long)length, SEEK_END) == 0 &&
                       fread(end, length, 1, in) == 1 && memcmp(end, last, length) == 0;
    if (in)
        fclose(in);
    if (in && !whole)
        unlink(path);
    return whole;
}

int plot_draw(const char *folder, const char *name) {
    static const char png[] = "IEND\xae"
                              "B`\x82",
                      svg[] = "</svg>\n\n";
    char path[PATH_MAX], script[NAME_MAX + 1];
    snprintf(script, sizeof script, "%.200s.gp", name);
    const char *const arguments[] = {path, script, NULL};
    /* The scripts' encoding: of another one gnuplot 6 warns. */
    const struct child_program program = {
        .arguments = arguments, .folder = folder, .locale = "C.UTF-8", .output = -1};
    struct child child;
    static bool told;
    if (!child_find("gnuplot", NULL, path)) {
        if (!told)
            warning(
                "gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, or "
                "without root copy the folder to a machine that has it; then try again");
        told = true;
        return 0;
    }
    if (child_run(&child, &program, LIMIT_SECONDS) < 0)
        return -1;
    const bool drawn = child.fate == CHILD_ENDED && child.status == 0;
    const bool pixels = is_whole(folder, name, ".png", png, sizeof png - 1);
    const bool lines = is_whole(folder, name, ".svg", svg, sizeof svg - 1);
    return drawn && pixels && lines
               ? 1
               : error("gnuplot did not draw what %s/%s asks for: see what it says above; is "
                       "the disk full?",
                       folder, script);
}
