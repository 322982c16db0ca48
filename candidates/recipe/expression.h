/* Expressions of a recipe: integers over names, as text.
 *
 * They have the operators of C with C's precedence, but for assignment, and sizes of 64 bits:
 * ?: || && | ^ & == != < <= > >= << >> + - * / % and the unary + - ! ~. A division truncates.
 * Besides there are ceil_div(a, b), round_up(a, b), which is ceil_div(a, b) * b, and min and max of
 * two or more. Numbers are decimal, or hexadecimal behind 0x. What && || and ?: do not need is not
 * evaluated. */
#ifndef CANDIDATES_RECIPE_EXPRESSION_H
#define CANDIDATES_RECIPE_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#define EXPRESSION_NAMES 64
#define EXPRESSION_WHY 160

/* The names that an expression may use. */
struct expression_scope {
    struct {
        const char *name; /* not owned */
        int64_t value;
    } list[EXPRESSION_NAMES];
    int count;
};

/* Adds a name. False where there is no room for another. */
bool expression_add(struct expression_scope *scope, const char *name, int64_t value);

/* Whether the text is an expression over names of the scope, whatever their values. False with
 * why: a phrase like "names 'x', which is not there". */
bool expression_check(const char *text, const struct expression_scope *scope,
                      char why[EXPRESSION_WHY]);

/* Its value. False with why where it has none: besides the above a division by zero, a shift by
 * less than 0 or more than 63 places, or a number that 64 bits do not hold. */
bool expression_value(const char *text, const struct expression_scope *scope, int64_t *value,
                      char why[EXPRESSION_WHY]);

#endif
