#include "reports/page/writers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/document_parts.h"

/* Nothing in it begins markup, ends a cell or a line, or calls somebody: an @ that stands apart, in
 * code, mentions nobody. */
static void put_plain(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '@') {
            fputs("<code>@</code>", out);
            continue;
        }
        if (strchr("\\|`*_<>[]#&~$", *text))
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

/* Between backquotes nothing means anything but a backquote, and in a cell a bar; text that has
 * one, or begins or ends with a blank, stands in HTML's code. In neither do GitHub and GitLab look
 * for mentions and references. */
static void put_code(FILE *out, const char *text) {
    const size_t length = strlen(text);
    if (length > 0 && !strpbrk(text, "`|\n\r\t") && text[0] != ' ' && text[length - 1] != ' ') {
        fprintf(out, "`%s`", text);
        return;
    }
    fputs("<code>", out);
    put_plain(out, text);
    fputs("</code>", out);
}

/* Blanks and parentheses would end it. */
static void put_link(FILE *out, const char *to) {
    for (; *to; to++)
        if (strchr("()<>\\|", *to) || (unsigned char)*to <= ' ')
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*to);
        else
            fputc(*to, out);
}

static void put_text(FILE *out, const struct document_text *text) {
    static const char *const marks[] = {
        [DOCUMENT_SPAN_TEXT] = "", [DOCUMENT_SPAN_EMPHASIS] = "*", [DOCUMENT_SPAN_STRONG] = "**"};
    for (const struct document_span *span = text->first; span; span = span->next)
        if (span->kind == DOCUMENT_SPAN_CODE) {
            put_code(out, span->text);
        } else if (span->kind == DOCUMENT_SPAN_LINK) {
            fputc('[', out);
            put_plain(out, span->text);
            fputs("](", out);
            put_link(out, span->to);
            fputc(')', out);
        } else {
            fputs(marks[span->kind], out);
            put_plain(out, span->text);
            fputs(marks[span->kind], out);
        }
}

static void put_cell(FILE *out, const struct document_column *column,
                     const struct document_cell *cell) {
    char text[DOCUMENT_NUMBER_TEXT], interval[DOCUMENT_NUMBER_TEXT];
    fputc(' ', out);
    if (cell->kind == DOCUMENT_CELL_TEXT) {
        if (column->type == DOCUMENT_CODE && document_is_one(&cell->text))
            put_code(out, cell->text.first->text);
        else
            put_text(out, &cell->text);
    } else {
        fputs(document_number_text(column, cell, text, interval), out);
        if (*interval)
            fprintf(out, " (%s)", interval);
        if (cell->kind == DOCUMENT_CELL_EMPTY && !document_is_number(column))
            fputs(DOCUMENT_NOTHING, out);
    }
    fputs(" |", out);
}

/* Facts have their caption for the name of the first column. */
static void put_columns(FILE *out, const struct document_block *block,
                        const struct document_column *const *columns) {
    const bool facts = block->kind == DOCUMENT_KIND_FACTS;
    const char *caption = facts ? block->table->caption : NULL;
    fputc('|', out);
    for (size_t i = 0; columns[i]; i++) {
        const char *name = i == 0 && caption ? caption : columns[i]->name;
        fputc(' ', out);
        put_plain(out, name);
        fputs(*name || (facts && i == 0) ? " |" : "|", out);
    }
    fputs("\n|", out);
    for (size_t i = 0; columns[i]; i++)
        fputs(document_is_number(columns[i]) ? " ---: |" : " --- |", out);
    fputc('\n', out);
}

static void put_rows(FILE *out, const struct document_block *block, size_t shown) {
    const struct document_column **columns =
        document_columns_shown(block->table, DOCUMENT_MARKDOWN);
    put_columns(out, block, columns);
    for (size_t row = 0; row < shown; row++) {
        fputc('|', out);
        for (size_t i = 0; columns[i]; i++)
            put_cell(out, columns[i], document_cell_at(block->table, row, columns[i]));
        fputc('\n', out);
    }
    free(columns);
}

