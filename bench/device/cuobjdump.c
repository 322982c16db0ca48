#include "bench/device/cuobjdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"

/* Bytes of any file it writes; a big library's text has some millions. */
#define MOST_TEXT ((uint64_t)1 << 28)

static void clear(struct cuobjdump *run) {
    fclose(run->text);
    child_remove_folder(run->scratch);
}

int cuobjdump_start(struct cuobjdump *run, const char *so, int (*confine)(const char *)) {
    char path[PATH_MAX];
    const char *const arguments[] = {path, "-sass", so, NULL};
    *run = (struct cuobjdump){.scratch = "/tmp/gemmgate_cuobjdump.XXXXXX"};
    /* In memory: a full disk would cut it short. */
    const int text = memfd_create("cuobjdump", MFD_CLOEXEC);
    run->text = text < 0 ? NULL : fdopen(text, "r");
    if (!run->text) {
        const int why = errno;
        if (text >= 0)
            close(text);
        return error("no memory for what cuobjdump prints: %s", strerror(why));
    }
    if (!mkdtemp(run->scratch)) {
        const int status = error("%s: %s", run->scratch, strerror(errno));
        fclose(run->text);
        return status;
    }
    if (!child_find("cuobjdump", "/usr/local/cuda/bin", path))
        return 0;
    const struct child_program program = {.arguments = arguments,
                                          .scratch = run->scratch,
                                          .output = text,
                                          .quiet = true,
                                          .most_bytes = MOST_TEXT,
                                          .confine = confine};
    const int status = child_start(&run->child, &program);
    if (status < 0)
        clear(run);
    return status;
}

/* Whether it met the limit, whatever it made of that: who goes on leaves a text that is cut off. */
static bool is_cut(const struct cuobjdump *run) {
    struct stat text;
    return fstat(fileno(run->text), &text) == 0 && (uint64_t)text.st_size >= MOST_TEXT;
}

static int parse(const struct cuobjdump *run, struct machine_code *code) {
    rewind(run->text);
    machine_code_parse(run->text, code);
    return ferror(run->text) ? error("what cuobjdump printed cannot be read") : 0;
}

/* With the process gone. */
static int judge_end(const struct cuobjdump *run, struct machine_code *code, const char **why) {
    const int state = run->child.status;
    *why = NULL;
    if (WIFEXITED(state) && WEXITSTATUS(state) == CHILD_NOT_CONFINED)
        return error("cuobjdump's sandbox cannot be set up; --no-sandbox goes without");
    if (run->child.fate == CHILD_NONE || (WIFEXITED(state) && WEXITSTATUS(state) == CHILD_NOT_RUN))
        *why = "no cuobjdump on PATH or in /usr/local/cuda/bin: install the CUDA toolkit's";
    else if (run->child.fate != CHILD_ENDED)
        *why = "cuobjdump takes too long";
    else if (is_cut(run))
        *why = "cuobjdump prints more than can be kept";
    else if (state != 0)
        *why = "cuobjdump fails: the library has no device code that it can read, or nvdisasm is "
               "not beside it";
    else if (parse(run, code) < 0)
        return -1;
    else if (code->dropped)
        *why = "the library has more functions than can be kept";
    return *why ? 1 : 0;
}

int cuobjdump_end(struct cuobjdump *run, struct machine_code *code, const char **why) {
    int status = child_end(&run->child, CHILD_TOO_LONG);
    if (status == 0)
        status = judge_end(run, code, why);
    clear(run);
    return status;
}
