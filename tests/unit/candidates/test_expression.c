/* Expressions of recipes. */
#include "candidates/recipe/expression.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

static struct expression_scope names(void) {
    struct expression_scope scope = {.count = 0};
    expression_add(&scope, "m", 100);
    expression_add(&scope, "n", 7);
    expression_add(&scope, "zero", 0);
    expression_add(&scope, "least", INT64_MIN);
    return scope;
}

/* They are written as a recipe may write them. */
#pragma GCC diagnostic ignored "-Wparentheses"

TEST(values_are_those_of_c) {
    const int64_t m = 100, n = 7, zero = 0;
    static const int64_t least = INT64_MIN;
    const struct {
        const char *text;
        int64_t value;
    } cases[] = {
#define AS_IN_C(expression) {#expression, expression}
        AS_IN_C(1 + 2 * 3),
        AS_IN_C((1 + 2) * 3),
        AS_IN_C(m - n - 3),
        AS_IN_C(m / n / 2),
        AS_IN_C(-m / n),
        AS_IN_C(-m % n),
        AS_IN_C(m % n * 2 + 1),
        AS_IN_C(1 << 3 + 1),
        AS_IN_C(m >> 2 << 1),
        AS_IN_C(m & 12 | 3),
        AS_IN_C(m ^ 5 & 4),
        AS_IN_C(m | 2 == 2),
        AS_IN_C(m < n == zero),
        AS_IN_C(m <= 100),
        AS_IN_C(m >= 101),
        AS_IN_C(m > n != 1),
        AS_IN_C(zero || m && zero),
        AS_IN_C(zero && zero || 1),
        AS_IN_C(!m + !zero),
        AS_IN_C(- -m),
        AS_IN_C(~n + +n),
        AS_IN_C(m ? n ? 1 : 2 : 3),
        AS_IN_C(zero ? 1
                : n  ? 2
                     : 3),
        AS_IN_C(zero || m > 5 ? 10 : 20),
        AS_IN_C(least / 2),
        AS_IN_C(0x7fFfffffffffffff),
#undef AS_IN_C
        {"ceil_div(m, n)", 15},
        {"ceil_div(98, n)", 14},
        {"ceil_div(-m, n)", -14},
        {"ceil_div(m, -n)", -14},
        {"ceil_div(-m, -n)", 15},
        {"round_up(m, 64)", 128},
        {"min(m, n, 3) + max(1, n)", 10},
        {" min ( m , n ) ", 7},
        {"-8 >> 1", -4},
        {"0 << 63", 0},
        /* What is not needed has no value. */
        {"zero && 1 / zero", 0},
        {"m || 1 / zero", 1},
        {"m ? 5 : m % zero", 5},
        {"zero ? 1 << 99 : 6", 6},
        {"zero && (zero || 1 / zero)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expression_scope scope = names();
        char why[EXPRESSION_WHY] = "";
        int64_t value = 0;
        if (!expression_value(cases[i].text, &scope, &value, why) || value != cases[i].value)
            fail_msg("%s: %lld, not %lld; %s", cases[i].text, (long long)value,
                     (long long)cases[i].value, why);
        assert_true(expression_check(cases[i].text, &scope, why));
    }
}

/* Each has no value; those with a `true` have one for other values of the names. */
TEST(what_has_no_value_is_refused) {
    static const struct {
        const char *text, *why;
        bool sound;
    } cases[] = {
        {"", "ends where a value is wanted", false},
        {"m +", "ends where a value is wanted", false},
        {"mm", "names 'mm', which is not there", false},
        {"m n", "has 'n' behind its end", false},
        {"(m", "ends where ')' is wanted", false},
        {"m ? 1", "ends where ':' is wanted", false},
        {"m)", "has ')' behind its end", false},
        {"m = 1", "has '= 1' behind its end", false},
        {"3k", "has a number that ends in 'k'", false},
        {"0x", "has a number that ends in ''", false},
        {"9223372036854775808", "has a number that 64 bits do not hold", false},
        {"cdiv(m, n)", "calls 'cdiv'", false},
        {"ceil_div(m)", "gives ceil_div 1 arguments, which takes two", false},
        {"ceil_div(m, n, 2)", "gives ceil_div 3 arguments, which takes two", false},
        {"max(m)", "gives max 1 arguments, which takes two or more", false},
        {"zero && nothing", "names 'nothing'", false},
        {"\"m\"", "has '\"m\"' where a value is wanted", false},
        {"m / zero", "divides by zero", true},
        {"m % zero", "divides by zero", true},
        {"ceil_div(m, zero)", "divides by zero", true},
        {"least / -1", "gives a number that 64 bits do not hold", true},
        {"least - 1", "gives a number that 64 bits do not hold", true},
        {"-least", "gives a number that 64 bits do not hold", true},
        {"0x7fffffffffffffff + 1", "gives a number that 64 bits do not hold", true},
        {"least * 2", "gives a number that 64 bits do not hold", true},
        {"1 << 63", "gives a number that 64 bits do not hold", true},
        {"1 << 64", "shifts by 64 places", true},
        {"1 >> -1", "shifts by -1 places", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expression_scope scope = names();
        char why[EXPRESSION_WHY] = "";
        int64_t value;
        assert_false(expression_value(cases[i].text, &scope, &value, why));
        if (!strstr(why, cases[i].why))
            fail_msg("%s: %s", cases[i].text, why);
        assert_int_equal(expression_check(cases[i].text, &scope, why), cases[i].sound);
    }
}

TEST(depth_has_an_end) {
    const struct expression_scope scope = names();
    char text[2000] = "", why[EXPRESSION_WHY];
    int64_t value;
    memset(text, '(', sizeof text - 1);
    assert_false(expression_value(text, &scope, &value, why));
    assert_string_equal(why, "has too much inside each other");
    memset(text, '-', sizeof text - 1);
    assert_false(expression_value(text, &scope, &value, why));
    assert_string_equal(why, "has too much inside each other");
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 2 ? '+' : '1';
    assert_true(expression_value(text, &scope, &value, why));
    assert_int_equal(value, 1000);
}

TEST(names_have_an_end) {
    struct expression_scope scope = {.count = 0};
    for (int i = 0; i < EXPRESSION_NAMES; i++)
        assert_true(expression_add(&scope, "x", i));
    assert_false(expression_add(&scope, "x", 0));
}
