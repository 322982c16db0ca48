/* One pass over the text parses and evaluates. A part that is not needed is read with `dead` set:
 * then its names and brackets count and its values do not. */
#include "candidates/recipe/expression.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_DEPTH 64

struct reader {
    const char *at;
    const struct expression_scope *scope;
    int dead;  /* how many parts around this place are not needed */
    int depth; /* of brackets and operators inside each other */
    bool failed;
    char *why;
};

/* The first reason is kept. Returns 0, a value as good as any. */
static int64_t fail(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int64_t fail(struct reader *reader, const char *format, ...) {
    va_list arguments;
    if (reader->failed)
        return 0;
    reader->failed = true;
    va_start(arguments, format);
    vsnprintf(reader->why, EXPRESSION_WHY, format, arguments);
    va_end(arguments);
    return 0;
}

static void skip_blanks(struct reader *reader) {
    reader->at += strspn(reader->at, " \t\n");
}

/* Whether the mark comes next, which is then read. */
static bool take(struct reader *reader, const char *mark) {
    const size_t length = strlen(mark);
    skip_blanks(reader);
    if (reader->failed || strncmp(reader->at, mark, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static void need(struct reader *reader, const char *mark) {
    if (take(reader, mark) || reader->failed)
        return;
    if (*reader->at)
        fail(reader, "has '%.20s' where '%s' is wanted", reader->at, mark);
    else
        fail(reader, "ends where '%s' is wanted", mark);
}

static int64_t too_large(struct reader *reader) {
    return reader->dead ? 0 : fail(reader, "gives a number that 64 bits do not hold");
}

static int64_t divide(struct reader *reader, int64_t a, int64_t b) {
    if (reader->dead)
        return 0;
    if (b == 0)
        return fail(reader, "divides by zero");
    return a == INT64_MIN && b == -1 ? too_large(reader) : a / b;
}

static int64_t remainder_of(struct reader *reader, int64_t a, int64_t b) {
    const int64_t quotient = divide(reader, a, b);
    return reader->dead || reader->failed ? 0 : a - quotient * b;
}

static int64_t multiply(struct reader *reader, int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? too_large(reader) : product;
}

static int64_t add(struct reader *reader, int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? too_large(reader) : sum;
}

static int64_t subtract(struct reader *reader, int64_t a, int64_t b) {
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? too_large(reader) : difference;
}

static bool is_shift(struct reader *reader, int64_t places) {
    if (reader->dead)
        return false;
    if (places < 0 || places > 63)
        fail(reader, "shifts by %" PRId64 " places", places);
    return !reader->failed;
}

static int64_t shift_left(struct reader *reader, int64_t a, int64_t places) {
    if (!is_shift(reader, places))
        return 0;
    return places == 63 ? (a == 0 ? 0 : too_large(reader))
                        : multiply(reader, a, INT64_C(1) << places);
}

/* As an arithmetic shift does, whatever the compiler's would. */
static int64_t shift_right(struct reader *reader, int64_t a, int64_t places) {
    if (!is_shift(reader, places))
        return 0;
    return a >= 0 ? a >> places : ~(~a >> places);
}

static int64_t ceil_div(struct reader *reader, int64_t a, int64_t b) {
    const int64_t quotient = divide(reader, a, b);
    if (reader->dead || reader->failed)
        return 0;
    return quotient + (a % b != 0 && (a < 0) == (b < 0));
}

static int64_t read_choice(struct reader *reader);

/* Arguments of a function, behind its bracket. */
static int64_t read_call(struct reader *reader, const char *name, size_t length) {
    static const char *const functions[] = {"ceil_div", "round_up", "min", "max"};
    enum { CEIL_DIV, ROUND_UP, MIN, MAX, FUNCTIONS };
    int function = 0, count = 1;
    while (function < FUNCTIONS && (strlen(functions[function]) != length ||
                                    strncmp(functions[function], name, length) != 0))
        function++;
    if (function == FUNCTIONS)
        return fail(reader, "calls '%.*s'; there are ceil_div, round_up, min and max",
                    (int)(length < 40 ? length : 40), name);
    int64_t value = read_choice(reader);
    while (take(reader, ",")) {
        const int64_t next = read_choice(reader);
        count++;
        if (function == MIN || function == MAX)
            value = (function == MIN) == (next < value) ? next : value;
        else if (count == 2)
            value = function == CEIL_DIV ? ceil_div(reader, value, next)
                                         : multiply(reader, ceil_div(reader, value, next), next);
    }
    need(reader, ")");
    if (count < 2 || (count > 2 && function <= ROUND_UP))
        return fail(reader, "gives %s %d arguments, which takes two%s", functions[function], count,
                    function <= ROUND_UP ? "" : " or more");
    return value;
}

static int64_t read_name(struct reader *reader) {
    const char *name = reader->at;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    reader->at += length;
    if (take(reader, "("))
        return read_call(reader, name, length);
    for (int i = 0; i < reader->scope->count; i++)
        if (strlen(reader->scope->list[i].name) == length &&
            strncmp(reader->scope->list[i].name, name, length) == 0)
            return reader->scope->list[i].value;
    return fail(reader, "names '%.*s', which is not there", (int)(length < 40 ? length : 40), name);
}

static int64_t read_number(struct reader *reader) {
    const bool hexadecimal = reader->at[0] == '0' && tolower((unsigned char)reader->at[1]) == 'x';
    static const char digits[] = "0123456789abcdef";
    const int base = hexadecimal ? 16 : 10;
    const char *found;
    int64_t value = 0;
    int count = 0;
    reader->at += hexadecimal ? 2 : 0;
    while (*reader->at && (found = strchr(digits, tolower((unsigned char)*reader->at))) &&
           found - digits < base) {
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, found - digits, &value))
            return fail(reader, "has a number that 64 bits do not hold");
        reader->at++;
        count++;
    }
    if (count == 0 || isalnum((unsigned char)*reader->at) || *reader->at == '_')
        return fail(reader, "has a number that ends in '%.20s'", reader->at);
    return value;
}

static int64_t read_primary(struct reader *reader) {
    if (take(reader, "(")) {
        const int64_t value = read_choice(reader);
        need(reader, ")");
        return value;
    }
    if (isdigit((unsigned char)*reader->at))
        return read_number(reader);
    if (isalpha((unsigned char)*reader->at) || *reader->at == '_')
        return read_name(reader);
    return *reader->at ? fail(reader, "has '%.20s' where a value is wanted", reader->at)
                       : fail(reader, "ends where a value is wanted");
}

static int64_t read_unary(struct reader *reader) {
    int64_t value = 0;
    if (++reader->depth > MOST_DEPTH)
        return fail(reader, "has too much inside each other");
    if (take(reader, "-"))
        value = subtract(reader, 0, read_unary(reader));
    else if (take(reader, "+"))
        value = read_unary(reader);
    else if (take(reader, "!"))
        value = !read_unary(reader);
    else if (take(reader, "~"))
        value = ~read_unary(reader);
    else
        value = read_primary(reader);
    reader->depth--;
    return value;
}

/* Operators of two sides, by how tightly they bind; a longer mark stands before its beginning. */
enum operator_name {
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    UNEQUAL,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    LESS_EQUAL,
    MORE_EQUAL,
    LESS,
    MORE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    OPERATORS
};
static const struct {
    const char *mark;
    int level;
} operators[OPERATORS] = {
    [OR] = {"||", 1},          [AND] = {"&&", 2},        [BIT_OR] = {"|", 3},
    [BIT_XOR] = {"^", 4},      [BIT_AND] = {"&", 5},     [EQUAL] = {"==", 6},
    [UNEQUAL] = {"!=", 6},     [LESS_EQUAL] = {"<=", 7}, [MORE_EQUAL] = {">=", 7},
    [LESS] = {"<", 7},         [MORE] = {">", 7},        [SHIFT_LEFT] = {"<<", 8},
    [SHIFT_RIGHT] = {">>", 8}, [ADD] = {"+", 9},         [SUBTRACT] = {"-", 9},
    [MULTIPLY] = {"*", 10},    [DIVIDE] = {"/", 10},     [REMAINDER] = {"%", 10}};

/* The operator that comes next, or OPERATORS. */
static enum operator_name next_operator(struct reader *reader) {
    int found = 0;
    skip_blanks(reader);
    while (found < OPERATORS &&
           strncmp(reader->at, operators[found].mark, strlen(operators[found].mark)) != 0)
        found++;
    return (enum operator_name)found;
}

static int64_t apply(struct reader *reader, enum operator_name which, int64_t a, int64_t b) {
    switch (which) {
    case OR:
        return a || b;
    case AND:
        return a && b;
    case BIT_OR:
        return a | b;
    case BIT_XOR:
        return a ^ b;
    case BIT_AND:
        return a & b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LESS_EQUAL:
        return a <= b;
    case MORE_EQUAL:
        return a >= b;
    case LESS:
        return a < b;
    case MORE:
        return a > b;
    case SHIFT_LEFT:
        return shift_left(reader, a, b);
    case SHIFT_RIGHT:
        return shift_right(reader, a, b);
    case ADD:
        return add(reader, a, b);
    case SUBTRACT:
        return subtract(reader, a, b);
    case MULTIPLY:
        return multiply(reader, a, b);
    case DIVIDE:
        return divide(reader, a, b);
    case REMAINDER:
        return remainder_of(reader, a, b);
    case OPERATORS:
        break;
    }
    return 0;
}

/* Everything that binds at least as tightly as the level. */
static int64_t read_operators(struct reader *reader, int level) {
    int64_t value = read_unary(reader);
    while (!reader->failed) {
        const enum operator_name which = next_operator(reader);
        if (which == OPERATORS || operators[which].level < level)
            break;
        reader->at += strlen(operators[which].mark);
        const bool known = (which == OR && value) || (which == AND && !value);
        reader->dead += known;
        const int64_t right = read_operators(reader, operators[which].level + 1);
        reader->dead -= known;
        value = apply(reader, which, value, right);
    }
    return value;
}

static int64_t read_choice(struct reader *reader) {
    if (++reader->depth > MOST_DEPTH)
        return fail(reader, "has too much inside each other");
    int64_t value = read_operators(reader, 1);
    if (take(reader, "?")) {
        reader->dead += value == 0;
        const int64_t yes = read_choice(reader);
        reader->dead -= value == 0;
        need(reader, ":");
        reader->dead += value != 0;
        const int64_t no = read_choice(reader);
        reader->dead -= value != 0;
        value = value ? yes : no;
    }
    reader->depth--;
    return value;
}

static bool read_all(const char *text, const struct expression_scope *scope, int dead,
                     int64_t *value, char why[EXPRESSION_WHY]) {
    struct reader reader = {.at = text, .scope = scope, .dead = dead, .why = why};
    *value = read_choice(&reader);
    skip_blanks(&reader);
    if (!reader.failed && *reader.at)
        fail(&reader, "has '%.20s' behind its end", reader.at);
    return !reader.failed;
}

bool expression_check(const char *text, const struct expression_scope *scope,
                      char why[EXPRESSION_WHY]) {
    int64_t unused;
    return read_all(text, scope, 1, &unused, why);
}

bool expression_value(const char *text, const struct expression_scope *scope, int64_t *value,
                      char why[EXPRESSION_WHY]) {
    return read_all(text, scope, 0, value, why);
}

bool expression_add(struct expression_scope *scope, const char *name, int64_t value) {
    if (scope->count == EXPRESSION_NAMES)
        return false;
    scope->list[scope->count].name = name;
    scope->list[scope->count++].value = value;
    return true;
}
