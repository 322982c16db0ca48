/* What a document is made of, for the writers and for document_fill.c; who fills one needs document.h
 * alone. */
#ifndef REPORTS_PAGE_DOCUMENT_PARTS_H
#define REPORTS_PAGE_DOCUMENT_PARTS_H

#include <obstack.h>

#include "reports/page/document.h"

enum document_span_kind {
    DOCUMENT_SPAN_TEXT,
    DOCUMENT_SPAN_CODE,
    DOCUMENT_SPAN_EMPHASIS,
    DOCUMENT_SPAN_STRONG,
    DOCUMENT_SPAN_LINK
};

struct document_span {
    enum document_span_kind kind;
    const char *text;
    const char *to; /* of a link */
    struct document_span *next;
};

/* A text is a list of spans; NULL: none. */
struct document_text {
    struct document_span *first, *last;
};

enum document_cell_kind { DOCUMENT_CELL_EMPTY, DOCUMENT_CELL_TEXT, DOCUMENT_CELL_NUMBER };

struct document_cell {
    enum document_cell_kind kind;
    enum document_mood mood;
    struct document_text text; /* of an empty one: why */
    double value, low, high;   /* NaN: none, as of the value of an interval */
    bool unrecorded;
};

/* How a column shows its cells, and when pages leave it out (document_columns). */
enum document_type {
    DOCUMENT_TEXT,
    DOCUMENT_CODE,
    DOCUMENT_COUNT,
    DOCUMENT_NUMBER,
    DOCUMENT_SIGNIFICANT,
    DOCUMENT_SHARE,
    DOCUMENT_SPEEDUP,
    DOCUMENT_SECONDS,
    DOCUMENT_RATIO,
    DOCUMENT_INTERVAL,
    DOCUMENT_VERDICT
};
enum document_omit {
    DOCUMENT_KEEP,
    DOCUMENT_OMIT_SAME,
    DOCUMENT_OMIT_EMPTY,
    DOCUMENT_OMIT_ZERO,
    DOCUMENT_OMIT_ABSENT
};

struct document_column {
    const char *name, *key;
    const char *low, *high; /* keys; NULL: KEY_low and KEY_high */
    const char *unknown;    /* may be NULL */
    enum document_type type;
    enum document_omit omit;
    unsigned formats; /* bits */
    int digits;       /* 0: the type's own */
    double scale;     /* 0: as it is */
    const char *unit; /* NULL: none */
    bool unbroken, marked, faster;
};

struct document_table {
    const char *id, *caption; /* the caption may be NULL */
    struct document_column *columns;
    size_t column_count;
    struct document_cell *cells; /* row-major, column_count a row */
    size_t row_count;
    size_t most[4]; /* rows by format, in the order of the bits */
    struct document_text where, fold;
    bool fold_everywhere;
    size_t filled; /* cells of the last row */
};

/* Levels of sections are below. */
enum { DOCUMENT_LEVELS = 7 };

enum document_kind {
    DOCUMENT_KIND_SECTION,
    DOCUMENT_KIND_PARAGRAPH,
    DOCUMENT_KIND_ITEM,
    DOCUMENT_KIND_NOTE,
    DOCUMENT_KIND_PRE,
    DOCUMENT_KIND_FACTS, /* a table of names and values, whose columns have no name */
    DOCUMENT_KIND_TABLE,
    DOCUMENT_KIND_FIGURE
};

struct document_block {
    enum document_kind kind;
    unsigned formats;
    int level;                 /* of a section */
    bool folded;               /* a section is */
    enum document_mood mood;   /* of a note */
    const char *id;            /* of a section; the name of a figure */
    const char *words;         /* heading, lines of code, caption of a figure */
    const char *alt;           /* of a figure */
    bool drawn;                /* of a figure */
    struct document_text text; /* of a paragraph, an item or a note */
    struct document_table *table;
    struct document_block *next;
};

struct document {
    const char *title;
    struct document_block *first, *last;
    unsigned formats;
    struct document_text *open; /* what document_add goes on with */
    struct obstack memory;      /* all but columns and cells */
};

/* The first block that the format shows behind `before` (NULL: of the page), or NULL. A table without
 * rows is shown in data alone, and a terminal shows no figures. */
const struct document_block *document_next(const struct document *page,
                                           const struct document_block *before,
                                           enum document_format format);

/* The columns that the format shows; NULL ends them. The caller frees. */
const struct document_column **document_columns_shown(const struct document_table *table,
                                                      enum document_format format);

/* Rows of the table that the format shows. */
size_t document_rows_shown(const struct document_table *table, enum document_format format);

const struct document_cell *document_cell_at(const struct document_table *table, size_t row,
                                             const struct document_column *column);

/* The table of that id, or NULL. */
const struct document_table *document_find(const struct document *page, const char *id);

/* The words of all its spans. The caller frees. */
char *document_words(const struct document_text *text);

/* Whether all of the text is one span. */
bool document_is_one(const struct document_text *text);

/* A cell without text as people read it: its number laid out as its column says, or DOCUMENT_NOTHING for
 * one that is empty in a column of numbers. Of a ratio only the ratio: its interval, "" without one, is
 * put into `interval`. Returns text. */
enum { DOCUMENT_NUMBER_TEXT = 96 };
const char *document_number_text(const struct document_column *column,
                                 const struct document_cell *cell, char text[DOCUMENT_NUMBER_TEXT],
                                 char interval[DOCUMENT_NUMBER_TEXT]);

/* Stands right: a column of numbers. */
bool document_is_number(const struct document_column *column);

/* Adds a column as document_columns does, and returns it until the next is added. */
const struct document_column *document_column(struct document *page, const char *told);

/* How many of the folded sections that are open (bits, by level) end before the block (NULL: the end
 * of the page). They are then no longer open; the block is, where it is a folded section. */
int document_unfold(unsigned *open, const struct document_block *block);

/* A copy that the document owns, as utf8_clean makes it: text from outside may hold anything, or be
 * cut off inside a character. NULL stays NULL. */
const char *document_copy(struct document *page, const char *text);

/* Appends text from outside, and a text with marks. */
void document_put(struct document *page, struct document_text *text, const char *words);
void document_put_marked(struct document *page, struct document_text *text, const char *marked);

#endif
