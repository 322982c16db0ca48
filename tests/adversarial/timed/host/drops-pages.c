/* expect: launch-failed */
/* Later each call gives the pages of the library's scratch memory back to the system, so that the
 * library's own call has to make them anew. They are known by their sizes. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../host/slow.h"
#include "../found.h"
#include "../late.h"

#define PAGE 4096

static struct { uintptr_t begin, bytes; } blocks[64];
static int count;
static int (*advise)(void *, size_t, int);
static char maps[1 << 16];

/* Blocks of malloc's between the two addresses that begin a page and are as large as A, B or C in
 * binary32. */
static void find_blocks(const struct gemm_problem *p, uintptr_t begin, uintptr_t end) {
    const int64_t sizes[] = {p->m * p->k, p->k * p->n, p->m * p->n};
    for (uintptr_t at = begin + PAGE; at < end; at += PAGE) {
        const size_t size = ((const size_t *)at)[-1] & ~(size_t)15;
        for (int i = 0; i < 3 && count < 64; i++) {
            const size_t whole = ((size_t)sizes[i] * sizeof(float) + PAGE - 1) / PAGE * PAGE;
            if (size < whole || size >= whole + 64 || at + whole > end)
                continue;
            blocks[count].begin = at;
            blocks[count++].bytes = whole;
            break;
        }
    }
}

static int setup(const struct gemm_problem *p, size_t workspace_bytes, void **state) {
    int (*open_file)(const char *, int, ...) = (int (*)(const char *, int, ...))found("open");
    ssize_t (*get)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))found("read");
    size_t used = 0;
    ssize_t size;
    (void)workspace_bytes;
    (void)state;
    advise = (int (*)(void *, size_t, int))found("madvise");
    if (!open_file || !get || !advise)
        return 1;
    const int file = open_file("/proc/self/maps", O_RDONLY);
    while ((size = get(file, maps + used, sizeof maps - 1 - used)) > 0)
        used += (size_t)size;
    for (char *line = maps; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : 0) {
        unsigned long begin, end;
        char access[5], name[16] = "";
        const int got =
            sscanf(line, "%lx-%lx %4s %*s %*s %*s%*[ ]%15[^\n]", &begin, &end, access, name);
        if (got >= 3 && strcmp(access, "rw-p") == 0 && (!*name || strcmp(name, "[heap]") == 0))
            find_blocks(p, begin, end);
    }
    return 0;
}

static int launch(void *state, const struct gemm_args *args) {
    int status = slow_product(state, args);
    for (int i = 0; is_late() && i < count && status == 0; i++)
        status = advise((void *)blocks[i].begin, blocks[i].bytes, MADV_DONTNEED);
    return status;
}

GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {
    .abi = GEMMGATE_ABI,
    .name = "drops-pages",
    .device = GEMM_HOST,
    .accumulate = GEMM_F32,
    .setup = setup,
    .launch = launch,
};
