#include "reports/page/writers.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "reports/page/assets.h"
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
        const struct document_span *only = cell->text.first;
        if (column->type == DOCUMENT_CODE && only && !only->next)
            put_span(out, "code", only->text);
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
    const struct document_span *only = cell->text.first;
    if (cell->kind != DOCUMENT_CELL_TEXT || !only)
        return "";
    const size_t length = strlen(only->text);
    const bool spaced = strchr(only->text, ' ') != NULL;
    if (!only->next && !spaced)
        return length <= NAME && strchr(only->text, '-') ? " word" : "";
    return only->next || length >= SENTENCE ? " long" : "";
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

static void close_table(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

static void put_columns(FILE *out, const struct document_table *table) {
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct document_column *column = &table->columns[i];
        if (!document_shows(table, i, DOCUMENT_HTML))
            continue;
        fprintf(out, *column->name ? "<th scope=\"col\"%s>" : "<td%s>",
                document_is_number(column) ? " class=\"n\"" : "");
        put_escaped(out, column->name);
        fputs(*column->name ? "</th>" : "</td>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void put_row(FILE *out, const struct document_table *table, size_t row) {
    bool first = true;
    fputs("<tr>", out);
    for (size_t i = 0; i < table->column_count; i++)
        if (document_shows(table, i, DOCUMENT_HTML)) {
            put_cell(out, &table->columns[i], &table->cells[row * table->column_count + i], first);
            first = false;
        }
    fputs("</tr>\n", out);
}

/* The name of the first column that is shown. */
static const char *first_name(const struct document_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        if (document_shows(table, i, DOCUMENT_HTML))
            return table->columns[i].name;
    return "";
}

static void put_table(FILE *out, const struct document_table *table, const char *heading) {
    const size_t shown = document_rows_shown(table, DOCUMENT_HTML), more = table->row_count - shown;
    if (table->row_count == 0)
        return;
    if (table->fold.first) {
        fprintf(out, "<details%s><summary>", table->row_count > MANY ? "" : " open=\"open\"");
        put_text(out, &table->fold);
        fputs("</summary>\n", out);
    }
    open_table(out, table->caption, table->fold.first ? table->fold.first->text : heading,
               *first_name(table) != 0);
    put_columns(out, table);
    for (size_t row = 0; row < shown; row++)
        put_row(out, table, row);
    close_table(out);
    if (table->fold.first)
        fputs("</details>\n", out);
    if (more > 0) {
        fprintf(out, "<p>… and %zu more%s", more, table->where.first ? "; " : "");
        put_text(out, &table->where);
        fputs(".</p>\n", out);
    }
}

static void put_facts(FILE *out, const struct document_block *block, const char *heading) {
    if (!block->facts)
        return;
    open_table(out, block->words, heading, false);
    fputs("<tbody>\n", out);
    for (const struct document_fact *fact = block->facts; fact; fact = fact->next) {
        fputs("<tr><th scope=\"row\">", out);
        put_escaped(out, fact->name);
        fputs("</th><td>", out);
        put_text(out, &fact->value);
        fputs("</td></tr>\n", out);
    }
    close_table(out);
}

/* The whole file with a NUL, or NULL after error(). */
static char *read_text(const char *folder, const char *name) {
    char path[PATH_MAX], *text;
    size_t size;
    if (files_join(path, folder, name) < 0)
        return NULL;
    FILE *in = fopen(path, "r"), *out = need_stream(&text, &size);
    for (int c; in && (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(out);
    const bool failed = !in || ferror(in);
    if (in)
        fclose(in);
    if (!failed)
        return text;
    free(text);
    error("%s: cannot be read; run `gemmgate report` again", path);
    return NULL;
}

/* The body, with the prefix before each id and reference to one, and without titles: those of
 * gnuplot's plots are "gnuplot_plot_1a". */
static void put_body(FILE *out, const char *text, const char *end, size_t number) {
    static const char *const words[] = {" id='", " id=\"", "href='#", "url(#"}, title[] = "<title>";
    while (text < end) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && length == 0; i++)
            if (strncmp(text, words[i], strlen(words[i])) == 0)
                length = strlen(words[i]);
        const char *close =
            strncmp(text, title, strlen(title)) == 0 ? strstr(text, "</title>") : NULL;
        if (close) {
            text = close + strlen("</title>");
            continue;
        }
        fwrite(text, 1, length ? length : 1, out);
        if (length)
            fprintf(out, "f%zu-", number);
        text += length ? length : 1;
    }
}

/* gnuplot's picture as a part of the page: the svg element says `alt` to who cannot see. The number
 * tells the pictures of a page apart: ids get it. 0, or -1 after error(). */
static int put_picture(FILE *out, const char *folder, const char *picture, const char *alt,
                       size_t number) {
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.200s.svg", picture);
    char *text = read_text(folder, name);
    const char *box = text ? strstr(text, "viewBox=\"") : NULL;
    const char *canvas = text ? strstr(text, "<g id=\"gnuplot_canvas\">") : NULL;
    const char *end = canvas ? strstr(canvas, "</svg>") : NULL;
    if (!text)
        return -1;
    if (!box || box > canvas || !end) {
        free(text);
        return error("%s/%s: is no picture of gnuplot's", folder, name);
    }
    const int box_length = (int)strspn(box + 9, "0123456789. ");
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"%.*s\" role=\"img\" "
            "aria-labelledby=\"f%zu-title\"><title id=\"f%zu-title\">",
            box_length, box + 9, number, number);
    put_escaped(out, alt);
    fputs("</title>\n", out);
    put_body(out, canvas, end, number);
    fputs("</svg>", out);
    free(text);
    return 0;
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
            "aria-label=\"",
            number);
    put_escaped(out, block->alt);
    fputs("\">", out);
    if (put_picture(out, folder, block->name, block->alt, number) < 0)
        return -1;
    fputs("</div>\n<figcaption>", out);
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
        put_facts(out, block, state->heading);
        break;
    case DOCUMENT_KIND_TABLE:
        put_table(out, block->table, state->heading);
        break;
    case DOCUMENT_KIND_FIGURE:
        return put_figure(out, block, state->folder, ++state->figures);
    case DOCUMENT_KIND_RAW:
        fputs(block->words, out);
    }
    return 0;
}

