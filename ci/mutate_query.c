/* For ci/mutate: stands before SQLite (LD_PRELOAD), so that a fault in a query needs no build. A statement
 * that is $MUTATE_WAS becomes $MUTATE_IS. Each that is asked for goes to the end of the file
 * $MUTATE_ASKED, once a process, with a 0 behind it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(const char *path, const char *sql) {
    static const char *noted[512];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (noted[i] == sql)
            return;
    if (count < sizeof noted / sizeof *noted)
        noted[count++] = sql;
    FILE *out = fopen(path, "a");
    if (!out)
        abort();
    fwrite(sql, 1, strlen(sql) + 1, out);
    fclose(out);
}

static const char *planted(const char *sql) {
    const char *was = getenv("MUTATE_WAS"), *is = getenv("MUTATE_IS"),
               *asked = getenv("MUTATE_ASKED");
    if (asked)
        note(asked, sql);
    return was && is && strcmp(sql, was) == 0 ? is : sql;
}

int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int length, sqlite3_stmt **statement,
                       const char **tail) {
    int (*next)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **) =
        (int (*)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **))dlsym(
            RTLD_NEXT, "sqlite3_prepare_v2");
    return next(db, planted(sql), length, statement, tail);
}

int sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
                 void *data, char **message) {
    int (*next)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **) =
        (int (*)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *,
                 char **))dlsym(RTLD_NEXT, "sqlite3_exec");
    return next(db, planted(sql), row, data, message);
}
