/* The words of a recipe that stand for numbers: a word's place in its list is the number that
 * cuda.h has for it, and of recipe_bases that of enum recipe_base. Each list ends with NULL. */
#ifndef CANDIDATES_RECIPE_RECIPE_WORDS_H
#define CANDIDATES_RECIPE_RECIPE_WORDS_H

extern const char *const recipe_bases[];       /* RECIPE_MEMORY is the NULL behind them */
extern const char *const recipe_schedulings[]; /* CUclusterSchedulingPolicy */

/* Of a tensor map. */
extern const char *const recipe_types[];
extern const char *const recipe_interleaves[];
extern const char *const recipe_swizzles[];
extern const char *const recipe_promotions[];
extern const char *const recipe_fills[];

#endif
