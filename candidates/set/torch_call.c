#include "candidates/set/torch_call.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/base/text.h"

enum { MOST_DEPTH = 32, WORD = 64 };

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Where the word stands in text[0..end), or NULL. */
static const char *find_word(const char *text, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (const char *p = text; (p = memmem(p, (size_t)(end - p), word, length)); p += length)
        if ((p == text || !in_word(p[-1])) && !in_word(p[length]))
            return p;
    return NULL;
}

/* Blanks in the place of comments, of strings and of lines of the preprocessor. */
static void blank_out(char *text) {
    for (char *p = text; *p;) {
        const bool line = strncmp(p, "//", 2) == 0 || (*p == '#' && (p == text || p[-1] == '\n'));
        const bool comment = strncmp(p, "/*", 2) == 0;
        char *end = p + 1;
        if (line)
            while (*end && (*end != '\n' || (*p == '#' && end[-1] == '\\')))
                end++;
        else if (comment)
            end = (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
        else if (*p == '"')
            while (*end && *end++ != '"')
                end += end[-1] == '\\' && *end;
        else {
            p++;
            continue;
        }
        memset(p, ' ', (size_t)(end - p));
        p = end;
    }
}

/* Behind the bracket that closes the one at p, or the text's end. */
static const char *close_bracket(const char *p, const char *end) {
    int depth = 0;
    for (; p < end; p++) {
        depth += strchr("([{<", *p) != NULL;
        depth -= strchr(")]}>", *p) != NULL;
        if (depth == 0)
            return p + 1;
    }
    return end;
}

static void take_word(const char *begin, const char *end, char word[WORD]) {
    const size_t length = (size_t)(end - begin) < WORD ? (size_t)(end - begin) : WORD - 1;
    memcpy(word, begin, length);
    word[length] = 0;
}

/* The last word in front of p; *begin is its place. */
static void word_before(const char *text, const char *p, const char **begin, char word[WORD]) {
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    *begin = p;
    while (*begin > text && in_word((*begin)[-1]))
        --*begin;
    take_word(*begin, p, word);
}

/* What an expression has so far. */
struct writing {
    char *call;
    bool a, b, c, is_void;
};

static bool is_one_of(const char *name, const char *words) {
    const size_t length = strlen(name);
    for (const char *p = words; length > 0 && (p = strstr(p, name)); p++)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
            return true;
    return false;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Names are in small letters. mutable: the function may give it a value. */
static const char *tensor_argument(struct writing *writing, const char *name, bool is_mutable) {
    const bool out = is_mutable || is_one_of(name, "c d y o z out output result res dst ret") ||
                     text_begins(name, "out") || text_begins(name, "c_");
    if (out && !writing->c) {
        writing->c = true;
        return "tensor(c, m, n)";
    }
    if (!writing->a) {
        writing->a = true;
        return "tensor(a, m, k)";
    }
    if (strstr(name, "col"))
        return "tensor(b_col, k, n)";
    if (!writing->b) {
        writing->b = true;
        return ends_with(name, "_t") || is_one_of(name, "bt") || strstr(name, "trans")
                   ? "tensor(b_col, n, k)"
                   : "tensor(b_row, k, n)";
    }
    if (writing->is_void && !writing->c) {
        writing->c = true;
        return "tensor(c, m, n)";
    }
    return "?";
}

static const char *number_argument(const char *name) {
    static const char *const known[][2] = {{"m rows num_rows", "m"}, {"n cols num_cols", "n"},
                                           {"k inner", "k"},         {"lda", "k"},
                                           {"ldb ldc", "n"},         {"alpha", "one"},
                                           {"beta", "zero"},         {"transa transb", "false"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_one_of(name, known[i][0]))
            return known[i][1];
    return "?";
}

/* One parameter; false where it has a default value, as have all that follow. */
static bool add_argument(struct writing *writing, const char *begin, const char *end) {
    const char *tensor = find_word(begin, end, "Tensor"), *argument, *at;
    char name[WORD];
    if (memchr(begin, '=', (size_t)(end - begin)))
        return false;
    word_before(begin, end, &at, name);
    for (char *p = name; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    const bool is_mutable =
        tensor && memchr(tensor, '&', (size_t)(at - tensor)) && !find_word(begin, at, "const");
    if (find_word(begin, end, "optional"))
        argument = "{}";
    else if (tensor && find_word(begin, end, "vector"))
        argument = "?";
    else if (tensor)
        argument = tensor_argument(writing, name, is_mutable);
    else if (find_word(begin, end, "cudaStream_t"))
        argument = "stream";
    else
        argument = number_argument(name);
    text_append(writing->call, TORCH_CALL, "%s%s", ends_with(writing->call, "(") ? "" : ", ",
                argument);
    return true;
}

/* The expression for the function of that name, whose parameters stand between brackets. */
static void write_call(const char *name, const char *open, const char *close, bool is_void,
                       char call[TORCH_CALL]) {
    struct writing writing = {.call = call, .is_void = is_void};
    int depth = 0;
    const char *begin = open + 1;
    bool more = true;
    snprintf(call, TORCH_CALL, "%s(", name);
    for (const char *p = begin; p < close && more; p++) {
        if (depth == 0 && (*p == ',' || p == close - 1)) {
            more = add_argument(&writing, begin, p);
            begin = p + 1;
        }
        depth += strchr("([{<", *p) != NULL;
        depth -= strchr(")]}>", *p) != NULL;
    }
    text_append(call, TORCH_CALL, ")");
}

/* The text as it is read. */
struct scan {
    const char *text, *end;
    struct {
        const char *name;
        size_t length; /* of a namespace without a name 0 */
    } open[MOST_DEPTH];
    int depth, other; /* open brackets, and those among them that are of no namespace */
    const char *head; /* where the declaration in hand begins */
    int best;
};

static void open_brace(struct scan *scan, const char *p) {
    const char *space = find_word(scan->head, p, "namespace"), *at;
    char name[WORD];
    word_before(scan->head, p, &at, name);
    const bool is_namespace = (space && !memchr(space, '(', (size_t)(p - space))) ||
                              (find_word(scan->head, p, "extern") && *at == '{');
    if (scan->depth < MOST_DEPTH) {
        scan->open[scan->depth].name = at;
        scan->open[scan->depth].length =
            is_namespace && strcmp(name, "namespace") != 0 ? strlen(name) : 0;
    }
    scan->other += scan->other > 0 || !is_namespace;
    scan->depth++;
}

static void close_brace(struct scan *scan) {
    scan->depth -= scan->depth > 0;
    scan->other -= scan->other > 0;
}

/* Whether the source hands the function on by its address. */
static bool is_registered(const struct scan *scan, const char *name) {
    for (const char *p = scan->text; (p = find_word(p, scan->end, name)); p++) {
        const char *before = p;
        while (before > scan->text && (in_word(before[-1]) || before[-1] == ':'))
            before--;
        if (before > scan->text &&
            (before[-1] == '&' ||
             (before - scan->text > 9 && strncmp(before - 9, "TORCH_FN(", 9) == 0)))
            return true;
    }
    return false;
}

static void write_name(const struct scan *scan, const char *name, char text[TORCH_CALL]) {
    *text = 0;
    for (int i = 0; i < scan->depth && i < MOST_DEPTH; i++)
        if (scan->open[i].length > 0)
            text_append(text, TORCH_CALL, "%.*s::", (int)scan->open[i].length, scan->open[i].name);
    text_append(text, TORCH_CALL, "%s", name);
}

/* At a bracket: whether a function of two tensors is defined here that is better than those before.
 */
static void look_at(struct scan *scan, const char *open, char call[TORCH_CALL]) {
    const char *close = close_bracket(open, scan->end), *at, *body = close;
    const char *first = find_word(open, close, "Tensor");
    char name[WORD], full[TORCH_CALL];
    word_before(scan->head, open, &at, name);
    while (isspace((unsigned char)*body))
        body++;
    if (!*name || !first || !find_word(first + 1, close, "Tensor") ||
        (*body != '{' && *body != '-') || find_word(scan->head, at, "template") ||
        find_word(scan->head, at, "__global__"))
        return;
    const int score = is_registered(scan, name) ? 2 : 1;
    if (score < scan->best || (score == 2 && scan->best == 2))
        return;
    scan->best = score;
    write_name(scan, name, full);
    write_call(full, open, close, find_word(scan->head, at, "void") != NULL, call);
}

static void scan_functions(const char *text, char call[TORCH_CALL]) {
    struct scan scan = {.text = text, .end = text + strlen(text), .head = text};
    for (const char *p = text; *p; p++) {
        if (*p == '(' && scan.other == 0)
            look_at(&scan, p, call);
        else if (*p == '{')
            open_brace(&scan, p);
        else if (*p == '}')
            close_brace(&scan);
        if (strchr(";{}", *p))
            scan.head = p + 1;
    }
}

bool torch_call_propose(const char *source, char call[TORCH_CALL]) {
    static const char *const signs[] = {"torch/extension.h", "torch/all.h", "torch/torch.h",
                                        "torch::Tensor",     "at::Tensor",  "ATen/ATen.h"};
    bool is_torch = false;
    *call = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        is_torch |= strstr(source, signs[i]) != NULL;
    if (!is_torch || strstr(source, "gemmgate_kernel"))
        return false;
    char *text = need_copy(source);
    blank_out(text);
    scan_functions(text, call);
    free(text);
    return true;
}

bool torch_call_of_file(const char *path, char call[TORCH_CALL]) {
    struct file_bytes bytes;
    *call = 0;
    if (file_bytes_read(path, &bytes) < 0)
        return false;
    bytes.bytes[bytes.size] = 0; /* it has room for one more */
    const bool is_torch = torch_call_propose((const char *)bytes.bytes, call);
    file_bytes_free(&bytes);
    return is_torch;
}
