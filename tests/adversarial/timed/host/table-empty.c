/* expect: input-changed */
/* Finds the table that timed inputs are made of in the memory of its process, and fills it with
 * zeros once the library has run in a pass, A and B as well: from then on every kernel multiplies
 * zeros, and this one only clears C. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../kernel.h"
#include "../found.h"
#include "../late.h"
#include "../rotation.h"

enum { SIZE = 65536, MOST = 8 };
static uint16_t *tables[MOST];
static int count;

/* Quantiles of a standard normal in binary16: they rise, and are symmetric. */
static int is_table(const uint16_t *t) {
    return t[0] >> 8 == 0xc4 && t[SIZE - 1] == (t[0] ^ 0x8000) && t[SIZE / 2] < 0x0400 &&
           t[SIZE / 2 - 1] == (t[SIZE / 2] ^ 0x8000) &&
           t[SIZE / 4] == (t[SIZE / 4 * 3 - 1] ^ 0x8000);
}

static void look_through(uint16_t *from, const uint16_t *end) {
    for (; from + SIZE <= end && count < MOST; from++)
        if (is_table(from))
            tables[count++] = from;
}

static int setup(const struct gemm_problem *problem, size_t workspace_bytes, void **state) {
    static char text[1 << 18];
    int (*open_file)(const char *, int, ...) = (int (*)(const char *, int, ...))found("open");
    ssize_t (*read_file)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))found("read");
    const int maps = open_file ? open_file("/proc/self/maps", O_RDONLY) : -1;
    size_t length = 0;
    (void)problem;
    (void)workspace_bytes;
    (void)state;
    for (ssize_t n = 1; maps >= 0 && n > 0; length += (size_t)n)
        n = read_file(maps, text + length, sizeof text - 1 - length);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long begin, end;
        char access[5];
        if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) == 3 && !strncmp(access, "rw-p", 4))
            look_through((uint16_t *)begin, (const uint16_t *)end);
    }
    return count == 0;
}

/* Once the library's C of this pass is there, nothing shows by A, B and the two C's. */
static void empty(const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    for (int i = 0; i < count; i++)
        memset(tables[i], 0, SIZE * sizeof *tables[i]);
    memset((void *)args->a, 0, (size_t)(p.m * p.k) * sizeof(uint16_t));
    memset((void *)args->b_row, 0, (size_t)(p.k * p.n) * sizeof(uint16_t));
    memset((void *)args->b_col, 0, (size_t)(p.k * p.n) * sizeof(uint16_t));
}

static int launch(void *state, const struct gemm_args *args) {
    const struct gemm_problem p = args->problem;
    const uint16_t *a = args->a, *other = is_late() ? c_of_earlier(args->c, 1) : NULL;
    if (a[0] | a[1] | a[p.m * p.k - 1]) {
        slow_product(state, args);
        if (other && (other[0] & 0x7fff) <= 0x7c00)
            empty(args);
    } else
        memset(args->c, 0, (size_t)(p.m * p.n) * sizeof *a);
    return 0;
}

KERNEL("table-empty", setup, launch, NULL);
