/* What the fuzz targets share. A target is a function that feeds any bytes to a reader of files and
 * aborts when what was read is not what the reader promises. tests/fuzz/libfuzzer.c runs one under
 * libFuzzer, tests/fuzz/replay.c each of them over its corpus. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* FUZZ_TARGETS is X(name) for every target, from CMakeLists.txt. */
#define X(name) void fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS
#undef X

/* A promise of the code under test. */
#define fuzz_promise(holds) ((holds) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #holds))
_Noreturn void fuzz_broken(const char *file, int line, const char *promise);

/* A target counts here the inputs that were read to their end, so that a corpus which a change of
 * format has made worthless is seen. */
extern size_t fuzz_read;

/* A folder of this process, in $TMPDIR, /dev/shm or /tmp, that is removed when it ends or, to begin
 * with an empty one, by fuzz_forget. */
const char *fuzz_folder(void);
void fuzz_forget(void);

/* The name's path in that folder; good for 31 more calls. */
const char *fuzz_path(const char *name);

/* Writes the file and returns its path. */
const char *fuzz_put(const char *name, const void *data, size_t size);

/* One of the files that an input is made of. */
struct fuzz_part {
    const uint8_t *data;
    size_t size;
};

/* Cuts the input at every "====\n", and the last part is the rest. Parts that are not there are
 * NULL. */
void fuzz_split(const uint8_t *data, size_t size, struct fuzz_part *parts, size_t count);

/* Writes each part that is there under its name, and removes the other names. */
void fuzz_put_parts(const char *const *names, const struct fuzz_part *parts, size_t count);

#endif
