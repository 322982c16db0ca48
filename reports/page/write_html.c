#include "reports/page/writers.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/page/document_parts.h"

/* A table with more rows is folded away at first. */
enum { MANY = 40 };

/* Characters: so many of a name stay on one line, and so many with a space are a sentence. */
enum { NAME = 32, SENTENCE = 28 };

static const char *const moods[] = {
    [DOCUMENT_PLAIN] = "", [DOCUMENT_GOOD] = " good", [DOCUMENT_BAD] = " bad"};

/* The one way by which text gets into a page: nothing in it can begin markup or end an attribute. */
static void put_escaped(FILE *out, const char *text) {
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(entities[at - special], out);
        else
            fputc(*text, out);
    }
}

static void put_span(FILE *out, const char *tag, const char *text) {
    fprintf(out, "<%s>", tag);
    put_escaped(out, text);
    fprintf(out, "</%s>", tag);
}

static void put_text(FILE *out, const struct document_text *text) {
    static const char *const tags[] = {[DOCUMENT_SPAN_CODE] = "code",
                                       [DOCUMENT_SPAN_EMPHASIS] = "em",
                                       [DOCUMENT_SPAN_STRONG] = "strong"};
    for (const struct document_span *span = text->first; span; span = span->next)
        if (span->kind == DOCUMENT_SPAN_TEXT) {
            put_escaped(out, span->text);
        } else if (span->kind == DOCUMENT_SPAN_LINK) {
            fputs("<a href=\"", out);
            put_escaped(out, span->to);
            fputs("\">", out);
            put_escaped(out, span->text);
            fputs("</a>", out);
        } else {
            put_span(out, tags[span->kind], span->text);
        }
}

/* What stands in a cell. */
static void put_content(FILE *out, const struct document_column *column,
                        const struct document_cell *cell) {
    char text[DOCUMENT_NUMBER_TEXT], interval[DOCUMENT_NUMBER_TEXT];
    if (cell->kind == DOCUMENT_CELL_TEXT) {
        if (column->type == DOCUMENT_CODE && document_is_one(&cell->text))
            put_span(out, "code", cell->text.first->text);
        else
            put_text(out, &cell->text);
        return;
    }
    put_escaped(out, document_number_text(column, cell, text, interval));
    if (*interval)
        fprintf(out, " <small>%s</small>", interval);
}

/* How a cell's text may be broken into lines: a name with hyphens in no place, a sentence not after
 * each word. */
static const char *room_of(const struct document_cell *cell) {
    if (cell->kind != DOCUMENT_CELL_TEXT || !cell->text.first)
        return "";
    const char *text = cell->text.first->text;
    const bool one = document_is_one(&cell->text);
    if (one && !strchr(text, ' '))
        return strlen(text) <= NAME && strchr(text, '-') ? " word" : "";
    return !one || strlen(text) >= SENTENCE ? " long" : "";
}

/* The first of a row says what the row is about. */
static void put_cell(FILE *out, const struct document_column *column,
                     const struct document_cell *cell, bool first) {
    const char *number = document_is_number(column) ? " n" : room_of(cell),
               *mood = moods[cell->mood];
    fputs(first ? "<th scope=\"row\"" : "<td", out);
    if (*number || *mood) {
        char classes[32];
        snprintf(classes, sizeof classes, "%s%s", number, mood);
        fprintf(out, " class=\"%s\"", classes + 1);
    }
    if (cell->kind == DOCUMENT_CELL_EMPTY && cell->text.first) {
        fputs(" title=\"", out);
        put_escaped(out, cell->text.first->text);
        fputc('"', out);
    }
    fputc('>', out);
    put_content(out, column, cell);
    fputs(first ? "</th>" : "</td>", out);
}

/* A caption that says what stands above the table is for readers who do not see. */
static void open_table(FILE *out, const char *caption, const char *above, bool sortable) {
    const char *name = caption ? caption : above;
    fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
    put_escaped(out, name);
    fprintf(out, "\"><table class=\"%s%s\"><caption>", sortable ? "sortable" : "plain",
            strcmp(name, above) == 0 ? " bare" : "");
    put_escaped(out, name);
    fputs("</caption>\n", out);
}

