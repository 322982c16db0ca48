/* A strict reader of INI files on top of inih: whatever it would silently drop, cut or join is
 * refused with file, line and cause. The caller says what a section and a key mean. */
#ifndef BENCH_BASE_INIFILE_H
#define BENCH_BASE_INIFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct inifile {
    const char *what;  /* "a policy": for messages */
    const char *split; /* what to do with a line that is too long; NULL: "shorten it" */
    void *target;      /* the caller's */
    /* Both return false after inifile_refuse. */
    bool (*begin)(struct inifile *file, const char *section);
    bool (*take)(struct inifile *file, const char *name, const char *value); /* NULL: no section
                                                                                yet */
    int line;                                                                /* read last */

    /* inifile.c's own: */
    FILE *in;
    int refused; /* the first line that was refused with a reason; 0: none */
    char why[800];
    uint64_t said; /* of the section's keys, a bit each */
};

/* 0, or -1 after error(). */
int inifile_read(struct inifile *file, const char *path);

/* Notes why the line is refused; returns false. */
bool inifile_refuse(struct inifile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes that the key of this index, at most 63, is said in this section; refuses it the second
 * time.
 */
bool inifile_once(struct inifile *file, int key, const char *name);

/* The key's index in the list, which ends in NULL; -1 when it is refused: unknown, or said already
 * in this section. */
int inifile_key(struct inifile *file, const char *const keys[], const char *name);

/* Values; what does not fit is refused. A share is written in per cent with its sign. */
bool inifile_number(struct inifile *file, const char *value, double least, double most,
                    double *number);
bool inifile_share(struct inifile *file, const char *value, double least, double most,
                   double *share);
bool inifile_text(struct inifile *file, const char *value, char *text, size_t size);

/* Letters, digits, - _ . only. */
bool inifile_name(struct inifile *file, const char *value, char *name, size_t size);

/* The word's index in the list, which ends in NULL. */
bool inifile_word(struct inifile *file, const char *value, const char *const words[], int *index);

#endif
