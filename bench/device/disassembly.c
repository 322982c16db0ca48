#include "bench/device/disassembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/device/cuobjdump.h"

#define LIMIT_SECONDS 120
#define PATH_SIZE (sizeof((struct built *)NULL)->so + 16)

/* One library on its way through the disassembler. */
struct reader {
    struct cuobjdump run;
    bool runs;
    bool kept; /* what is read is kept */
    char path[PATH_SIZE], line[67];
};

struct pool {
    const struct built *built;
    size_t count;
    const struct build_options *options;
    char program[33]; /* "": nothing is kept */
    struct disassembly *list;
    struct reader *readers;
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
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    FILE *out = fopen(part, "wx");
    if (!out)
        return;
    fputs(line, out);
    const int status = machine_code_save(code, out);
    if (fclose(out) == EOF || status < 0 || rename(part, path) < 0)
        unlink(part);
}

/* Returns whether there is one now that runs. */
static bool start(struct pool *pool, size_t i) {
    struct reader *reader = &pool->readers[i];
    struct disassembly *one = &pool->list[i];
    reader->kept = name_memory(pool, &pool->built[i], reader->path, reader->line);
    one->status = 0;
    if (reader->kept && recall(reader->path, reader->line, &one->code))
        return false;
    one->status = cuobjdump_start(&reader->run, pool->built[i].so, pool->options->confine);
    return reader->runs = one->status == 0;
}

static void end(struct pool *pool, size_t i) {
    struct reader *reader = &pool->readers[i];
    struct disassembly *one = &pool->list[i];
    one->status = cuobjdump_end(&reader->run, &one->code, &one->why);
    reader->runs = false;
    if (reader->kept && one->status == 0)
        keep(reader->path, reader->line, &one->code);
}

static bool is_stopped(const struct pool *pool) {
    return pool->options->stop && *pool->options->stop;
}

/* One thread, which starts all, waits for all and reads what they have printed. */
static void run_pool(struct pool *pool, const bool *wanted) {
    size_t next = 0, running = 0;
    while (next < pool->count || running > 0) {
        if (next < pool->count && running < (size_t)pool->options->jobs) {
            const size_t i = next++;
            pool->list[i].status = 1;
            pool->list[i].why = "it was not compiled";
            if ((!wanted || wanted[i]) && pool->built[i].outcome == BUILD_OK && !is_stopped(pool))
                running += start(pool, i);
            continue;
        }
        const size_t before = running;
        for (size_t i = 0; i < next; i++)
            if (pool->readers[i].runs &&
                (cuobjdump_has_ended(&pool->readers[i].run) || is_stopped(pool) ||
                 clock_seconds() - pool->readers[i].run.started > LIMIT_SECONDS)) {
                end(pool, i);
                running--;
            }
        if (running == before)
            usleep(10000);
    }
}

int disassembly_read(const struct built *built, const bool *wanted, size_t count,
                     const struct build_options *options, struct disassembly **list) {
    *list = calloc(count + 1, sizeof **list);
    struct pool pool = {built, count, options, "", *list, calloc(count + 1, sizeof(struct reader))};
    if (!*list || !pool.readers) {
        free(pool.readers);
        return error("no memory for the machine code of %zu libraries", count);
    }
    if (hash_file_quietly("/proc/self/exe", pool.program) < 0)
        *pool.program = 0;
    run_pool(&pool, wanted);
    free(pool.readers);
    return 0;
}

void disassembly_free(struct disassembly *list, size_t count) {
    for (size_t i = 0; list && i < count; i++)
        machine_code_free(&list[i].code);
    free(list);
}
