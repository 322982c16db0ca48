#include "reports/query/plot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/query/query.h"

/* Figures take a second each. */
#define LIMIT_SECONDS 600

/* A text, in lines that fit the picture. What gnuplot would read as its own becomes '. */
static void put_quoted(FILE *out, const char *text) {
    enum { LINE = 140 };
    char *lines = need_copy(text), *line = lines;
    while (strlen(line) > LINE) {
        char *end = strchr(line, '\n');
        end = end && end - line <= LINE ? end : memrchr(line, ' ', LINE);
        if (!end)
            break;
        *end = '\n';
        line = end + 1;
    }
    fputc('"', out);
    for (const char *at = lines; *at; at++)
        if (*at == '\n')
            fputs("\\n", out);
        else
            fputc((unsigned char)*at < ' ' || strchr("\"\\`", *at) ? '\'' : *at, out);
    fputc('"', out);
    free(lines);
}

static void put_value(FILE *out, sqlite3_stmt *row, int column) {
    if (sqlite3_column_type(row, column) == SQLITE_TEXT)
        put_quoted(out, (const char *)sqlite3_column_text(row, column));
    else
        fprintf(out, "%.9g", sqlite3_column_double(row, column));
}

static void put_word(FILE *script, const char *variable, sqlite3_stmt *row, int column) {
    fprintf(script, "%s = ", variable);
    put_value(script, row, column);
    fputc('\n', script);
}

/* The lines of an answer, blank ones behind each block; and in the script, unless that is NULL, what it has
 * of them. */
static void put_lines(FILE *data, FILE *script, sqlite3_stmt *answer) {
    char *block = NULL, variable[32];
    size_t rows = 0, blocks = 0;
    for (; query_next(answer); rows++) {
        const char *name = (const char *)sqlite3_column_text(answer, 0);
        if (!block || strcmp(block, name) != 0) {
            fputs(block ? "\n\n" : "", data);
            free(block);
            block = need_copy(name);
            snprintf(variable, sizeof variable, "mode%zu", blocks++);
            if (script)
                put_word(script, variable, answer, 0);
        }
        for (int i = 1; i < sqlite3_column_count(answer); i++) {
            fputs(i > 1 ? " " : "", data);
            put_value(data, answer, i);
        }
        fputc('\n', data);
    }
    fputs("\n\n", data);
    free(block);
    if (script)
        fprintf(script, "rows = %zu\nmodes = %zu\n", rows, blocks);
}

/* Opens FOLDER/NAME.ENDING. */
static int open_file(struct file *file, const char *folder, const char *name, const char *ending) {
    char text[NAME_MAX + 1];
    snprintf(text, sizeof text, "%.200s.%s", name, ending);
    return file_open(file, folder, text);
}

int plot_make(const char *folder, const char *name, sqlite3_stmt *words,
              sqlite3_stmt *const *data) {
    struct file script, lines;
    if (open_file(&script, folder, name, "gp") < 0)
        return -1;
    if (open_file(&lines, folder, name, "dat") < 0) {
        file_abandon(&script);
        return -1;
    }
    fprintf(script.stream, "name = \"%s\"\n", name);
    for (int i = 0; i < sqlite3_column_count(words); i++)
        put_word(script.stream, sqlite3_column_name(words, i), words, i);
    for (size_t i = 0; data[i]; i++)
        put_lines(lines.stream, i == 0 ? script.stream : NULL, data[i]);
    fputs(assets_plot_gp, script.stream);
    const int made = file_commit_unsynced(&lines), said = file_commit_unsynced(&script);
    return made < 0 || said < 0 ? -1 : 0;
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

static sqlite3_stmt *names_of(sqlite3 *db) {
    return query_ask(db, "SELECT name FROM figures", NULL);
}

/* The program, then for each figure a fresh start and its script; freed by the caller. *count: how many. */
static const char **arguments_of(const char *path, sqlite3 *db, size_t *count) {
    const char **arguments = need_more(NULL, 0, sizeof *arguments);
    char file[NAME_MAX + 1];
    arguments[0] = path;
    *count = 1;
    for (sqlite3_stmt *names = names_of(db); query_next(names);) {
        snprintf(file, sizeof file, "%.200s.gp", query_text(names, "name"));
        const char *const more[] = {"-e", "reset session", kept_text(file)};
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            arguments = need_more(arguments, *count, sizeof *arguments);
            arguments[(*count)++] = more[i];
        }
    }
    arguments = need_more(arguments, *count, sizeof *arguments);
    arguments[*count] = NULL;
    return arguments;
}

int plot_start(struct child *gnuplot, const char *folder, sqlite3 *db) {
    char path[PATH_MAX];
    size_t count;
    int started = 0;
    *gnuplot = (struct child){.fate = CHILD_NONE};
    const char **arguments = arguments_of(path, db, &count);
    /* The scripts' encoding: of another one gnuplot 6 warns. */
    const struct child_program program = {
        .arguments = arguments, .folder = folder, .locale = "C.UTF-8", .output = -1};
    if (count > 1 && !child_find("gnuplot", NULL, path))
        warning("gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, or "
                "without root copy the folder to a machine that has it; then try again");
    else if (count > 1)
        started = child_start(gnuplot, &program) < 0 ? -1 : 1;
    free(arguments);
    if (started > 0)
        query_run(db, "UPDATE figures SET drawn = 1");
    return started;
}

int plot_wait(struct child *gnuplot, const char *folder, sqlite3 *db) {
    char name[NAME_MAX + 1]; /* the first that lacks a picture, or the last of all */
    bool drawn = true;
    if (gnuplot->fate == CHILD_NONE)
        return 0;
    const int ended = child_wait(gnuplot, LIMIT_SECONDS);
    for (sqlite3_stmt *names = names_of(db); query_next(names);)
        if (drawn) {
            snprintf(name, sizeof name, "%s", query_text(names, "name"));
            drawn = is_drawn(folder, name);
        }
    if (ended == 0 && drawn && gnuplot->fate == CHILD_ENDED && gnuplot->status == 0)
        return 1;
    query_run(db, "UPDATE figures SET drawn = 0");
    return ended < 0 ? -1
                     : error("gnuplot did not draw what %s/%s.gp asks for: see what it says above; "
                             "is the disk full?",
                             folder, name);
}
