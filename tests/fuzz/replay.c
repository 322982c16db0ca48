/* Runs every target over its corpus, so that what fuzzing once found stays found: replay CORPUS.
 * Fails where a target has no input that it reads to its end, and where a folder of inputs has no
 * target. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "tests/fuzz/fuzz.h"

static const struct {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define X(name) {#name, fuzz_##name},
    FUZZ_TARGETS
#undef X
};
enum { TARGETS = sizeof targets / sizeof *targets };

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int unknown(const struct dirent *entry) {
    for (size_t i = 0; i < TARGETS; i++)
        if (strcmp(entry->d_name, targets[i].name) == 0)
            return 0;
    return visible(entry);
}

/* Readers' messages follow the name of the input. */
static void replay(const char *corpus, size_t target) {
    char folder[PATH_MAX], path[PATH_MAX];
    struct dirent **inputs;
    fuzz_promise(files_join(folder, corpus, targets[target].name) == 0);
    int count = scandir(folder, &inputs, visible, alphasort);
    for (int i = 0; i < count; i++) {
        struct file_bytes input;
        fuzz_promise(files_join(path, folder, inputs[i]->d_name) == 0);
        fuzz_promise(file_bytes_read(path, &input) == 0);
        fprintf(stderr, "%s/%s\n", targets[target].name, inputs[i]->d_name);
        targets[target].run(input.bytes, input.size);
        fuzz_forget();
        file_bytes_free(&input);
        free(inputs[i]);
    }
    if (count >= 0)
        free(inputs);
}

int main(int argc, char **argv) {
    struct dirent **strangers;
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < TARGETS; i++) {
        const size_t read_before = fuzz_read;
        replay(argv[1], i);
        if (fuzz_read > read_before)
            continue;
        fprintf(stderr, "%s/%s: no input that this target reads to its end\n", argv[1],
                targets[i].name);
        failed = 1;
    }
    int count = scandir(argv[1], &strangers, unknown, alphasort);
    for (int i = 0; i < count; i++) {
        fprintf(stderr, "%s/%s: there is no such target\n", argv[1], strangers[i]->d_name);
        free(strangers[i]);
    }
    if (count >= 0)
        free(strangers);
    return failed || count != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
