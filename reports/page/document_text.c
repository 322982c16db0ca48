#include "reports/page/document_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
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
    char *words;
    size_t size;
    FILE *out = need_stream(&words, &size);
    for (const struct document_span *span = text->first; span; span = span->next)
        fputs(span->text, out);
    fclose(out);
    return words;
}

bool document_is_one(const struct document_text *text) {
    return text->first && !text->first->next;
}

/* Where a span of a kind begins, a character of Unicode's private use stands for its mark while a format
 * is printed: U+E000 and the kind. The address of a link is a span behind its words. */
#define BEGINS "\xee\x80"
enum { ADDRESS = DOCUMENT_SPAN_LINK + 1, BEGINS_BYTES = 3 };

static const struct mark {
    const char *open, *close;
} marks[] = {[DOCUMENT_SPAN_TEXT] = {"", ""},       [DOCUMENT_SPAN_CODE] = {"`", "`"},
             [DOCUMENT_SPAN_EMPHASIS] = {"*", "*"}, [DOCUMENT_SPAN_STRONG] = {"**", "**"},
             [DOCUMENT_SPAN_LINK] = {"[", "]("},    [ADDRESS] = {"](", ")"}};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the mark stands somewhere in the format, with no backslash before it. */
static bool has_mark(const char *format, const char *mark) {
    for (; *format; format++)
        if (*format == '\\' && format[1])
            format++;
        else if (begins(format, mark))
            return true;
    return false;
}

/* The kind of the span that a mark at the format begins and another ends later; 0: none. */
static int mark_at(const char *format) {
    for (int kind = DOCUMENT_SPAN_LINK; kind > DOCUMENT_SPAN_TEXT; kind--)
        if (begins(format, marks[kind].open) &&
            has_mark(format + strlen(marks[kind].open), marks[kind].close))
            return kind;
    return DOCUMENT_SPAN_TEXT;
}

/* The format with those characters for its marks, or without any. The caller frees. */
static char *take_marks(const char *format, bool begun) {
    char *plain = need(strlen(format) + 1, BEGINS_BYTES), *to = plain;
    int kind = DOCUMENT_SPAN_TEXT;
    while (*format) {
        const bool ends = kind && begins(format, marks[kind].close);
        const int next = ends   ? (kind == DOCUMENT_SPAN_LINK ? ADDRESS : DOCUMENT_SPAN_TEXT)
                         : kind ? kind
                                : mark_at(format);
        if (next != kind) {
            format += strlen(ends ? marks[kind].close : marks[next].open);
            kind = next;
            if (begun)
                to += sprintf(to, BEGINS "%c", 0x80 + kind);
            continue;
        }
        format += *format == '\\' && format[1];
        *to++ = *format++;
    }
    return plain;
}

static size_t count_begun(const char *text) {
    size_t count = 0;
    for (; (text = strstr(text, BEGINS)); text += BEGINS_BYTES)
        count++;
    return count;
}

/* What it prints, as a page can hold it. The caller frees. */
static char *print(const char *format, va_list args) {
    char *printed;
    size_t size;
    va_list again;
    FILE *out = need_stream(&printed, &size);
    va_copy(again, args);
    vfprintf(out, format, again);
    va_end(again);
    fclose(out);
    char *clean = need(3 * size + 1, 1);
    utf8_clean(printed, clean);
    free(printed);
    return clean;
}

/* The printed text as spans; an empty one is left out. */
static void split(struct document *page, struct document_text *text, const char *printed) {
    int kind = DOCUMENT_SPAN_TEXT;
    while (*printed) {
        const char *next = strstr(printed, BEGINS);
        const size_t length = next ? (size_t)(next - printed) : strlen(printed);
        if (length > 0) {
            const char *words = obstack_copy0(&page->memory, printed, length);
            if (kind != ADDRESS)
                add_span(page, text, (enum document_span_kind)kind)->text = words;
            else if (text->last) /* not of a link without words */
                text->last->to = words;
        }
        printed += length;
        if (next) {
            kind = (unsigned char)next[BEGINS_BYTES - 1] - 0x80;
            printed += BEGINS_BYTES;
        }
    }
}

void document_put_marked(struct document *page, struct document_text *text, const char *marked) {
    const bool foreign = count_begun(marked) > 0;
    char *begun = take_marks(marked, !foreign);
    if (foreign)
        document_put(page, text, begun);
    else
        split(page, text, document_copy(page, begun));
    free(begun);
}

void document_mark(struct document *page, struct document_text *text, const char *format,
                   va_list args) {
    char *begun = take_marks(format, true), *printed = print(begun, args);
    const bool ours = count_begun(printed) == count_begun(begun);
    if (ours) {
        split(page, text, printed);
    } else { /* what is inserted has such characters: it may begin nothing */
        free(begun);
        free(printed);
        begun = take_marks(format, false);
        printed = print(begun, args);
        document_put(page, text, printed);
    }
    free(begun);
    free(printed);
}
