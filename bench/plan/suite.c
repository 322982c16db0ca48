#include "bench/plan/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/csv.h"
#include "bench/base/error.h"
#include "bench/base/need.h"
#include "correctness/numbers/input.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const int64_t paper_sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384};
enum { PAPER_SIZES = COUNT(paper_sizes), PAPER_SHAPES = PAPER_SIZES * PAPER_SIZES * PAPER_SIZES };

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

/* The n and k of the linear layers, by the config.json of the models on Hugging Face: hidden size,
 * intermediate size, heads and key/value heads of 128. Those of the attention's input (query, key
 * and value in one) and output, of the feed-forward's input (gate and up in one) and output:
 * Meta-Llama-3-8B (4096, 14336, 32, 8) and, by expert, Mixtral-8x7B-v0.1; Meta-Llama-3-70B (8192,
 * 28672, 64, 8); Mixtral-8x22B-v0.1 (6144, 16384, 48, 8), by expert; the routers of both Mixtrals.
 */
static const int64_t model_layers[][2] = {{6144, 4096},  {4096, 4096}, {28672, 4096}, {4096, 14336},
                                          {10240, 8192}, {8192, 8192}, {57344, 8192}, {8192, 28672},
                                          {8192, 6144},  {6144, 6144}, {32768, 6144}, {6144, 16384},
                                          {8, 4096},     {8, 6144}};
/* Tokens: two batches of decoding, and a prompt. */
static const int64_t model_tokens[] = {16, 256, 4096};

/* Likewise, and of the output layer, whose n is the vocabulary: Llama-3.1-8B (4096, 14336, 32, 8,
 * 128256); Llama-3.3-70B-Instruct (8192, 28672, 64, 8, 128256); Qwen3-8B (4096, 12288, 32, 8,
 * 151936), whose attention is that of Llama-3.1-8B; Qwen3-32B (5120, 25600, 64, 8, 151936). */
static const int64_t decode_layers[][2] = {
    {6144, 4096},   {4096, 4096},  {28672, 4096}, {4096, 14336},  {128256, 4096}, {10240, 8192},
    {8192, 8192},   {57344, 8192}, {8192, 28672}, {128256, 8192}, {24576, 4096},  {4096, 12288},
    {151936, 4096}, {10240, 5120}, {5120, 8192},  {51200, 5120},  {5120, 25600},  {151936, 5120}};
/* Tokens: one of each of so many requests. */
static const int64_t decode_tokens[] = {1, 2, 4, 8, 16, 32, 64};

/* All layers with one number of tokens, then with the next. */
static struct shape layer_shape(const int64_t (*layers)[2], size_t count, const int64_t *tokens,
                                size_t i) {
    return (struct shape){tokens[i / count], layers[i % count][0], layers[i % count][1]};
}

static struct shape model_shape(size_t i) {
    return layer_shape(model_layers, COUNT(model_layers), model_tokens, i);
}

static struct shape decode_shape(size_t i) {
    return layer_shape(decode_layers, COUNT(decode_layers), decode_tokens, i);
}

static const struct {
    const char *name;
    size_t count;
    struct shape (*at)(size_t i);
    const char *summary;
} known[] = {
    {"paper", PAPER_SHAPES, paper_shape,
     "m, n, k in {64, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384}"},
    {"smoke", COUNT(smoke_shapes), smoke_shape, "small and odd shapes, for a first look"},
    {"llama-mixtral", COUNT(model_layers) * COUNT(model_tokens), model_shape,
     "linear layers of Llama 3 8B and 70B and Mixtral 8x7B and 8x22B, 16, 256 and 4096 tokens"},
    {"decode", COUNT(decode_layers) * COUNT(decode_tokens), decode_shape,
     "linear layers of Llama 3 8B and 70B and Qwen3 8B and 32B, 1, 2, 4, 8, 16, 32 and 64 tokens"},
};
enum { KNOWN = COUNT(known) };

void suite_keep(struct suite *suite, size_t index, size_t *kept) {
    suite->shapes[*kept] = suite->shapes[index];
    if (suite->counts)
        suite->counts[*kept] = suite->counts[index];
    ++*kept;
}

void suite_free(struct suite *suite) {
    free(suite->shapes);
    free(suite->counts);
    *suite = (struct suite){0};
}

/* A shape, where it was named (an item's or a line's number), and how often it is called there. */
struct item {
    struct shape shape;
    size_t number; /* of its line, or in the list: from 1 */
    double count;
};

static int by_number(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_shape(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    const int order = shape_compare(a->shape, b->shape);
    return order ? order : by_number(left, right);
}

/* The suite of so many items, in the order of their numbers. */
static void fill(struct suite *suite, const char *name, struct item *list, size_t count,
                 bool counted) {
    *suite = (struct suite){.shapes = need(count, sizeof *suite->shapes),
                            .counts = counted ? need(count, sizeof *suite->counts) : NULL,
                            .count = count};
    snprintf(suite->name, sizeof suite->name, "%s", name);
    qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++) {
        suite->shapes[i] = list[i].shape;
        if (counted)
            suite->counts[i] = list[i].count;
    }
}

/* The suite of the shapes as they are listed. Where they are counted, the counts of a shape that is
 * named several times are added up. Else such a shape is refused; `prefix` and its number make up
 * what the message begins with. */