static bool is_shown(const struct document_block *block) {
    return (block->formats & DOCUMENT_HTML) != 0;
}

/* The head, the title, and links to the sections. */
static void put_head(FILE *out, const struct document *page) {
    const char *first = NULL;
    size_t sections = 0;
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
          "<title>",
          out);
    put_escaped(out, page->title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", assets_page_css);
    for (const struct document_block *block = page->first; block; block = block->next)
        if (block->kind == DOCUMENT_KIND_SECTION && is_shown(block)) {
            first = first ? first : block->id;
            sections += block->level == 2;
        }
    const int level = sections > 1 ? 2 : 3; /* a page of one section is listed by its parts */
    fputs("<a class=\"skip\" href=\"#", out);
    put_escaped(out, first ? first : "");
    fputs("\">To the page</a>\n<header>\n<h1>", out);
    put_escaped(out, page->title);
    fputs("</h1>\n<nav aria-label=\"Contents\"><ul>\n", out);
    for (const struct document_block *block = page->first; block; block = block->next) {
        if (block->kind != DOCUMENT_KIND_SECTION || block->level > level || !is_shown(block))
            continue;
        fputs("<li><a href=\"#", out);
        put_escaped(out, block->id);
        fputs("\">", out);
        put_escaped(out, block->words);
        fputs("</a></li>\n", out);
    }
    fputs("</ul></nav>\n</header>\n<main>\n", out);
}

int write_html(FILE *out, const struct document *page, const char *folder) {
    struct state state = {.folder = folder};
    int status = 0;
    if (document_failed(page))
        return -1;
    state.heading = page->title;
    put_head(out, page);
    for (const struct document_block *block = page->first; block && status == 0;
         block = block->next)
        if (is_shown(block))
            status = put_block(out, block, &state);
    end_before(out, NULL, &state);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", assets_page_js);
    return status;
}
