#include "reports/page/document_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"

const char *document_copy(struct document *page, const char *text) {
    if (!text)
        return NULL;
    char *clean = need(3 * strlen(text) + 1, 1);
    const size_t length = utf8_clean(text, clean);
    const char *copy = obstack_copy0(&page->memory, clean, length);
    free(clean);
    return copy;
}

static struct document_span *add_span(struct document *page, struct document_text *text,
                                      enum document_span_kind kind) {
    struct document_span *span = obstack_alloc(&page->memory, sizeof *span);
    *span = (struct document_span){.kind = kind, .to = ""};
    if (text->last)
        text->last->next = span;
    else
        text->first = span;
    return text->last = span;
}

void document_put(struct document *page, struct document_text *text, const char *words) {
    if (*words)
        add_span(page, text, DOCUMENT_SPAN_TEXT)->text = document_copy(page, words);
}

char *document_words(const struct document_text *text) {
    size_t length = 0;
    for (const struct document_span *span = text->first; span; span = span->next)
        length += strlen(span->text);
    char *words = need(length + 1, 1), *end = words;
    for (const struct document_span *span = text->first; span; span = span->next)
        end = stpcpy(end, span->text);
    return words;
}

bool document_is_one(const struct document_text *text) {
    return text->first && !text->first->next;
}

static const struct mark {
    const char *open, *close;
} marks[] = {[DOCUMENT_SPAN_TEXT] = {"", ""},
             [DOCUMENT_SPAN_CODE] = {"`", "`"},
             [DOCUMENT_SPAN_EMPHASIS] = {"*", "*"},
             [DOCUMENT_SPAN_STRONG] = {"**", "**"},
             [DOCUMENT_SPAN_LINK] = {"[", "]("}};

/* Whether the mark stands somewhere in the text, with no backslash before it. */
static bool has_mark(const char *text, const char *mark) {
    for (; *text; text++)
        if (*text == '\\' && text[1])
            text++;
        else if (text_begins(text, mark))
            return true;
    return false;
}

/* The kind of the span that a mark at the text begins and another ends later. */
static enum document_span_kind mark_at(const char *text) {
    int kind = DOCUMENT_SPAN_LINK;
    while (kind > DOCUMENT_SPAN_TEXT &&
           !(text_begins(text, marks[kind].open) &&
             has_mark(text + strlen(marks[kind].open), marks[kind].close)))
        kind--;
    return (enum document_span_kind)kind;
}

/* Copies what stands before the mark, or before the next span where the mark is "", without
 * backslashes. Returns what follows the mark. */
static const char *take_words(const char *text, const char *mark, char *words) {
    while (*text && !(*mark ? text_begins(text, mark) : mark_at(text) != DOCUMENT_SPAN_TEXT)) {
        text += *text == '\\' && text[1];
        *words++ = *text++;
    }
    *words = 0;
    return *text ? text + strlen(mark) : text;
}

/* A span without words is left out. */
void document_put_marked(struct document *page, struct document_text *text, const char *marked) {
    const char *at = document_copy(page, marked);
    char *words = need(strlen(at) + 1, 1);
    while (*at) {
        const enum document_span_kind kind = mark_at(at);
        at = take_words(at + strlen(marks[kind].open), marks[kind].close, words);
        struct document_span *span = *words ? add_span(page, text, kind) : NULL;
        if (span)
            span->text = obstack_copy0(&page->memory, words, strlen(words));
        if (kind == DOCUMENT_SPAN_LINK)
            at = take_words(at, ")", words);
        if (span && kind == DOCUMENT_SPAN_LINK)
            span->to = obstack_copy0(&page->memory, words, strlen(words));
    }
    free(words);
}
