#include "reports/page/document_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/utf8.h"

/* A piece of memory of the document; the newest is the first. */
struct document_memory {
    struct document_memory *before;
    size_t size, used;
    max_align_t bytes[];
};

void *document_allocate(struct document *page, size_t size) {
    enum { PIECE = 65536, ALIGN = sizeof(max_align_t) };
    struct document_memory *memory = page->memory;
    const size_t wanted = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (!memory || memory->size - memory->used < wanted) {
        const size_t room = wanted > PIECE ? wanted : PIECE;
        memory = need(1, sizeof *memory + room);
        *memory = (struct document_memory){.before = page->memory, .size = room};
        page->memory = memory;
    }
    char *start = (char *)memory->bytes + memory->used;
    memory->used += wanted;
    return start;
}

void document_release(struct document *page) {
    while (page->memory) {
        struct document_memory *before = page->memory->before;
        free(page->memory);
        page->memory = before;
    }
}

const char *document_copy(struct document *page, const char *text) {
    char *clean = need(3 * strlen(text) + 1, 1);
    const size_t length = utf8_clean(text, clean);
    const char *copy = memcpy(document_allocate(page, length + 1), clean, length);
    free(clean);
    return copy;
}

void document_put(struct document *page, struct document_text *text, enum document_span_kind kind,
                  const char *words, const char *to) {
    struct document_span *span = document_allocate(page, sizeof *span);
    *span = (struct document_span){.kind = kind,
                                   .text = document_copy(page, words),
                                   .to = to ? document_copy(page, to) : NULL};
    if (text->last)
        text->last->next = span;
    else
        text->first = span;
    text->last = span;
}

/* What stands between two marks, as it grows. */
struct buffer {
    char *bytes;
    size_t used, most; /* most: that were used at any time */
};

static void append(struct buffer *buffer, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (buffer->used == buffer->most)
            buffer->bytes = need_more(buffer->bytes, buffer->most++, 1);
        buffer->bytes[buffer->used++] = bytes[i];
    }
}

/* A format of its own for one conversion. */
enum { ONE = 32, SHOWN = 512 };

/* The conversion at format, appended; returns what follows it. One that is not known is appended
 * as it stands. */
static const char *convert(struct buffer *buffer, const char *format, va_list *args) {
    char one[ONE], shown[SHOWN] = "";
    const size_t length = 1 + strspn(format + 1, "-+ #0123456789.lz");
    const char kind = format[length];
    if (kind == 0 || length + 2 > sizeof one) {
        append(buffer, format, 1);
        return format + 1;
    }
    memcpy(one, format, length + 1);
    one[length + 1] = 0;
    const bool size = strchr(one, 'z') != NULL, long_long = strstr(one, "ll") != NULL;
    if (kind == 's' && length == 1) { /* of any length */
        const char *text = va_arg(*args, const char *);
        append(buffer, text, strlen(text));
    } else if (kind == 's') {
        snprintf(shown, sizeof shown, one, va_arg(*args, const char *));
    } else if (strchr("gfe", kind)) {
        snprintf(shown, sizeof shown, one, va_arg(*args, double));
    } else if (kind == 'u' && size) {
        snprintf(shown, sizeof shown, one, va_arg(*args, size_t));
    } else if (kind == 'd' && long_long) {
        snprintf(shown, sizeof shown, one, va_arg(*args, long long));
    } else if (kind == 'u') {
        snprintf(shown, sizeof shown, one, va_arg(*args, unsigned));
    } else if (kind == 'd' || kind == 'c') {
        snprintf(shown, sizeof shown, one, va_arg(*args, int));
    } else {
        append(buffer, "%", kind == '%');
    }
    append(buffer, shown, strlen(shown));
    return format + length + 1;
}

/* The next `mark` that no backslash stands before, or NULL. */
static const char *find_mark(const char *format, const char *mark) {
    for (; *format; format++)
        if (*format == '\\' && format[1])
            format++;
        else if (strncmp(format, mark, strlen(mark)) == 0)
            return format;
    return NULL;
}

static const struct mark {
    const char *open, *close;
    enum document_span_kind kind;
} marks[] = {{"**", "**", DOCUMENT_SPAN_STRONG},
             {"*", "*", DOCUMENT_SPAN_EMPHASIS},
             {"`", "`", DOCUMENT_SPAN_CODE},
             {"[", "](", DOCUMENT_SPAN_LINK}};

/* The mark that opens at format and closes later, or NULL. */
static const struct mark *mark_at(const char *format) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(format, marks[i].open, strlen(marks[i].open)) == 0 &&
            find_mark(format + strlen(marks[i].open), marks[i].close))
            return &marks[i];
    return NULL;
}

/* Text up to `end` (NULL: all), its conversions carried out. */
static const char *take(struct buffer *buffer, const char *format, const char *end, va_list *args) {
    while (*format && (!end || format < end)) {
        if (!end && mark_at(format))
            break;
        if (*format == '%') {
            format = convert(buffer, format, args);
            continue;
        }
        format += *format == '\\' && format[1];
        append(buffer, format++, 1);
    }
    return format;
}

/* An empty span is left out. */
static void put_buffer(struct document *page, struct document_text *text,
                       enum document_span_kind kind, struct buffer *buffer, const char *to) {
    if (buffer->used == 0)
        return;
    append(buffer, "", 1);
    document_put(page, text, kind, buffer->bytes, to);
    buffer->used = 0;
}

void document_mark(struct document *page, struct document_text *text, const char *format,
                   va_list arguments) {
    struct buffer words = {0}, to = {0};
    va_list args;
    va_copy(args, arguments);
    while (*format) {
        const struct mark *mark = mark_at(format);
        if (!mark) {
            format = take(&words, format, NULL, &args);
            put_buffer(page, text, DOCUMENT_SPAN_TEXT, &words, NULL);
            continue;
        }
        format += strlen(mark->open);
        const char *close = find_mark(format, mark->close);
        take(&words, format, close, &args);
        format = close + strlen(mark->close);
        if (mark->kind == DOCUMENT_SPAN_LINK) {
            close = find_mark(format, ")");
            format = take(&to, format, close, &args);
            format += *format == ')';
            append(&to, "", 1);
        }
        put_buffer(page, text, mark->kind, &words,
                   mark->kind == DOCUMENT_SPAN_LINK ? to.bytes : NULL);
        to.used = 0;
    }
    free(words.bytes);
    free(to.bytes);
    va_end(args);
}
