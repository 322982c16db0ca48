#include "reports/rows/layouts.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/text.h"
#include "reports/rows/derive_values.h"

void layouts_name_finalist(const char *library, int variant, char name[RUNDIR_NAME]) {
    snprintf(name, RUNDIR_NAME, "%.80s" LAYOUTS_FINALIST "%d", library, variant + 1);
}

bool layouts_is_finalist(const char *name) {
    return derive_is_own(name) && strstr(name, LAYOUTS_FINALIST) != NULL;
}

bool layouts_first_of(const char *library, char first[RUNDIR_NAME]) {
    static const char autotune[] = "-autotune-", heuristic[] = "-heuristic-";
    const char *at = strstr(library, autotune);
    if (!at)
        return false;
    snprintf(first, RUNDIR_NAME, "%.*s%s%s", (int)(at - library), library, heuristic,
             at + strlen(autotune));
    return true;
}

bool layouts_is_max(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, "-max") == 0;
}

/* Whether the name is stem and end, of which `stem` is so long. */
static bool is_made_of(const char *name, const char *stem, size_t length, const char *end) {
    return strncmp(name, stem, length) == 0 && strcmp(name + length, end) == 0;
}

/* Whether an arm is one of those that the library is chosen among. */
static bool is_member(const char *library, const char *arm) {
    const size_t length = strlen(library);
    char first[RUNDIR_NAME];
    if (!derive_is_own(arm))
        return false;
    if (layouts_is_max(library))
        return is_made_of(arm, library, length - 4, "-nn") ||
               is_made_of(arm, library, length - 4, "-tn");
    return (strncmp(arm, library, length) == 0 && text_begins(arm + length, LAYOUTS_FINALIST)) ||
           (layouts_first_of(library, first) && strcmp(arm, first) == 0);
}

/* A column of that name, chosen among arms like this one, unless there is one. 0, or -1 after
 * error(). */
static int add_column(struct samples *samples, struct layouts *layouts, size_t arm,
                      const char *name) {
    if (derive_column(samples, name) >= 0)
        return 0;
    if (samples->column_count + 2 > SAMPLES_COLUMNS)
        return error("more than %d columns of samples", SAMPLES_COLUMNS - 2);
    layouts->list[layouts->count++].column = samples->column_count;
    snprintf(samples->columns[samples->column_count++], RUNDIR_NAME, "%s", name);
    if (derive_column_of(samples, SAMPLES_HOST, arm) >= 0)
        snprintf(samples->columns[samples->column_count++], RUNDIR_NAME, SAMPLES_HOST "%.80s",
                 name);
    return 0;
}

/* The columns of autotuned libraries, and behind them those of -max. */
int layouts_add(struct samples *samples, struct layouts *layouts) {
    char name[RUNDIR_NAME];
    layouts->count = 0;
    int status = 0;
    for (size_t i = 0, count = samples->column_count; i < count && status == 0; i++) {
        const char *arm = samples->columns[i];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(arm, LAYOUTS_FINALIST), arm);
        status = layouts_is_finalist(arm) ? add_column(samples, layouts, i, name) : 0;
    }
    for (size_t i = 0, count = samples->column_count; i < count && status == 0; i++) {
        const char *nn = samples->columns[i];
        const size_t stem = strlen(nn) < 3 ? 0 : strlen(nn) - 3;
        snprintf(name, sizeof name, "%.*s-tn", (int)stem, nn);
        if (!derive_is_own(nn) || strcmp(nn + stem, "-nn") != 0 || derive_column(samples, name) < 0)
            continue;
        snprintf(name, sizeof name, "%.*s-max", (int)stem, nn);
        status = add_column(samples, layouts, i, name);
    }
    return status;
}

/* The best of the columns in front of that of the library. */
static size_t best_of(const struct samples *samples, size_t column) {
    size_t best = column;
    for (size_t i = 0; i < column; i++)
        if (is_member(samples->columns[column], samples->columns[i]) &&
            (best == column || derive_ratio(samples, i, best, -1, NULL).estimate < 0))
            best = i;
    return best;
}

static void fill_column(struct samples *samples, struct layouts_chosen *chosen) {
    chosen->of = best_of(samples, chosen->column);
    const int from = derive_column_of(samples, SAMPLES_HOST, chosen->of);
    const int to = derive_column_of(samples, SAMPLES_HOST, chosen->column);
    for (size_t b = 0; b < samples->blocks; b++) {
        float *row = samples->values + b * samples->column_count;
        row[chosen->column] = row[chosen->of];
        if (from >= 0 && to >= 0)
            row[to] = row[from];
    }
}

void layouts_fill(struct samples *samples, struct layouts *layouts) {
    for (size_t i = 0; i < layouts->count; i++)
        fill_column(samples, &layouts->list[i]);
}

size_t layouts_arm(const struct layouts *layouts, size_t column) {
    /* What is chosen from others stands behind them. */
    for (size_t i = layouts->count; i > 0; i--)
        if (layouts->list[i - 1].column == column)
            column = layouts->list[i - 1].of;
    return column;
}

const char *layouts_say(const struct samples *samples, const struct layouts *layouts, size_t column,
                        char text[LAYOUTS_TEXT]) {
    size_t i = 0;
    while (i < layouts->count && layouts->list[i].column != column)
        i++;
    if (i == layouts->count)
        return NULL;
    const char *name = samples->columns[layouts->list[i].of];
    const char *number = strstr(name, LAYOUTS_FINALIST);
    if (layouts_is_max(samples->columns[column]))
        snprintf(text, LAYOUTS_TEXT, "%s is the faster layout", name + strlen(name) - 2);
    else
        snprintf(text, LAYOUTS_TEXT, "suggestion %.8s is the fastest",
                 number ? number + strlen(LAYOUTS_FINALIST) : "1");
    return text;
}
