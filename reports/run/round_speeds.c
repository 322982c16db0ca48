#include "reports/run/round_speeds.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "reports/rows/derive.h"
#include "reports/rows/layouts.h"

/* Largest |x|: no two kernels are further apart, and whatever is computed from less stays finite.
 */
#define MOST_X 25.0

const char *const round_speeds_preferred[] = {"cublas-max", "torch-matmul", "openblas-max", NULL};

int round_speeds_compare(const void *left, const void *right) {
    const struct round_speed *a = left, *b = right;
    int order = shape_compare(a->shape, b->shape);
    order = order ? order : strcmp(a->candidate, b->candidate);
    order = order ? order : strcmp(a->reference, b->reference);
    order = order ? order : strcmp(a->mode, b->mode);
    return order ? order : strcmp(a->lens, b->lens);
}

static int add(struct round_speeds *speeds, const struct round_speed *speed) {
    const size_t count = speeds->count;
    if ((count & (count - 1)) == 0) {
        struct round_speed *more = realloc(speeds->list, (count ? 2 * count : 1) * sizeof *more);
        if (!more)
            return error("no memory for %zu speeds", count + 1);
        speeds->list = more;
    }
    /* Where there is a count there is a list. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    speeds->list[speeds->count++] = *speed;
    return 0;
}

/* The unit's candidate, arm `bottom`, against arm `top`. */
static int add_baseline(const struct samples *samples, const char *where,
                        const struct round_speed *about, size_t top, size_t bottom,
                        struct round_speeds *speeds) {
    struct round_speed speed = *about;
    double within = 0;
    snprintf(speed.reference, sizeof speed.reference, "%s", samples->columns[top]);
    speed.seconds = derive_median(samples, bottom);
    speed.reference_seconds = derive_median(samples, top);
    for (size_t i = speed.rounds = 0; i < about->rounds; i++) {
        const struct rounds own = derive_ratio(samples, bottom, top, (int)i);
        if (derive_all_marked(samples, top, bottom, (int)i))
            continue;
        if (!(fabs(own.estimate) <= MOST_X))
            return error("%s: %s.%s: round %zu gives no time of %s against %s; time the unit again",
                         where, samples->mode, samples->lens, i, speed.candidate, speed.reference);
        speed.x[speed.rounds++] = own.estimate;
        within += (own.high - own.low) / 2;
    }
    if (speed.rounds == 0)
        return 0; /* by this lens it has no number */
    speed.within = isfinite(within) ? within / (double)speed.rounds : NAN;
    return add(speeds, &speed);
}

/* about: what the unit's speeds share. */
static int add_samples(const struct samples *samples, const char *where, struct round_speed about,
                       struct round_speeds *speeds) {
    size_t pairs[SAMPLES_COLUMNS][2];
    const size_t count = derive_pairs(samples, about.candidate, pairs);
    const int bottom = derive_column(samples, about.candidate);
    about.rounds = derive_rounds(samples);
    if (bottom < 0 || about.rounds == 0)
        return 0;
    if (about.rounds > ROUND_SPEEDS_ROUNDS)
        return error("%s: %s.%s: %zu rounds; a comparison takes at most %d", where, samples->mode,
                     samples->lens, about.rounds, ROUND_SPEEDS_ROUNDS);
    about.place = samples->place;
    about.disturbed = derive_mean(samples, SAMPLES_DISTURBED);
    memcpy(about.mode, samples->mode, sizeof about.mode);
    memcpy(about.lens, samples->lens, sizeof about.lens);
    for (size_t i = 0; i < count; i++)
        if (pairs[i][1] == (size_t)bottom &&
            add_baseline(samples, where, &about, pairs[i][0], pairs[i][1], speeds) < 0)
            return -1;
    return 0;
}

static int add_unit(const char *run, const char *id, const char *cache,
                    struct round_speeds *speeds) {
    struct rows rows = {0};
    struct samples *samples = NULL;
    struct round_speed about = {0};
    size_t count = 0;
    char where[PATH_MAX];
    int status = -1;
    snprintf(where, sizeof where, "%s/units/%s", run, id);
    if (rundir_read_unit(run, id, &rows) < 0 || rundir_read_samples(run, id, &samples, &count) < 0)
        goto done;
    if (rows.check_count == 0) {
        error("%s/checks.csv: holds no row", where);
        goto done;
    }
    about.shape = rows.checks[0].shape;
    memcpy(about.candidate, rows.checks[0].candidate, sizeof about.candidate);
    snprintf(about.cache, sizeof about.cache, "%s", cache);
    status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        struct layouts with;
        status = layouts_add(&samples[i], &with);
        if (status == 0)
            status = add_samples(&with.samples, where, about, speeds);
        layouts_free(&with);
    }
done:
    samples_free(samples, count);
    rows_free(&rows);
    return status;
}

