/* Answers as parts of a document: tables, facts and sentences. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/query/query.h"

static _Noreturn void refuse(sqlite3_stmt *answer, const char *what, const char *name) {
    error("internal: the query has no %s %s: %s", what, name, sqlite3_sql(answer));
    exit(EXIT_TROUBLE);
}

static const char *text_at(sqlite3_stmt *answer, int at) {
    const char *text = at < 0 ? NULL : (const char *)sqlite3_column_text(answer, at);
    return text ? text : "";
}

static double number_at(sqlite3_stmt *answer, int at) {
    return at < 0 || sqlite3_column_type(answer, at) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(answer, at);
}

static const char *const types[] = {"text",        "code",     "count",   "number",
                                    "significant", "share",    "speedup", "seconds",
                                    "ratio",       "interval", "verdict", NULL};
static const char *const omits[] = {"", "same", "empty", "zero", "absent", NULL};
static const char *const formats[] = {"data", "files", "pages", "terminal", "wide", NULL};
static const unsigned format_bits[] = {
    DOCUMENT_DATA, DOCUMENT_MARKDOWN | DOCUMENT_HTML | DOCUMENT_DATA, DOCUMENT_PAGES,
    DOCUMENT_TERMINAL, DOCUMENT_MARKDOWN | DOCUMENT_HTML};

/* A word of how a column is shown. */
static bool take_word(const char *word, struct document_column *column) {
    const int type = words_find(types, word), omit = words_find(omits, word),
              format = words_find(formats, word);
    if (type >= 0)
        column->type = (enum document_type)type;
    else if (omit >= 0)
        column->omit = (enum document_omit)omit;
    else if (format >= 0)
        column->formats = format_bits[format];
    else if (isdigit((unsigned char)*word))
        column->digits = *word - '0';
    else if (strcmp(word, "faster") == 0)
        column->mood = document_faster;
    else if (strcmp(word, "unbroken") == 0)
        column->unbroken = true;
    else if (strcmp(word, "micro") == 0)
        column->scale = 1e6;
    else if (strcmp(word, "%") == 0)
        column->unit = " %";
    else
        return false;
    return true;
}

/* A column of the document: where in the answer its cells are, and what belongs to them. */
struct query_place {
    struct document_column column;
    char *words; /* of which the column's texts are parts */
    int key, low, high, unrecorded, verdict;
};

/* The answer's column KEY and an ending, or -1. */
static int find_ending(sqlite3_stmt *answer, const char *key, const char *ending) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", key, ending);
    return query_find(answer, name);
}

/* What the column of that name and number says of itself. */
static struct query_place place_of(sqlite3_stmt *answer, int at) {
    struct query_place place = {.key = at, .words = need_copy(sqlite3_column_name(answer, at))};
    struct document_column *column = &place.column;
    char *rest = place.words, *keys, *words, *word;
    column->name = strsep(&rest, "|");
    keys = strsep(&rest, "|");
    column->key = strsep(&keys, ",");
    column->low = strsep(&keys, ",");
    column->high = keys;
    words = strsep(&rest, "|");
    column->unknown = rest;
    while ((word = strsep(&words, " ")))
        if (!take_word(word, column))
            refuse(answer, "word", word);
    if (!*column->key)
        column->key = column->name;
    place.low =
        find_ending(answer, column->low ? column->low : column->key, column->low ? "" : "_low");
    place.high =
        find_ending(answer, column->high ? column->high : column->key, column->high ? "" : "_high");
    place.unrecorded = find_ending(answer, column->key, "_unrecorded");
    place.verdict = find_ending(answer, column->key, "_verdict");
    if ((column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL) &&
        (place.low < 0 || place.high < 0))
        refuse(answer, "ends of", column->key);
    return place;
}

static void put_cell(struct document *page, sqlite3_stmt *answer, const struct query_place *place) {
    const struct document_column *column = &place->column;
    const bool null = sqlite3_column_type(answer, place->key) == SQLITE_NULL;
    const char *text = text_at(answer, place->key);
    if (column->type == DOCUMENT_INTERVAL)
        document_interval(page, number_at(answer, place->low), number_at(answer, place->high));
    else if (null)
        document_empty(page, column->unknown);
    else if (sqlite3_column_type(answer, place->key) == SQLITE_TEXT)
        document_cell(page, text);
    else
        document_ratio(page, number_at(answer, place->key), number_at(answer, place->low),
                       number_at(answer, place->high));
    if (column->mood && !null)
        document_mood(page, column->mood(text));
    if (place->verdict >= 0)
        document_mood(page, document_faster(text_at(answer, place->verdict)));
    if (place->unrecorded >= 0 && !null)
        unrecorded_label(page, sqlite3_column_int(answer, place->unrecorded) != 0);
}

/* The columns of the table; their number. A heading that is to tell more is KEY_heading of the first row. */
static size_t put_columns(struct document *page, sqlite3_stmt *answer, bool row,
                          struct query_place *places) {
    size_t count = 0;
    for (int i = 0; i < sqlite3_column_count(answer); i++) {
        if (!strchr(sqlite3_column_name(answer, i), '|'))
            continue;
        struct query_place *place = &places[count++];
        *place = place_of(answer, i);
        const int heading = row ? find_ending(answer, place->column.key, "_heading") : -1;
        if (heading >= 0)
            place->column.name = text_at(answer, heading);
        document_column(page, place->column);
    }
    return count;
}

void query_table(struct document *page, const char *id, const char *caption, sqlite3_stmt *answer) {
    struct query_place *places = need((size_t)sqlite3_column_count(answer), sizeof *places);
    const int step = sqlite3_step(answer);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        query_fail(sqlite3_db_handle(answer), sqlite3_sql(answer));
    document_table(page, id, caption);
    const size_t count = put_columns(page, answer, step == SQLITE_ROW, places);
    for (bool row = step == SQLITE_ROW; row; row = query_next(answer)) {
        document_row(page);
        for (size_t i = 0; i < count; i++)
            put_cell(page, answer, &places[i]);
    }
    if (step == SQLITE_DONE)
        sqlite3_finalize(answer);
    for (size_t i = 0; i < count; i++)
        free(places[i].words);
    free(places);
}

void query_facts(struct document *page, const char *caption, sqlite3_stmt *answer, int first) {
    document_facts(page, caption);
    for (int i = first; i < sqlite3_column_count(answer); i++)
        document_fact(page, sqlite3_column_name(answer, i), text_at(answer, i));
}

/* Begins what the text is. */
static void begin(struct document *page, const char *kind) {
    if (strcmp(kind, "paragraph") == 0)
        document_paragraph(page, "%s", "");
    else if (strcmp(kind, "item") == 0)
        document_item(page, "%s", "");
    else if (strcmp(kind, "note") == 0)
        document_note(page, DOCUMENT_PLAIN, "%s", "");
    else if (strcmp(kind, "good") == 0)
        document_note(page, DOCUMENT_GOOD, "%s", "");
    else if (strcmp(kind, "bad") == 0)
        document_note(page, DOCUMENT_BAD, "%s", "");
    else if (strcmp(kind, "more") != 0)
        document_fact_marked(page, kind, "%s", "");
}

void query_say(struct document *page, sqlite3_stmt *answer) {
    while (query_next(answer)) {
        if (!*query_text(answer, "text"))
            continue;
        begin(page, query_text(answer, "kind"));
        document_add_marked(page, query_text(answer, "text"));
    }
}
