/* A strict reader of INI files on top of inih: whatever it would silently drop, cut or join is
 * refused with file, line and cause. The caller says what a section and a key mean. */
#ifndef BENCH_BASE_INIFILE_H
#define BENCH_BASE_INIFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct inifile;

/* How a value is read. One that does not fit is refused. */
enum inifile_type {
    INIFILE_OTHER,   /* as the row's take says */
    INIFILE_SHARE,   /* double, from least to most per cent, written with the sign */
    INIFILE_NUMBER,  /* double, from least to most */
    INIFILE_WHOLE,   /* an integer of any size, from least to most */
    INIFILE_WORD,    /* the same: which of the words, from 0 */
    INIFILE_SPELLING /* char[]: the word itself */
};

/* A key of a section. */
struct inifile_row {
    const char *key;
    enum inifile_type type;
    size_t offset, size; /* of its field in what the section fills: INIFILE_FIELD */
    double least, most;
    const char *const *words; /* ends in NULL */
    const char *of;           /* WHOLE: what there are so many of */
    bool again;               /* it may be said in several lines */
    const char *wanted;       /* words for what take wants, where it says nothing itself */
    bool (*take)(struct inifile *file, const char *value, void *field);
};
#define INIFILE_FIELD(type, field)                                                                 \
    .offset = offsetof(type, field), .size = sizeof(((type *)NULL)->field)

struct inifile {
    const char *what;  /* "a policy": for messages */
    const char *split; /* what to do with a line that is too long; NULL: "shorten it" */
    void *target;      /* the caller's */
    /* For each section it sets either take, or rows and the struct that they fill: at most 64,
     * which end with one without a key. Both functions return false after inifile_refuse, as a
     * row's take does, which need not say why where the row has words for that. */
    bool (*begin)(struct inifile *file, const char *section);
    const struct inifile_row *rows;
    void *into;
    bool (*take)(struct inifile *file, const char *name, const char *value);
    int line; /* read last */

    /* inifile.c's own: */
    FILE *in;
    char section[64];
    uint64_t said; /* keys of the section, a bit for each row */
    int refused;   /* the first line that was refused with a reason; 0: none */
    char why[800];
};

/* 0, or -1 after error(). */
int inifile_read(struct inifile *file, const char *path);

/* Notes why the line is refused; returns false. */
bool inifile_refuse(struct inifile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The row's field of what the section fills, as a file would say it; "" where it is an empty text,
 * or the row's take fills it. Returns text. */
const char *inifile_say(const struct inifile_row *row, const void *from, char *text, size_t size);

/* Values of types that need more than a row says. */
bool inifile_text(struct inifile *file, const char *value, char *text, size_t size);
bool inifile_name(struct inifile *file, const char *value, char *name, size_t size);
bool inifile_share(struct inifile *file, const char *value, double least, double most,
                   double *share);

#endif