static int add_units(const char *run, const json_t *plan, struct round_speeds *speeds) {
    json_t *units = json_object_get(plan, "units"), *id;
    const char *cache = json_string_value(json_object_get(plan, "cache"));
    size_t i;
    if (!json_array_size(units))
        return error("%s/plan.json names no units: an imported run has no samples to compare", run);
    if (!cache || !*cache || strlen(cache) >= sizeof speeds->list->cache)
        return error("%s/plan.json: \"cache\" is no state of a cache", run);
    json_array_foreach(units, i, id) {
        const char *name = json_string_value(id);
        if (!name)
            return error("%s/plan.json: units[%zu] is no string", run, i);
        const int there = rundir_has_unit(run, name);
        if (there == 0)
            return error("%s is not complete: unit %s is not measured yet; run again with --resume",
                         run, name);
        if (there < 0 || add_unit(run, name, cache, speeds) < 0)
            return -1;
    }
    return 0;
}

static int sort(const char *run, struct round_speeds *speeds) {
    struct round_speed *list = speeds->list;
    if (speeds->count > 0)
        qsort(list, speeds->count, sizeof *list, round_speeds_compare);
    for (size_t i = 1; i < speeds->count; i++)
        if (round_speeds_compare(&list[i - 1], &list[i]) == 0) {
            char shape[SHAPE_TEXT];
            return error("%s: two units time %s on %s", run, list[i].candidate,
                         shape_format(list[i].shape, shape));
        }
    return 0;
}

int round_speeds_read(const char *run, struct round_speeds *speeds) {
    *speeds = (struct round_speeds){0};
    json_t *plan = rundir_read_json(run, "plan.json");
    const int status = plan && add_units(run, plan, speeds) == 0 && sort(run, speeds) == 0 ? 0 : -1;
    json_decref(plan);
    if (status < 0)
        round_speeds_free(speeds);
    return status;
}

void round_speeds_rename_set(struct round_speeds *speeds, const char *from, const char *to) {
    for (size_t i = 0; i < speeds->count; i++)
        if (strcmp(speeds->list[i].candidate, from) == 0)
            snprintf(speeds->list[i].candidate, sizeof speeds->list[i].candidate, "%.95s", to);
    if (speeds->count)
        qsort(speeds->list, speeds->count, sizeof *speeds->list, round_speeds_compare);
}

/* The columns after m, n, k; texts, then numbers. */
#define COLUMNS(X)                                                                                 \
    X(candidate)                                                                                   \
    X(reference)                                                                                   \
    X(mode)                                                                                        \
    X(lens)                                                                                        \
    X(cache)                                                                                       \
    X(place)                                                                                       \
    X(seconds)                                                                                     \
    X(reference_seconds)                                                                           \
    X(disturbed)                                                                                   \
    X(within)                                                                                      \
    X(round)                                                                                       \
    X(x)
