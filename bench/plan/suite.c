#include "bench/plan/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "correctness/numbers/input.h"

static const int64_t paper_sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384};
enum {
    PAPER_SIZES = sizeof paper_sizes / sizeof *paper_sizes,
    PAPER_SHAPES = PAPER_SIZES * PAPER_SIZES * PAPER_SIZES
};

static struct shape paper_shape(size_t i) {
    return (struct shape){paper_sizes[i / (PAPER_SIZES * PAPER_SIZES)],
                          paper_sizes[i / PAPER_SIZES % PAPER_SIZES], paper_sizes[i % PAPER_SIZES]};
}

/* Square, flat, deep, a vector, and sizes that are multiples of nothing; two cores do any of them
 * in some ten milliseconds. */
static const struct shape smoke_shapes[] = {
    {64, 64, 64},   {33, 65, 129},   {1, 256, 512},   {64, 64, 4096},
    {100, 37, 251}, {128, 128, 128}, {127, 255, 511}, {256, 256, 64},
    {7, 1000, 333}, {256, 256, 256}, {512, 64, 1024}, {512, 512, 512},
};

static struct shape smoke_shape(size_t i) {
    return smoke_shapes[i];
}

static const struct {
    const char *name;
    size_t count;
    struct shape (*at)(size_t i);
    const char *summary;
} known[] = {
    {"paper", PAPER_SHAPES, paper_shape,
     "m, n, k in {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384}"},
    {"smoke", sizeof smoke_shapes / sizeof *smoke_shapes, smoke_shape,
     "small and odd shapes, for a first look"},
};
enum { KNOWN = sizeof known / sizeof *known };

static int make(struct suite *suite, const char *name, size_t count) {
    *suite = (struct suite){.shapes = malloc(count * sizeof *suite->shapes), .count = count};
    if (!suite->shapes)
        return error("no memory for %zu shapes", count);
    snprintf(suite->name, sizeof suite->name, "%s", name);
    return 0;
}

/* A shape and where it was named, an item's or a line's number. */
struct named {
    struct shape shape;
    size_t place;
};

static int named_compare(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int order = shape_compare(a->shape, b->shape);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* `prefix` and a place make up what a message begins with. Sorts the list. */
static int refuse_twins(struct named *list, size_t count, const char *prefix) {
    char text[SHAPE_TEXT];
    qsort(list, count, sizeof *list, named_compare);
    for (size_t i = 1; i < count; i++)
        if (shape_compare(list[i - 1].shape, list[i].shape) == 0)
            return error("%s%zu: %s is named already at %s%zu; remove one", prefix, list[i].place,
                         shape_format(list[i].shape, text), prefix, list[i - 1].place);
    return 0;
}

/* Makes the suite of the shapes as they are listed. */
static int make_listed(struct suite *suite, const char *name, struct named *list, size_t count,
                       const char *prefix) {
    if (make(suite, name, count) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        suite->shapes[i] = list[i].shape;
    if (refuse_twins(list, count, prefix) == 0)
        return 0;
    suite_free(suite);
    return -1;
}

static int load_table(const struct csv_table *table, struct suite *suite) {
    char prefix[4096];
    const char *slash = strrchr(table->file, '/');
    struct named *list = calloc(table->rows, sizeof *list);
    int status = list ? 0 : error("no memory for %zu shapes", table->rows);
    for (size_t i = 0; i < table->rows && status == 0; i++) {
        list[i].place = csv_table_line(table, i);
        status = csv_table_shape(table, i, &list[i].shape);
    }
    snprintf(prefix, sizeof prefix, "%s:", table->file);
    if (status == 0)
        status = make_listed(suite, slash ? slash + 1 : table->file, list, table->rows, prefix);
    free(list);
    return status;
}

static int load_file(const char *file, struct suite *suite) {
    struct csv_table table;
    int status;
    if (access(file, R_OK) < 0)
        return error("no suite is called %s (`gemmgate list suites` shows them), and as a file: %s",
                     file, strerror(errno));
    if (csv_table_read(file, &table) < 0)
        return -1;
    status =
        table.rows ? load_table(&table, suite) : error("%s:1: no shapes after the header", file);
    csv_table_free(&table);
    return status;
}

int suite_load(const char *name_or_file, struct suite *suite) {
    *suite = (struct suite){0};
    for (int i = 0; i < KNOWN; i++) {
        if (strcmp(known[i].name, name_or_file) != 0)
            continue;
        if (make(suite, known[i].name, known[i].count) < 0)
            return -1;
        for (size_t j = 0; j < suite->count; j++)
            suite->shapes[j] = known[i].at(j);
        return 0;
    }
    return load_file(name_or_file, suite);
}

int suite_parse(const char *text, struct suite *suite) {
    static const char prefix[] = "--shapes item ";
    size_t most = 1, count = 0;
    *suite = (struct suite){0};
    for (const char *p = text; *p; p++)
        most += *p == ',';
    struct named *list = calloc(most, sizeof *list);
    char *copy = strdup(text), *rest = copy, *word;
    int status = list && copy ? 0 : error("no memory for %zu shapes", most);
    while (status == 0 && (word = strsep(&rest, ","))) {
        const char *wrong = shape_parse(word, &list[count].shape);
        list[count].place = count + 1;
        count++;
        if (wrong)
            status = error("%s%zu: '%.60s': %s", prefix, count, word, wrong);
    }
    if (status == 0)
        status = make_listed(suite, "shapes", list, count, prefix);
    free(copy);
    free(list);
    return status;
}

/* By mnk, which 64 bits hold exactly up to SHAPE_MAX_SIZE cubed; equal ones in the suite's order.
 */
static int product_compare(const void *left, const void *right) {
    const struct named *a = left, *b = right;
    int64_t x = a->shape.m * a->shape.n * a->shape.k, y = b->shape.m * b->shape.n * b->shape.k;
    if (x != y)
        return x < y ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

int suite_sample(struct suite *suite, size_t n, uint64_t seed) {
    size_t count = suite->count, kept = 0;
    if (n == 0 || n > count)
        return error("--sample %zu: suite %s has %zu shapes", n, suite->name, count);
    struct named *list = calloc(count, sizeof *list);
    bool *keep = calloc(count, sizeof *keep);
    int status = list && keep ? 0 : error("no memory to sample %zu shapes", count);
    for (size_t i = 0; i < count && status == 0; i++)
        list[i] = (struct named){suite->shapes[i], i};
    if (status == 0)
        qsort(list, count, sizeof *list, product_compare);
    for (size_t i = 0; i < n && status == 0; i++) {
        size_t first = i * count / n, width = (i + 1) * count / n - first;
        double draw = seed_uniform(seed_derive(seed, SEED_SUITE, i));
        keep[list[first + (size_t)(draw * (double)width)].place] = true;
    }
    for (size_t i = 0; i < count && status == 0; i++)
        if (keep[i])
            suite->shapes[kept++] = suite->shapes[i];
    if (status == 0)
        suite->count = kept;
    free(keep);
    free(list);
    return status;
}

size_t suite_largest_product(const struct suite *suite) {
    size_t largest = 0;
    for (size_t i = 0; i < suite->count; i++) {
        const size_t elements = (size_t)suite->shapes[i].m * (size_t)suite->shapes[i].n;
        largest = elements > largest ? elements : largest;
    }
    return largest;
}

bool suite_known(int index, struct suite_known *suite) {
    if (index >= KNOWN)
        return false;
    *suite = (struct suite_known){known[index].name, known[index].summary, known[index].count};
    return true;
}

void suite_free(struct suite *suite) {
    free(suite->shapes);
    *suite = (struct suite){0};
}
