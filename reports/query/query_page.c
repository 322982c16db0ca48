/* Answers as parts of a document: tables, facts and sentences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/words.h"
#include "reports/page/document_parts.h"
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

/* A column of the document: where in the answer its cells are, and what belongs to them. */
struct query_place {
    struct document_column column;
    int key, low, high, unrecorded, verdict;
};

/* The answer's column KEY and an ending, or -1. */
static int find_ending(sqlite3_stmt *answer, const char *key, const char *ending) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", key, ending);
    return query_find(answer, name);
}

/* Adds the column of that number. */
static struct query_place place_of(struct document *page, sqlite3_stmt *answer, int at) {
    struct query_place place = {.column = *document_column(page, sqlite3_column_name(answer, at)),
                                .key = at};
    const struct document_column *column = &place.column;
    const bool ends = column->type == DOCUMENT_RATIO || column->type == DOCUMENT_INTERVAL;
    place.low = !ends         ? -1
                : column->low ? query_find(answer, column->low)
                              : find_ending(answer, column->key, "_low");
    place.high = !ends          ? -1
                 : column->high ? query_find(answer, column->high)
                                : find_ending(answer, column->key, "_high");
    place.unrecorded = find_ending(answer, column->key, "_unrecorded");
    place.verdict = find_ending(answer, column->key, "_verdict");
    if (ends && (place.low < 0 || place.high < 0))
        refuse(answer, "ends of", column->key);
    return place;
}

static void put_cell(struct document *page, sqlite3_stmt *answer, const struct query_place *place) {
    const struct document_column *column = &place->column;
    const bool null = sqlite3_column_type(answer, place->key) == SQLITE_NULL;
    const char *text = text_at(answer, place->key);
    if (column->type == DOCUMENT_INTERVAL)
        document_ratio(page, NAN, number_at(answer, place->low), number_at(answer, place->high));
    else if (null)
        document_empty(page, column->unknown);
    else if (sqlite3_column_type(answer, place->key) == SQLITE_TEXT)
        (column->marked ? document_cell_marked : document_cell)(page, text);
    else
        document_ratio(page, number_at(answer, place->key), number_at(answer, place->low),
                       number_at(answer, place->high));
    if (column->faster && !null)
        document_mood(page, document_faster(text));
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
        *place = place_of(page, answer, i);
        const int heading = row ? find_ending(answer, place->column.key, "_heading") : -1;
        if (heading >= 0)
            document_heading(page, text_at(answer, heading));
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
    free(places);
}

/* A list of facts for each row: a caption, and facts by their names. */
static void put_facts(struct document *page, sqlite3_stmt *answer) {
    while (query_next(answer)) {
        document_facts(page, text_at(answer, 0));
        for (int i = 1; i < sqlite3_column_count(answer); i++)
            document_fact(page, sqlite3_column_name(answer, i), text_at(answer, i));
    }
}

/* A section of so many # with that id, folded where a + follows them. */
static void put_section(struct document *page, const char *head, const char *heading) {
    const int level = (int)strspn(head, "#");
    const bool folded = head[level] == '+';
    document_section(page, level, head + level + folded + 1, heading, folded);
}

static void say(struct document *page, sqlite3_stmt *answer, const char *kind, const char *text) {
    if (*kind == '#')
        put_section(page, kind, text);
    else if (strcmp(kind, "code") == 0)
        document_code(page, text);
    else if (strcmp(kind, "facts") == 0)
        document_facts(page, text);
    else if (strcmp(kind, "figure") == 0)
        document_figure(page, query_text(answer, "name"), text, query_text(answer, "caption"),
                        query_count(answer, "drawn") > 0);
    else if (strcmp(kind, "paragraph") == 0)
        document_paragraph(page, text);
    else if (strcmp(kind, "item") == 0)
        document_item(page, text);
    else if (strcmp(kind, "note") == 0 || strcmp(kind, "good") == 0 || strcmp(kind, "bad") == 0)
        document_note(page, document_faster(kind), text);
    else if (strcmp(kind, "more") == 0)
        document_add(page, text);
    else
        document_fact_marked(page, strcmp(kind, "fact") == 0 ? query_text(answer, "name") : kind,
                             text);
}

void query_say(struct document *page, sqlite3_stmt *answer) {
    while (query_next(answer)) {
        const char *text = query_text(answer, "text");
        if (*text)
            say(page, answer, query_text(answer, "kind"), text);
    }
}

/* A template that is being filled. */
struct filling {
    struct document *page;
    sqlite3 *db;
    const char *run;
    int left_out; /* conditions that do not hold, and those within them */
};

static _Noreturn void refuse_template(const char *what, const char *name) {
    error("internal: a template has no %s %s", what, name);
    exit(EXIT_TROUBLE);
}