/* Facts have no names of columns. */
static void put_columns(FILE *out, const struct document_column *const *columns) {
    fputs("<thead><tr>", out);
    for (; *columns; columns++) {
        const char *name = (*columns)->name;
        fprintf(out, *name ? "<th scope=\"col\"%s>" : "<td%s>",
                document_is_number(*columns) ? " class=\"n\"" : "");
        put_escaped(out, name);
        fputs(*name ? "</th>" : "</td>", out);
    }
    fputs("</tr></thead>\n", out);
}

static void put_rows(FILE *out, const struct document_block *block, const char *name,
                     size_t shown) {
    const struct document_table *table = block->table;
    const bool facts = block->kind == DOCUMENT_KIND_FACTS;
    const struct document_column **columns = document_columns_shown(table, DOCUMENT_HTML);
    open_table(out, table->caption, name, !facts && *columns && *(*columns)->name);
    if (!facts)
        put_columns(out, columns);
    fputs("<tbody>\n", out);
    for (size_t row = 0; row < shown; row++) {
        fputs("<tr>", out);
        for (size_t i = 0; columns[i]; i++)
            put_cell(out, columns[i], document_cell_at(table, row, columns[i]), i == 0);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    free(columns);
}

static void put_table(FILE *out, const struct document_block *block, const char *heading) {
    const struct document_table *table = block->table;
    const struct document_span *fold = table->fold.first;
    const size_t shown = document_rows_shown(table, DOCUMENT_HTML), more = table->row_count - shown;
    if (fold) {
        fprintf(out, "<details%s><summary>", table->row_count > MANY ? "" : " open=\"open\"");
        put_text(out, &table->fold);
        fputs("</summary>\n", out);
    }
    put_rows(out, block, fold ? fold->text : heading, shown);
    if (fold)
        fputs("</details>\n", out);
    if (more > 0) {
        fprintf(out, "<p>… and %zu more%s", more, table->where.first ? "; " : "");
        put_text(out, &table->where);
        fputs(".</p>\n", out);
    }
}

/* A picture as the address of an image: what an attribute or an address cannot hold is told by its code. */
static void put_address(FILE *out, FILE *picture) {
    fputs("data:image/svg+xml,", out);
    for (int c; (c = getc(picture)) != EOF;)
        if (strchr("%#<>&\"\n", c))
            fprintf(out, "%%%02X", (unsigned)c);
        else
            fputc(c, out);
}

/* gnuplot's picture as a part of the page. 0, or -1 after error(). */
static int put_picture(FILE *out, const char *folder, const char *name) {
    char path[PATH_MAX], file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%.200s.svg", name);
    FILE *in = files_join(path, folder, file) < 0 ? NULL : fopen(path, "r");
    if (in)
        put_address(out, in);
    const bool whole = in && !ferror(in);
    if (in)
        fclose(in);
    return whole ? 0 : error("%s/%s: cannot be read; run `gemmgate report` again", folder, file);
}

static int put_figure(FILE *out, const struct document_block *block, const char *folder,
                      size_t number) {
    if (!block->drawn) {
        fputs("<p><em>Not drawn; <code>gemmgate report</code> says why: ", out);
        put_escaped(out, block->alt);
        fputs(".</em></p>\n", out);
        return 0;
    }
    fprintf(out,
            "<figure id=\"figure-%zu\">\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
            "aria-label=\"Figure %zu\"><img alt=\"",
            number, number);
    put_escaped(out, block->alt);
    fputs("\" src=\"", out);
    if (put_picture(out, folder, block->id) < 0)
        return -1;
    fputs("\"/></div>\n<figcaption>", out);
    put_escaped(out, block->words);
    fputs(".</figcaption>\n</figure>\n", out);
    return 0;
}

static void put_section(FILE *out, const struct document_block *block) {
    fputs(block->folded ? "<details class=\"part\"><summary>" : "", out);
    fprintf(out, "<h%d id=\"", block->level);
    put_escaped(out, block->id);
    fputs("\">", out);
    put_escaped(out, block->words);
    fprintf(out, "</h%d>%s\n", block->level, block->folded ? "</summary>" : "");
}

/* A page that is being written. */
struct state {
    const char *folder, *heading;
    size_t figures;
    bool in_list;
    unsigned folds; /* document_unfold */
};

/* Ends the list and the folded sections that do not go on with the block (NULL: the page ends). */
static void end_before(FILE *out, const struct document_block *block, struct state *state) {
    const bool item = block && block->kind == DOCUMENT_KIND_ITEM;
    if (item != state->in_list)
        fputs(item ? "<ul>\n" : "</ul>\n", out);
    state->in_list = item;
    for (int ended = document_unfold(&state->folds, block); ended > 0; ended--)
        fputs("</details>\n", out);
}

static int put_block(FILE *out, const struct document_block *block, struct state *state) {
    end_before(out, block, state);
    switch (block->kind) {
    case DOCUMENT_KIND_SECTION:
        state->heading = block->words;
        put_section(out, block);
        break;
    case DOCUMENT_KIND_PARAGRAPH:
        fputs("<p>", out);
        put_text(out, &block->text);
        fputs("</p>\n", out);
        break;
    case DOCUMENT_KIND_ITEM:
        fputs("<li>", out);
        put_text(out, &block->text);
        fputs("</li>\n", out);
        break;
    case DOCUMENT_KIND_NOTE:
        fprintf(out, "<div class=\"verdict%s\">\n<p>", moods[block->mood]);
        put_text(out, &block->text);
        fputs("</p>\n</div>\n", out);
        break;
    case DOCUMENT_KIND_PRE:
        fputs("<pre><code>", out);
        put_escaped(out, block->words);
        fputs("</code></pre>\n", out);
        break;
    case DOCUMENT_KIND_FACTS:
    case DOCUMENT_KIND_TABLE:
        put_table(out, block, state->heading);
        break;
    case DOCUMENT_KIND_FIGURE:
        return put_figure(out, block, state->folder, ++state->figures);
    }
    return 0;
}

/* The next section behind `before`, of that level at most. */
static const struct document_block *next_section(const struct document *page,
                                                 const struct document_block *before, int level) {
    do
        before = document_next(page, before, DOCUMENT_HTML);
    while (before && (before->kind != DOCUMENT_KIND_SECTION || before->level > level));
    return before;
}

static void put_contents(FILE *out, const struct document *page) {
    const struct document_block *first = next_section(page, NULL, 2);
    const int level = first && next_section(page, first, 2) ? 2 : 3; /* of one section: its parts */
    fputs("<nav aria-label=\"Contents\"><ul>\n", out);
    for (const struct document_block *block = NULL; (block = next_section(page, block, level));) {
        fputs("<li><a href=\"#", out);
        put_escaped(out, block->id);
        fputs("\">", out);
        put_escaped(out, block->words);
        fputs("</a></li>\n", out);
    }
    fputs("</ul></nav>\n", out);
}

/* The head, the title, and links to the sections. */
static void put_head(FILE *out, const struct document *page) {
    const struct document_block *first = next_section(page, NULL, DOCUMENT_LEVELS);
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
        "<title>",
        out);
    put_escaped(out, page->title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#",
            assets_page_css);
    put_escaped(out, first ? first->id : "");
    fputs("\">To the page</a>\n<header>\n<h1>", out);
    put_escaped(out, page->title);
    fputs("</h1>\n", out);
    put_contents(out, page);
    fputs("</header>\n<main>\n", out);
}

int write_html(FILE *out, const struct document *page, const char *folder) {
    struct state state = {.folder = folder, .heading = page->title};
    int status = 0;
    put_head(out, page);
    for (const struct document_block *block = NULL;
         status == 0 && (block = document_next(page, block, DOCUMENT_HTML));)
        status = put_block(out, block, &state);
    end_before(out, NULL, &state);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", assets_page_js);
    return status;
}