static void put_where(FILE *out, const struct document_table *table, size_t shown) {
    const size_t more = table->row_count - shown;
    if (more == 0)
        return;
    fprintf(out, "\n… and %zu more%s", more, table->where.first ? "; " : ".\n");
    if (table->where.first) {
        put_text(out, &table->where);
        fputs(".\n", out);
    }
}

static void put_table(FILE *out, const struct document_block *block) {
    const struct document_table *table = block->table;
    const size_t shown = document_rows_shown(table, DOCUMENT_MARKDOWN);
    if (table->fold_everywhere) {
        fputs("<details><summary>", out);
        put_text(out, &table->fold);
        fputs("</summary>\n\n", out);
    }
    if (table->caption && block->kind == DOCUMENT_KIND_TABLE) {
        fputs("**", out);
        put_plain(out, table->caption);
        fputs("**\n\n", out);
    }
    put_rows(out, block, shown);
    put_where(out, table, shown);
    if (table->fold_everywhere)
        fputs("\n</details>\n", out);
}

static void put_figure(FILE *out, const struct document_block *block) {
    fputs(block->drawn ? "![" : "*Not drawn; `gemmgate report` says why: ", out);
    put_plain(out, block->alt);
    if (block->drawn) {
        fputs("](", out);
        put_link(out, block->id);
        fputs(".png)\n", out);
    } else {
        fputs("*\n", out);
    }
}

/* Between fences longer than any run of backquotes inside. */
static void put_lines(FILE *out, const char *text) {
    size_t longest = 2;
    for (const char *at = text; *(at += strcspn(at, "`"));) {
        const size_t run = strspn(at, "`");
        longest = run > longest ? run : longest;
        at += run;
    }
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i <= longest; i++)
            fputc('`', out);
        fputc('\n', out);
        if (!end)
            fprintf(out, "%s\n", text);
    }
}

static void put_block(FILE *out, const struct document_block *block) {
    switch (block->kind) {
    case DOCUMENT_KIND_SECTION:
        for (int i = 0; i < block->level; i++)
            fputc('#', out);
        fputc(' ', out);
        put_plain(out, block->words);
        fputs(block->folded ? "\n\n<details><summary>Show</summary>\n" : "\n", out);
        break;
    case DOCUMENT_KIND_ITEM:
        fputs("- ", out);
        put_text(out, &block->text);
        fputc('\n', out);
        break;
    case DOCUMENT_KIND_PARAGRAPH:
    case DOCUMENT_KIND_NOTE:
        put_text(out, &block->text);
        fputc('\n', out);
        break;
    case DOCUMENT_KIND_PRE:
        put_lines(out, block->words);
        break;
    case DOCUMENT_KIND_FACTS:
    case DOCUMENT_KIND_TABLE:
        put_table(out, block);
        break;
    case DOCUMENT_KIND_FIGURE:
        put_figure(out, block);
    }
}

static void end_folds(FILE *out, int count) {
    while (count-- > 0)
        fputs("</details>\n\n", out);
}

int write_markdown(FILE *out, const struct document *page) {
    const struct document_block *before = NULL, *block;
    unsigned folds = 0;
    if (*page->title) {
        fputs("# ", out);
        put_plain(out, page->title);
        fputs("\n\n", out);
    }
    for (; (block = document_next(page, before, DOCUMENT_MARKDOWN)); before = block) {
        if (before && !(before->kind == DOCUMENT_KIND_ITEM && block->kind == DOCUMENT_KIND_ITEM))
            fputc('\n', out);
        end_folds(out, document_unfold(&folds, block));
        put_block(out, block);
    }
    if (folds)
        fputc('\n', out);
    end_folds(out, document_unfold(&folds, NULL));
    return 0;
}
