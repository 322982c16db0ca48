#include "bench/device/disassembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "bench/device/cuobjdump.h"

#define LIMIT_SECONDS 120
#define PATH_SIZE (sizeof((struct built *)NULL)->so + 16)

/* One library on its way through the disassembler. */
struct reader {
    struct cuobjdump run;
    bool kept; /* what is read is kept */
    char path[PATH_SIZE], line[67];
};

struct reading {
    const struct built *built;
    const bool *wanted; /* NULL: all are */
    const struct build_options *options;
    char program[33]; /* "": nothing is kept */
    struct disassembly *list;
    struct reader *readers;
};

/* NAME.code beside NAME.so: its first line names the program that has read and the library that was
 * read, by their hashes; nothing else is believed. */
static bool name_memory(const struct reading *reading, const struct built *built,
                        char path[PATH_SIZE], char line[67]) {
    char library[33];
    if (!*reading->program || !built->in_cache || *built->given ||
        hash_file_quietly(built->so, library) < 0)
        return false;
    snprintf(path, PATH_SIZE, "%.*s.code", (int)(strlen(built->so) - strlen(".so")), built->so);
    snprintf(line, 67, "%s %s\n", reading->program, library);
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
static void keep_code(const char *path, const char *line, const struct machine_code *code) {
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

static int start_reader(void *context, size_t i, struct child **child) {
    struct reading *reading = context;
    struct reader *reader = &reading->readers[i];
    struct disassembly *one = &reading->list[i];
    const struct built *built = &reading->built[i];
    if ((reading->wanted && !reading->wanted[i]) || built->outcome != BUILD_OK)
        return 0;
    reader->kept = name_memory(reading, built, reader->path, reader->line);
    one->status = 0;
    if (reader->kept && recall(reader->path, reader->line, &one->code))
        return 0;
    one->status = cuobjdump_start(&reader->run, *built->given ? built->given : built->so,
                                  reading->options->confine);
    if (one->status < 0)
        return 0;
    *child = &reader->run.child;
    return 0;
}

static int end_reader(void *context, size_t i) {
    struct reading *reading = context;
    struct reader *reader = &reading->readers[i];
    struct disassembly *one = &reading->list[i];
    one->status = cuobjdump_end(&reader->run, &one->code, &one->why);
    if (reader->kept && one->status == 0)
        keep_code(reader->path, reader->line, &one->code);
    return 0;
}

int disassembly_read(const struct built *built, const bool *wanted, size_t count,
                     const struct build_options *options, struct disassembly **list) {
    *list = need(count, sizeof **list);
    struct reading reading = {built, wanted, options,
                              "",    *list,  need(count, sizeof *reading.readers)};
    if (hash_file_quietly("/proc/self/exe", reading.program) < 0)
        *reading.program = 0;
    for (size_t i = 0; i < count; i++)
        (*list)[i] = (struct disassembly){.status = 1, .why = "it was not compiled"};
    const struct child_pool pool = {.count = count,
                                    .most = (size_t)options->jobs,
                                    .limit_seconds = LIMIT_SECONDS,
                                    .stop = options->stop,
                                    .context = &reading,
                                    .start = start_reader,
                                    .end = end_reader};
    const int status = child_pool_run(&pool);
    free(reading.readers);
    return status < 0 ? -1 : 0;
}

void disassembly_free(struct disassembly *list, size_t count) {
    for (size_t i = 0; list && i < count; i++)
        machine_code_free(&list[i].code);
    free(list);
}
