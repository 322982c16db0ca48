#include "reports/page/html_markdown.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/html_text.h"

enum { COLUMNS = 64, HEADING = 256 };

/* One character of text, escaped. A UTF-8 sequence is written as a whole. */
static const char *put_character(FILE *out, const char *text) {
    char one[5] = {*text};
    size_t length = 1;
    while (length < 4 && ((unsigned char)text[0] & 0xc0) == 0xc0 &&
           ((unsigned char)text[length] & 0xc0) == 0x80) {
        one[length] = text[length];
        length++;
    }
    html_text(out, one);
    return text + length;
}

/* The next `mark` that no backslash stands before, or NULL. */
static const char *find_mark(const char *text, const char *mark) {
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (strncmp(text, mark, strlen(mark)) == 0)
            return text;
    }
    return NULL;
}

static void put_inline(FILE *out, const char *text, const char *end);

/* [words](to) at text: writes it and returns what follows, or NULL where there is none. */
static const char *put_link(FILE *out, const char *text, const char *end) {
    const char *close = find_mark(text + 1, "](");
    const char *last = close ? strchr(close, ')') : NULL;
    char to[512];
    if (!last || last >= end || (size_t)(last - close) >= sizeof to)
        return NULL;
    memcpy(to, close + 2, (size_t)(last - close - 2));
    to[last - close - 2] = 0;
    fputs("<a href=\"", out);
    html_text(out, to);
    fputs("\">", out);
    put_inline(out, text + 1, close);
    fputs("</a>", out);
    return last + 1;
}

static void put_inline(FILE *out, const char *text, const char *end) {
    static const struct {
        const char *mark, *tag;
    } spans[] = {{"**", "strong"}, {"*", "em"}, {"`", "code"}};
    while (text < end) {
        const char *next = NULL;
        if (*text == '\\' && text + 1 < end) {
            text = put_character(out, text + 1);
            continue;
        }
        for (size_t i = 0; i < sizeof spans / sizeof *spans && !next; i++) {
            const size_t length = strlen(spans[i].mark);
            if (strncmp(text, spans[i].mark, length) != 0)
                continue;
            const char *close = find_mark(text + length, spans[i].mark);
            if (!close || close == text + length || close + length > end)
                continue;
            fprintf(out, "<%s>", spans[i].tag);
            put_inline(out, text + length, close);
            fprintf(out, "</%s>", spans[i].tag);
            next = close + length;
        }
        if (!next && *text == '[')
            next = put_link(out, text, end);
        text = next ? next : put_character(out, text);
    }
}

static void put_line(FILE *out, const char *text) {
    put_inline(out, text, text + strlen(text));
}

/* Cuts a row into its cells, without blanks around them. Returns how many. */
static size_t cut_row(char *line, char *cells[COLUMNS]) {
    size_t count = 0;
    for (char *start = line + 1; *start && count < COLUMNS;) {
        char *end = (char *)(uintptr_t)find_mark(start, "|");
        char *next = end ? end + 1 : start + strlen(start);
        if (!end)
            end = next;
        while (end > start && end[-1] == ' ')
            end--;
        *end = 0;
        start += strspn(start, " ");
        cells[count++] = start;
        start = next;
    }
    return count;
}

static bool is_rule(const char *line) {
    return line && *line == '|' && line[strspn(line, "|-: ")] == 0 && strchr(line, '-');
}

/* Takes the backslashes away, for names that are shown as they are. */
static void unescape(char *text) {
    char *to = text;
    for (; *text; *to++ = *text++)
        if (*text == '\\' && text[1])
            text++;
    *to = 0;
}

struct table_state {
    bool open;
    size_t columns;
    bool number[COLUMNS];
};

/* A header, which a rule follows. */
static void open_table(FILE *out, char *line, char *rule, const char *caption,
                       struct table_state *table) {
    char *names[COLUMNS], *rules[COLUMNS];
    struct html_column columns[COLUMNS];
    const size_t count = cut_row(line, names), ruled = cut_row(rule, rules);
    for (size_t i = 0; i < count; i++) {
        table->number[i] = i < ruled && strchr(rules[i], ':') != NULL;
        unescape(names[i]);
        columns[i] = (struct html_column){names[i], table->number[i]};
    }
    table->open = true;
    table->columns = count;
    html_table_open(out, caption, columns, count);
}

static void put_row(FILE *out, char *line, const struct table_state *table) {
    char *cells[COLUMNS];
    const size_t count = cut_row(line, cells);
    html_row_open(out);
    for (size_t i = 0; i < table->columns; i++) {
        const char *tag = i == 0 ? "th" : "td";
        fprintf(out, "<%s%s>", tag,
                i == 0             ? " scope=\"row\""
                : table->number[i] ? " class=\"n\""
                                   : "");
        put_line(out, i < count ? cells[i] : "");
        fprintf(out, "</%s>", tag);
    }
    html_row_close(out);
}

static char *next_line(char **rest) {
    char *line = *rest;
    if (!line || !*line)
        return NULL;
    *rest = strchr(line, '\n');
    if (*rest)
        *(*rest)++ = 0;
    return line;
}

static void put_heading(FILE *out, const char *line, int deeper, char heading[HEADING]) {
    int level = (int)strspn(line, "#");
    const char *text = line + level + strspn(line + level, " ");
    level += deeper;
    snprintf(heading, HEADING, "%s", text);
    unescape(heading);
    if (level <= 2)
        return;
    level = level > 6 ? 6 : level;
    fprintf(out, "<h%d>", level);
    put_line(out, text);
    fprintf(out, "</h%d>\n", level);
}

void html_markdown(FILE *out, char *text, int deeper) {
    enum { NOTHING, PARAGRAPH, LIST } open = NOTHING;
    static const char *const closes[] = {"", "</p>\n", "</ul>\n"};
    struct table_state table = {0};
    char heading[HEADING] = "", *rest = text, *line = next_line(&rest);
    for (char *after; line; line = after) {
        after = next_line(&rest);
        const bool header = !table.open && *line == '|' && is_rule(after),
                   row = header || (table.open && *line == '|'), item = strncmp(line, "- ", 2) == 0,
                   title = *line == '#';
        if (table.open && !row) {
            html_table_close(out);
            table.open = false;
        }
        if (open != NOTHING && (row || title || !*line || (open == PARAGRAPH) == item)) {
            fputs(closes[open], out);
            open = NOTHING;
        }
        if (title) {
            put_heading(out, line, deeper, heading);
        } else if (header) {
            open_table(out, line, after, heading, &table);
            after = next_line(&rest);
        } else if (row) {
            put_row(out, line, &table);
        } else if (item) {
            if (open != LIST)
                fputs("<ul>\n", out);
            open = LIST;
            fputs("<li>", out);
            put_line(out, line + 2);
            fputs("</li>\n", out);
        } else if (*line) {
            if (open != PARAGRAPH)
                fputs("<p>", out);
            open = PARAGRAPH;
            put_line(out, line);
            fputc('\n', out);
        }
    }
    if (table.open)
        html_table_close(out);
    fputs(closes[open], out);
}
