/* Walking through a recipe's JSON: where the walk is, for messages, and the members of objects as
 * values. Functions return false after walk_fail. */
#ifndef CANDIDATES_RECIPE_RECIPE_WALK_H
#define CANDIDATES_RECIPE_RECIPE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "candidates/recipe/cubin.h"
#include "candidates/recipe/expression.h"
#include "candidates/recipe/recipe.h"

struct walk {
    const struct recipe *recipe;
    struct recipe_work *work; /* what is made of it */
    struct expression_scope scope;
    bool known;      /* the scope has values; else expressions are only looked over */
    char place[160]; /* like steps[0].grid[1]; "" at the top */
    char *why;       /* RECIPE_WHY */
};

/* Says why: a phrase behind the place. Returns false. */
bool walk_fail(struct walk *walk, const char *phrase, ...) __attribute__((format(printf, 2, 3)));

/* Goes to a member, or with a name of NULL to an entry of an array. Returns what walk_back needs.
 */
size_t walk_into(struct walk *walk, const char *name, size_t entry);
void walk_back(struct walk *walk, size_t before);

/* Whether it is an object with no other keys than these, which end with NULL. */
bool walk_keys(struct walk *walk, const json_t *object, const char *const *keys);

/* An integer, or an expression as a string, from least to most. Of an expression whose names have
 * no values yet, *value is least. */
bool walk_integer(struct walk *walk, const json_t *json, int64_t least, int64_t most,
                  int64_t *value);

/* The same of an object's member. Where it is not there, *value stays. */
bool walk_member(struct walk *walk, const json_t *object, const char *key, int64_t least,
                 int64_t most, int64_t *value);

/* An array of least to most integers. Where it is not there and least is 0, *count is 0. */
bool walk_list(struct walk *walk, const json_t *object, const char *key, size_t least, size_t most,
               int64_t smallest, int64_t largest, int64_t *values, size_t *count);

/* A member that is text. NULL where it is not there and need not be. */
bool walk_text(struct walk *walk, const json_t *object, const char *key, bool needed,
               const char **text);

/* A member that is one of the words, which end with NULL: its number. Where it is not there, *value
 * stays. */
bool walk_word(struct walk *walk, const json_t *object, const char *key, const char *const *words,
               uint32_t *value);

/* A member that is true or false. Where it is not there, *value stays. */
bool walk_flag(struct walk *walk, const json_t *object, const char *key, bool *value);

/* Works everything out: recipe_work_out with a walk whose scope has m, n, k and sms. */
bool recipe_make(struct walk *walk);

/* recipe_parameters.c: the parameters of a launch of this kernel, which are added to the recording;
 * and an address within an object. In the place of a variable it has the number of the recipe's
 * memory, of which recipe_variable tells the variable. */
bool recipe_take_parameters(struct walk *walk, const json_t *list, const char *function,
                            const struct cubin_kernel *kernel, struct recording_launch *launch);
bool recipe_take_address(struct walk *walk, const json_t *object, const char *base_key,
                         const char *offset_key, struct recording_place *place);
uint32_t recipe_variable(const struct walk *walk, uint32_t number);

#endif
