/* The rows of the run directory's CSV files, in memory; columns.h says what their members are. A
 * number that is missing is NaN; `note` then says why. */
#ifndef REPORTS_ROWS_ROWS_H
#define REPORTS_ROWS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/base/shape.h"
#include "reports/rows/columns.h"
#include "timing/verdict.h"

#define ROW_TEXT(name, bytes) char name[bytes];
#define ROW_WORD(name, words) char name[RUNDIR_NAME];
#define ROW_KEPT(name, bytes) const char *name;
#define ROW_KEPT_WORD(name, words) const char *name;
#define ROW_NUMBER(name, unit) double name;
#define ROW_UNBOUND ROW_NUMBER
#define ROW_KEY_TEXT ROW_TEXT
#define ROW_KEY_WORD ROW_WORD
#define ROW_KEY_KEPT ROW_KEPT
#define ROW_KEY_KEPT_WORD ROW_KEPT_WORD
#define ROW_KEY_NUMBER ROW_NUMBER
#define ROW_MEMBER(of, form, name, detail, meaning) ROW_##form(name, detail)
#define ROW_STRUCT(row, kind, file, COLUMNS)                                                       \
    struct row##_row {                                                                             \
        struct shape shape;                                                                        \
        COLUMNS(ROW_MEMBER, row##_row)                                                             \
    };
ROW_KINDS(ROW_STRUCT) /* struct check_row, time_row, ratio_row, ... */

/* Growable arrays, zero-initialised by the caller, freed by rows_free: checks and check_count,
 * times and time_count, ... */
#define ROW_ARRAY(row, kind, file, COLUMNS)                                                        \
    struct row##_row *row##s;                                                                      \
    size_t row##_count;
struct rows {
    ROW_KINDS(ROW_ARRAY)
};

/* The text that says the same and is kept, once for all that have it and until the program ends. */
const char *kept_text(const char *text);

/* rows_add_check, rows_add_time, ... append a copy of the row. Texts that a row points to are kept
 * (kept_text); NULL is "". */
#define ROW_ADD(row, kind, file, COLUMNS)                                                          \
    void rows_add_##row(struct rows *rows, const struct row##_row *add);
ROW_KINDS(ROW_ADD)
void rows_append(struct rows *rows, const struct rows *more); /* copies of all */
void rows_free(struct rows *rows);

/* Share of disturbed blocks from which a visit is left out, and of what remains, from which the
 * row's verdict is VERDICT_DISTURBED. */
#define ROWS_DISTURBED_MOST 0.1

/* The verdict of a row whose other members are there. */
const char *rows_verdict(const struct ratio_row *row);

/* How many ratios by the lens are stated at a launch, or at an empty call (series.h). *seconds: what
 * it took there, the geometric mean. */
size_t rows_stated(const struct rows *rows, const char *lens, double *seconds);

/* Of a unit's rows: the last try to record that kernel; NULL: there was none. */
const struct recording_row *rows_recording(const struct rows *unit, const char *kernel);

/* Of a unit's rows: whether the audits found it of the kernel, at any level. */
bool rows_found(const struct rows *unit, const char *kernel, const char *finding);

/* What became of a kernel on a shape, as far as totals and exit statuses tell outcomes apart. An
 * unrecorded kernel is checked and has times by the lenses of its own process. Where the machine
 * lacks what a kernel needs (a compiler, memory), nothing is known of it. */
#define ROWS_FATES(X)                                                                              \
    X(PASSED, "passed")                                                                            \
    X(UNRECORDED, "unrecorded")                                                                    \
    X(UNSUPPORTED, "unsupported")                                                                  \
    X(NOT_BUILT, "not built")                                                                      \
    X(NO_MEMORY, "without memory")                                                                 \
    X(REFUSED, "refused")
enum rows_fate {
#define X(id, word) ROWS_##id,
    ROWS_FATES(X)
#undef X
        ROWS_FATE_COUNT
};
extern const char *const rows_fate_words[ROWS_FATE_COUNT];
enum rows_fate rows_fate(const struct check_row *row);

/* What the kernel did: the words of its outcome for people, as "does not compile". */
const char *rows_deed(const struct check_row *row);

/* Says through error() where two sets of rows, in the same order, differ: how many rows are missing
 * or too many, which are one difference, or else the first member of a row whose text differs or
 * whose number does by more than 1e-8 of it. `where` begins the message; most: messages, at most.
 * Returns how many rows differ, said or not. */
size_t rows_differ(const char *where, const struct rows *stored, const struct rows *wanted,
                   size_t most);

/* The rows as data, for whoever treats all files alike. */
#define ROW_KIND(row, kind, file, COLUMNS) kind,
enum rows_kind { ROW_KINDS(ROW_KIND) ROWS_KINDS };

/* Whether rows of the kind follow from samples. The others were measured. */
bool rows_is_derived(enum rows_kind kind);

enum rows_form { ROWS_SIZE, ROWS_TEXT, ROWS_NUMBER, ROWS_UNBOUND };
struct rows_column {
    const char *name, *unit, *meaning;
    enum rows_form form;
    bool key;  /* together these name a row */
    bool kept; /* of a text: the row points to it */
    size_t offset, size;
    size_t room;              /* of a text, with its NUL */
    const char *const *words; /* NULL-ended: the only texts allowed. NULL: any */
};

/* Largest number of columns of a file. */
#define ROWS_COLUMNS 40

struct rows_file {
    const char *name;
    const struct rows_column *columns;
    size_t column_count, row_size;
    size_t array, count; /* where struct rows holds them */
};
extern const struct rows_file rows_files[ROWS_KINDS];

/* The first row of the kind, and how many there are. */
char *rows_of(const struct rows *rows, enum rows_kind kind, size_t *count);
void rows_add(struct rows *rows, enum rows_kind kind, const void *row);

/* The row's text in a column of texts, and its number in any other. */
const char *rows_text(const struct rows_column *column, const void *row);
double rows_number(const struct rows_column *column, const void *row);

/* The CSV files of a folder, of a unit or a run. A unit's folder has what was measured. A run's has what
 * follows from samples, too. Both return 0, or -1 after error() that names file, line and cause. */
enum rows_csv_folder { ROWS_CSV_UNIT, ROWS_CSV_RUN };

/* Every kind of row has its file, also without rows. */
int rows_csv_write(const char *folder, enum rows_csv_folder of, const struct rows *rows);

/* Appends what the folder's files hold. Refused: other columns than this version's, texts that are
 * too long, words that it does not know, numbers that are none, a row twice, a file cut off. */
int rows_csv_read(const char *folder, enum rows_csv_folder of, struct rows *rows);

#endif
