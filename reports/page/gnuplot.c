#include "reports/page/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"

extern char **environ;

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

/* Ours, but for the encoding, which is that of the scripts: of another one gnuplot 6 warns. The
 * caller frees it. */
static char **make_environment(void) {
    static char encoding[] = "LC_ALL=C.UTF-8"; /* getenv takes the first */
    size_t count = 1;                          /* with the NULL */
    for (char **name = environ; *name; name++)
        count++;
    char **list = malloc((count + 1) * sizeof *list);
    if (list) {
        list[0] = encoding;
        memcpy(list + 1, environ, count * sizeof *list);
    }
    return list;
}

int gnuplot_draw(const char *folder, const char *script, const char *const *pictures) {
    char program[] = "gnuplot", name[NAME_MAX + 1];
    char *argv[] = {program, name, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    snprintf(name, sizeof name, "%s", script);
    char **environment = make_environment();
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return error("no memory");
    }
    int failed = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (failed == 0)
        failed = posix_spawnp(&child, program, &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (failed == ENOENT)
        return error("gnuplot is not installed, so nothing is drawn; apt-get install gnuplot-nox, "
                     "then try again");
    if (failed)
        return error("cannot run gnuplot: %s", strerror(failed));
    if (waitpid(child, &status, 0) < 0)
        return error("cannot wait for gnuplot: %s", strerror(errno));
    bool whole = status == 0;
    for (; *pictures; pictures++)
        whole = picture_is_whole(folder, *pictures) && whole;
    return whole ? 0
                 : error("gnuplot did not draw what %s/%s asks for: see what it says above; is "
                         "the disk full?",
                         folder, script);
}