enum {
#define X(name) COLUMN_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};
static const char *const names[] = {
#define X(name) #name,
    COLUMNS(X)
#undef X
};

/* So that it comes back as the same double. */
static void put_exactly(FILE *out, double value) {
    fputc(',', out);
    if (!isnan(value))
        fprintf(out, "%.17g", value);
}

void round_speeds_write_csv(FILE *out, const struct round_speeds *speeds) {
    fputs("m,n,k", out);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        fprintf(out, ",%s", names[i]);
    fputc('\n', out);
    for (size_t i = 0; i < speeds->count; i++)
        for (size_t r = 0; r < speeds->list[i].rounds; r++) {
            const struct round_speed *speed = &speeds->list[i];
            const char *texts[] = {speed->candidate, speed->reference, speed->mode,
                                   speed->lens,      speed->cache,     words_places[speed->place]};
            csv_put_shape(out, speed->shape);
            csv_put_texts(out, texts, sizeof texts / sizeof *texts);
            put_exactly(out, speed->seconds);
            put_exactly(out, speed->reference_seconds);
            put_exactly(out, speed->disturbed);
            put_exactly(out, speed->within);
            fprintf(out, ",%zu", r);
            put_exactly(out, speed->x[r]);
            fputc('\n', out);
        }
}

static int take_name(const struct csv_table *table, size_t row, int column, char *name,
                     size_t size) {
    const char *text = csv_table_text(table, row, column);
    if (!*text)
        return csv_table_error(table, row, column, "is empty; a name is wanted");
    if (strlen(text) >= size)
        return csv_table_error(table, row, column, "is longer than %zu bytes", size - 1);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return csv_table_error(table, row, column, "holds a control character, byte 0x%02x",
                                   (unsigned char)*c);
    strcpy(name, text);
    return 0;
}

/* A number from least to most; an empty field is NaN if it may be. */
static int take_number(const struct csv_table *table, size_t row, int column, double least,
                       double most, bool optional, double *value) {
    *value = NAN;
    if (optional && !*csv_table_text(table, row, column))
        return 0;
    if (csv_table_number(table, row, column, value) < 0)
        return -1;
    return *value >= least && *value <= most
               ? 0
               : csv_table_error(table, row, column, "%g is out of range", *value);
}

/* One line: speed->x[0] is its x. */
static int take_line(const struct csv_table *table, size_t row, const int *columns,
                     struct round_speed *speed, double *round) {
    const double tiny = 1e-30, huge = 1e30;
    char place[8];
    const struct {
        char *name;
        size_t size;
    } texts[] = {
        {speed->candidate, sizeof speed->candidate}, {speed->reference, sizeof speed->reference},
        {speed->mode, sizeof speed->mode},           {speed->lens, sizeof speed->lens},
        {speed->cache, sizeof speed->cache},         {place, sizeof place}};
    const struct {
        double *value, least, most;
        bool optional;
    } numbers[] = {{&speed->seconds, tiny, huge, false},
                   {&speed->reference_seconds, tiny, huge, false},
                   {&speed->disturbed, 0, 1, true},
                   {&speed->within, 0, huge, true},
                   {round, 0, ROUND_SPEEDS_ROUNDS - 1, false},
                   {&speed->x[0], -MOST_X, MOST_X, false}};
    if (csv_table_shape(table, row, &speed->shape) < 0)
        return -1;
    for (size_t i = 0; i < COLUMN_seconds; i++)
        if (take_name(table, row, columns[i], texts[i].name, texts[i].size) < 0)
            return -1;
    const int found = words_find(words_places, place);
    if (found < 0)
        return csv_table_error(table, row, columns[COLUMN_place],
                               "'%s' is no place where times are taken", place);
    speed->place = (enum place)found;
    for (size_t i = COLUMN_seconds; i < COLUMN_COUNT; i++) {
        const size_t n = i - COLUMN_seconds;
        if (take_number(table, row, columns[i], numbers[n].least, numbers[n].most,
                        numbers[n].optional, numbers[n].value) < 0)
            return -1;
    }
    return 0;
}

static bool equal(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_but_round(const struct round_speed *a, const struct round_speed *b) {
    return strcmp(a->cache, b->cache) == 0 && a->place == b->place && a->seconds == b->seconds &&
           a->reference_seconds == b->reference_seconds && equal(a->disturbed, b->disturbed) &&
           equal(a->within, b->within);
}

/* A line goes on with the speed of the line before, or begins the next in the order. */
static int take_row(const struct csv_table *table, size_t row, const int *columns,
                    struct round_speeds *speeds) {
    struct round_speed line = {.rounds = 1};
    double round;
    if (take_line(table, row, columns, &line, &round) < 0)
        return -1;
    struct round_speed *last = speeds->count ? &speeds->list[speeds->count - 1] : NULL;
    const int order = last ? round_speeds_compare(last, &line) : -1;
    const size_t next = last && order == 0 ? last->rounds : 0;
    if (round != (double)next)
        return csv_table_error(table, row, columns[COLUMN_round],
                               "%g where round %zu must come next; get the file as it was written",
                               round, next);
    if (order > 0)
        return csv_table_error(table, row, columns[COLUMN_candidate],
                               "the line stands out of order, or says a speed again; get the file "
                               "as it was written");
    if (order < 0)
        return add(speeds, &line);
    if (!same_but_round(last, &line))
        return csv_table_error(table, row, columns[COLUMN_seconds],
                               "the line says otherwise of the speed than the line before");
    last->x[last->rounds++] = line.x[0];
    return 0;
}

static int take_table(const struct csv_table *table, struct round_speeds *speeds) {
    int columns[COLUMN_COUNT];
    if (!table->ended)
        return error("%s:%zu: the last line has no end; the file was cut off", table->file,
                     table->lines[table->rows]);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if ((columns[i] = csv_table_column(table, names[i])) < 0)
            return -1;
    if (csv_table_column(table, "m") < 0)
        return -1;
    if (table->columns != COLUMN_COUNT + 3)
        return error("%s:1: %zu columns where this version knows %d", table->file, table->columns,
                     COLUMN_COUNT + 3);
    for (size_t i = 0; i < table->rows; i++)
        if (take_row(table, i, columns, speeds) < 0)
            return -1;
    return 0;
}

int round_speeds_read_csv(const char *file, struct round_speeds *speeds) {
    struct csv_table table;
    *speeds = (struct round_speeds){0};
    if (csv_table_read(file, &table) < 0)
        return -1;
    const int status = take_table(&table, speeds);
    csv_table_free(&table);
    if (status < 0)
        round_speeds_free(speeds);
    return status;
}

const struct round_speed *round_speeds_find(const struct round_speeds *speeds,
                                            const struct round_speed *like, const char *reference) {
    struct round_speed key = *like;
    snprintf(key.reference, sizeof key.reference, "%s", reference);
    return speeds->count
               ? bsearch(&key, speeds->list, speeds->count, sizeof key, round_speeds_compare)
               : NULL;
}

const char *round_speeds_place(const struct round_speed *speed, const struct round_speed *other) {
    return words_places[other && other->place == PLACE_NATIVE ? PLACE_NATIVE : speed->place];
}

void round_speeds_free(struct round_speeds *speeds) {
    free(speeds->list);
    *speeds = (struct round_speeds){0};
}
