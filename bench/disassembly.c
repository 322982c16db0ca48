#include "bench/disassembly.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cuobjdump.h"
#include "bench/error.h"
#include "bench/unit.h"
#include "candidates/hash.h"

#define LIMIT_SECONDS 120
#define PATH_SIZE (sizeof((struct built *)NULL)->so + 16)

struct pool {
    const struct built *built;
    const bool *wanted;
    size_t count;
    const struct build_options *options;
    char program[33]; /* "": what is read is not kept */
    struct disassembly *list;
    atomic_size_t next;
};

/* KEY.code beside KEY.so: its first line names the program that has read and the library that was
 * read, by their hashes; nothing else is believed. */
static bool name_memory(const struct pool *pool, const struct built *built, char path[PATH_SIZE],
                        char line[67]) {
    char library[33];
    if (!*pool->program || !built->in_cache || hash_file_quietly(built->so, library) < 0)
        return false;
    snprintf(path, PATH_SIZE, "%.*s.code", (int)(strlen(built->so) - strlen(".so")), built->so);
    snprintf(line, 67, "%s %s\n", pool->program, library);
    return true;
}

static bool recall(const char *path, const char *line, struct machine_code *code) {
    char first[67] = "";
    FILE *in = fopen(path, "r");
    const bool known = in && fgets(first, sizeof first, in) && strcmp(first, line) == 0 &&
                       machine_code_load(in, code) == 0;
    if (in)
        fclose(in);
    if (!known)
        machine_code_free(code);
    return known;
}

/* A cache that cannot be written to is none of the user's worries: the next run reads again. */
static void keep(const char *path, const char *line, const struct machine_code *code) {
    char part[PATH_SIZE + 24];
    snprintf(part, sizeof part, "%s.%ld", path, (long)gettid());
    FILE *out = fopen(part, "wx");
    if (!out)
        return;
    fputs(line, out);
    const int status = machine_code_save(code, out);
    if (fclose(out) == EOF || status < 0 || rename(part, path) < 0)
        unlink(part);
}

static void read_one(const struct pool *pool, const struct built *built, struct disassembly *one) {
    char path[PATH_SIZE], line[67];
    const bool kept = name_memory(pool, built, path, line);
    one->status = 0;
    if (kept && recall(path, line, &one->code))
        return;
    one->status =
        cuobjdump_read(built->so, LIMIT_SECONDS, pool->options->confine, &one->code, &one->why);
    if (kept && one->status == 0)
        keep(path, line, &one->code);
}

static void *read_some(void *context) {
    struct pool *pool = context;
    for (size_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;) {
        struct disassembly *one = &pool->list[i];
        one->status = 1;
        one->why = "it was not compiled";
        if ((!pool->wanted || pool->wanted[i]) && pool->built[i].outcome == BUILD_OK &&
            !unit_interrupted)
            read_one(pool, &pool->built[i], one);
    }
    return NULL;
}

/* Threads and not OpenMP, whose pool does not outlive the fork of a fleet. */
int disassembly_read(const struct built *built, const bool *wanted, size_t count,
                     const struct build_options *options, struct disassembly **list) {
    enum { MOST = 64 };
    pthread_t threads[MOST];
    size_t started = 0;
    *list = calloc(count + 1, sizeof **list);
    if (!*list)
        return error("no memory for the machine code of %zu libraries", count);
    struct pool pool = {built, wanted, count, options, "", *list, 0};
    if (hash_file_quietly("/proc/self/exe", pool.program) < 0)
        *pool.program = 0;
    while (started < MOST && started < count && (int)started + 1 < options->jobs &&
           pthread_create(&threads[started], NULL, read_some, &pool) == 0)
        started++;
    read_some(&pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

void disassembly_free(struct disassembly *list, size_t count) {
    for (size_t i = 0; list && i < count; i++)
        machine_code_free(&list[i].code);
    free(list);
}