static const char *find_query(const char *name) {
    for (size_t i = 0; i < QUERY_TEXTS; i++)
        if (strcmp(query_texts[i].name, name) == 0)
            return query_texts[i].sql;
    refuse_template("query", name);
}

/* The answer to a query that stands in the template, or that it names, with parameters after the run. */
static sqlite3_stmt *ask(const struct filling *filling, char *query) {
    const bool stands = strncmp(query, "SELECT ", strlen("SELECT ")) == 0;
    const char *sql = stands ? query : find_query(strsep(&query, " ")), *parameter = filling->run;
    sqlite3_stmt *answer = query_ask(filling->db, sql, NULL);
    for (int i = 1; i <= sqlite3_bind_parameter_count(answer); i++) {
        if (sqlite3_bind_text(answer, i, parameter, -1, SQLITE_TRANSIENT) != SQLITE_OK)
            query_fail(filling->db, sql);
        parameter = stands ? NULL : strsep(&query, " ");
    }
    return answer;
}

/* The id is the query's name, or stands behind `as`. */
static void fill_table(const struct filling *filling, char *query) {
    char *caption = strstr(query, " | "), id[64];
    if (caption)
        *caption = 0;
    char *as = strstr(query, " as ");
    if (as)
        *as = 0;
    const char *name = as ? as + strlen(" as ") : query;
    snprintf(id, sizeof id, "%.*s", (int)strcspn(name, " "), name);
    for (char *at = id; *at; at++)
        *at = *at == '_' ? '-' : *at;
    query_table(filling->page, id, caption ? caption + strlen(" | ") : NULL, ask(filling, query));
}

static void fill_only(struct document *page, char *list) {
    static const char *const names[] = {"markdown", "html", "terminal", "data", NULL};
    unsigned only = 0;
    for (const char *name; (name = strsep(&list, " "));)
        only |= 1U << words_find(names, name);
    document_only(page, only);
}

/* Pages show no more than people read: a whole release that does not compile would list every shape. */
static void fill_most(struct document *page, const char *where) {
    document_most(page, DOCUMENT_MARKDOWN, 50);
    document_most(page, DOCUMENT_HTML, 1000);
    document_where(page, where);
}

static void fill_shown(struct document *page, sqlite3_stmt *told) {
    while (query_next(told)) {
        document_most(page, DOCUMENT_MARKDOWN, query_count(told, "markdown"));
        document_most(page, DOCUMENT_TERMINAL, query_count(told, "terminal"));
        document_where(page, query_text(told, "text"));
    }
}

static void fill_folded(struct document *page, sqlite3_stmt *told) {
    while (query_next(told))
        document_fold(page, true, query_text(told, "text"));
}

static void fill_condition(struct filling *filling, char *query) {
    if (filling->left_out > 0 || !query_any(ask(filling, query)))
        filling->left_out++;
}

static void carry_out(struct filling *filling, char *line) {
    struct document *page = filling->page;
    const char *word = strsep(&line, " ");
    if (strcmp(word, "if") == 0)
        fill_condition(filling, line);
    else if (strcmp(word, "end") == 0)
        filling->left_out -= filling->left_out > 0;
    else if (filling->left_out > 0)
        return;
    else if (strcmp(word, "say") == 0)
        query_say(page, ask(filling, line));
    else if (strcmp(word, "table") == 0)
        fill_table(filling, line);
    else if (strcmp(word, "facts") == 0)
        put_facts(page, ask(filling, line));
    else if (strcmp(word, "only") == 0)
        fill_only(page, line);
    else if (strcmp(word, "fold") == 0)
        document_fold(page, false, line);
    else if (strcmp(word, "most") == 0)
        fill_most(page, line);
    else if (strcmp(word, "shown") == 0)
        fill_shown(page, ask(filling, line));
    else if (strcmp(word, "folded") == 0)
        fill_folded(page, ask(filling, line));
    else if (strcmp(word, "explain") == 0)
        unrecorded_explain(page);
    else
        refuse_template("command", word);
}

/* A line, and those after it that begin with a blank. */
static void fill_line(struct filling *filling, char *line) {
    char *head = line;
    if (*line == '{') {
        line[strlen(line) - 1] = 0;
        carry_out(filling, line + 1);
    } else if (filling->left_out > 0) {
        return;
    } else if (*line == '#') {
        line += strcspn(line, " ") + 1;
        line += strcspn(line, " ");
        *line = 0;
        put_section(filling->page, head, line + 1);
    } else {
        document_prose(filling->page, line);
    }
}

void query_fill(struct document *page, sqlite3 *db, const char *run, const char *template) {
    struct filling filling = {.page = page, .db = db, .run = run};
    char *text = need_copy(template), *end;
    for (char *line = text; *line; line = end) {
        for (end = line; *end && (*end != '\n' || end[1] == ' ');)
            end++;
        if (*end)
            *end++ = 0;
        if (*line)
            fill_line(&filling, line);
    }
    free(text);
}