static int list_shapes(struct suite *suite, const char *name, struct item *list, size_t count,
                       const char *prefix, bool counted) {
    char text[SHAPE_TEXT];
    size_t kept = 0;
    qsort(list, count, sizeof *list, by_shape);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || shape_compare(list[kept - 1].shape, list[i].shape) != 0)
            list[kept++] = list[i];
        else if (counted)
            list[kept - 1].count += list[i].count;
        else
            return error("%s%zu: %s is named already at %s%zu; remove one; a file can say by a "
                         "column count how often each is called",
                         prefix, list[i].number, shape_format(list[i].shape, text), prefix,
                         list[kept - 1].number);
    }
    fill(suite, name, list, kept, counted);
    return 0;
}

#define MOST_COUNT 1e15 /* which a double holds exactly, as it does sums of a few of them */

static int take_row(const struct csv_table *table, size_t row, int column, struct item *item) {
    item->number = csv_table_line(table, row);
    if (csv_table_shape(table, row, &item->shape) < 0)
        return -1;
    if (column < 0)
        return 0;
    if (csv_table_number(table, row, column, &item->count) < 0)
        return -1;
    return item->count > 0 && item->count <= MOST_COUNT
               ? 0
               : csv_table_error(table, row, column, "%g is no count of calls above 0 and up to %g",
                                 item->count, MOST_COUNT);
}

/* A column that says of the product what a suite cannot say, by what its name holds: batch_count,
 * dtype, layout_b, transA, alpha. Others, as a note or a result, are left out. */
static int refuse_columns(const struct csv_table *table) {
    static const char *const of_products[] = {"batch", "group",  "type",  "precision",
                                              "accum", "layout", "trans", "stride",
                                              "alpha", "beta",   "bias",  "epilogue"};
    for (size_t column = 0; column < table->columns; column++)
        for (size_t i = 0; i < COUNT(of_products); i++) {
            const char *name = table->text + table->fields[column];
            if (strcasestr(name, of_products[i]))
                return error("%s:%zu: column '%.60s': a suite says m, n and k alone, and nothing "
                             "else of a product; where it says what every product of gemmgate is, "
                             "take the column out",
                             table->file, table->lines[0], name);
        }
    return 0;
}

/* The number of the suite that is called so, or -1. */
static int find_known(const char *name) {
    int i = KNOWN - 1;
    while (i >= 0 && strcmp(known[i].name, name) != 0)
        i--;
    return i;
}

/* A suite from a file is called by the file's name. */
static int load_table(const struct csv_table *table, struct suite *suite) {
    char prefix[4096];
    const char *slash = strrchr(table->file, '/'), *name = slash ? slash + 1 : table->file;
    const int column = csv_table_find(table, "count");
    struct item *list = need(table->rows, sizeof *list);
    int status =
        find_known(name) < 0
            ? refuse_columns(table)
            : error("%s: %s is a suite of gemmgate, and claims are about it: rename the file",
                    table->file, name);
    for (size_t i = 0; i < table->rows && status == 0; i++)
        status = take_row(table, i, column, &list[i]);
    snprintf(prefix, sizeof prefix, "%s:", table->file);
    if (status == 0)
        status = list_shapes(suite, name, list, table->rows, prefix, column >= 0);
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
    const int number = find_known(name_or_file);
    *suite = (struct suite){0};
    if (number < 0)
        return load_file(name_or_file, suite);
    struct item *list = need(known[number].count, sizeof *list);
    for (size_t i = 0; i < known[number].count; i++)
        list[i] = (struct item){known[number].at(i), i, 1};
    fill(suite, known[number].name, list, known[number].count, false);
    free(list);
    return 0;
}

int suite_parse(const char *text, struct suite *suite) {
    static const char prefix[] = "--shapes item ";
    size_t most = 1, count = 0;
    *suite = (struct suite){0};
    for (const char *p = text; *p; p++)
        most += *p == ',';
    struct item *list = need(most, sizeof *list);
    char *copy = need_copy(text), *rest = copy, *word;
    int status = 0;
    while (status == 0 && (word = strsep(&rest, ","))) {
        const char *wrong = shape_parse(word, &list[count].shape);
        list[count].number = count + 1;
        count++;
        if (wrong)
            status = error("%s%zu: '%.60s': %s", prefix, count, word, wrong);
    }
    if (status == 0)
        status = list_shapes(suite, "shapes", list, count, prefix, false);
    free(copy);
    free(list);
    return status;
}

/* By mnk, which 64 bits hold exactly up to SHAPE_MAX_SIZE cubed; equal ones in the suite's order.
 */
static int product_compare(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    int64_t x = a->shape.m * a->shape.n * a->shape.k, y = b->shape.m * b->shape.n * b->shape.k;
    return x != y ? (x < y ? -1 : 1) : by_number(left, right);
}

int suite_sample(struct suite *suite, size_t n, uint64_t seed) {
    size_t count = suite->count, kept = 0;
    if (n == 0 || n > count)
        return error("--sample %zu: suite %s has %zu shapes; without --sample all are measured", n,
                     suite->name, count);
    struct item *list = need(count, sizeof *list);
    bool *keep = need(count, sizeof *keep);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct item){suite->shapes[i], i, 1};
    qsort(list, count, sizeof *list, product_compare);
    for (size_t i = 0; i < n; i++) {
        size_t first = i * count / n, width = (i + 1) * count / n - first;
        double draw = seed_uniform(seed_derive(seed, SEED_SUITE, i));
        keep[list[first + (size_t)(draw * (double)width)].number] = true;
    }
    for (size_t i = 0; i < count; i++)
        if (keep[i])
            suite_keep(suite, i, &kept);
    suite->count = kept;
    free(keep);
    free(list);
    return 0;
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
