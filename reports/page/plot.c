#include "reports/page/plot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "reports/page/assets.h"

/* Figures take a second each. */
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
    const int data = file_commit_unsynced(&plot->data),
              script = file_commit_unsynced(&plot->script);
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

/* PNG and SVG. */
static bool is_drawn(const char *folder, const char *name) {
    static const char png[] = "IEND\xae"
                              "B`\x82",
                      svg[] = "</svg>\n\n";
    const bool pixels = is_whole(folder, name, ".png", png, sizeof png - 1);
    return is_whole(folder, name, ".svg", svg, sizeof svg - 1) && pixels;
}

/* The program, then for each figure a fresh start and its script; freed by the caller. */
static const char **arguments_of(const char *path, const char *const *names, size_t count) {
    const char **arguments = need(3 * count + 2, sizeof *arguments + NAME_MAX + 1);
    char *text = (char *)(arguments + 3 * count + 2);
    arguments[0] = path;
    for (size_t i = 0; i < count; i++, text += NAME_MAX + 1) {
        snprintf(text, NAME_MAX + 1, "%.200s.gp", names[i]);
        arguments[3 * i + 1] = "-e";
        arguments[3 * i + 2] = "reset session";
        arguments[3 * i + 3] = text;
    }
    return arguments;
}

int plot_start(struct child *gnuplot, const char *folder, const char *const *names, size_t count) {
    char path[PATH_MAX];
    *gnuplot = (struct child){.fate = CHILD_NONE};
    if (count == 0)
        return 0;
    if (!child_find("gnuplot", NULL, path)) {
        warning("gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, or "
                "without root copy the folder to a machine that has it; then try again");
        return 0;
    }
    const char **arguments = arguments_of(path, names, count);
    /* The scripts' encoding: of another one gnuplot 6 warns. */
    const struct child_program program = {
        .arguments = arguments, .folder = folder, .locale = "C.UTF-8", .output = -1};
    const int started = child_start(gnuplot, &program);
    free(arguments);
    return started < 0 ? -1 : 1;
}

int plot_wait(struct child *gnuplot, const char *folder, const char *const *names, size_t count) {
    size_t whole = 0;
    if (gnuplot->fate == CHILD_NONE)
        return 0;
    if (child_wait(gnuplot, LIMIT_SECONDS) < 0)
        return -1;
    const bool ended = gnuplot->fate == CHILD_ENDED && gnuplot->status == 0;
    while (whole < count && is_drawn(folder, names[whole]))
        whole++;
    return ended && whole == count
               ? 1
               : error("gnuplot did not draw what %s/%s.gp asks for: see what it says above; is "
                       "the disk full?",
                       folder, names[whole < count ? whole : count - 1]);
}
