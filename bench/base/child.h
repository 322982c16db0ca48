/* Programs that run beside this one: compilers, gnuplot, git. Each has a process group of
 * its own, which ends with it, and reads nothing. */
#ifndef BENCH_BASE_CHILD_H
#define BENCH_BASE_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct child_program {
    const char *const *arguments; /* ends in NULL; the first is the program's path */
    const char *folder;           /* it works there; NULL: where this process does */
    const char *scratch;          /* its TMPDIR; NULL: as it is */
    const char *locale;           /* its LC_ALL; NULL: as it is */
    int output;                   /* the descriptor that it prints to; -1: as this process does */
    bool quiet;                   /* what it prints to stderr is dropped */
    int kept[2];                  /* descriptors that it has as 3 and 4; 0: none */
    uint64_t most_bytes;          /* of a file that it writes; 0: no limit */
    /* Called in the process that is about to be the program, with scratch, to lock it in: 0, or -1
     * after error(). It may take memory, so that no other thread may be at work in this process: a
     * lock of theirs would stay locked there. NULL: it is not locked in. */
    int (*confine)(const char *scratch);
};

/* The exit status of a process that could not become the program. */
#define CHILD_NOT_CONFINED 126
#define CHILD_NOT_RUN 127

/* CHILD_NONE is 0: a zeroed child is none. */
enum child_fate { CHILD_NONE, CHILD_RUNS, CHILD_ENDED, CHILD_TOO_LONG, CHILD_STOPPED };

struct child {
    enum child_fate fate;
    pid_t pid;
    double started, seconds; /* by clock_seconds; how long it ran */
    int status;              /* as waitpid has it, once it has ended or was killed */
};

/* Finds an executable file by its name along PATH, then in the folder `after` (NULL: none); a name
 * with a slash is a path. False, and "" in path, where there is none. */
bool child_find(const char *name, const char *after, char path[PATH_MAX]);

/* 0, or -1 after error(), with nothing to end. */
int child_start(struct child *child, const struct child_program *program);

/* Kills what is left of its group and waits for it. If the child was still running, its fate
 * becomes `killed`, else CHILD_ENDED. Does nothing to a child that is ended already. 0, or -1 after
 * error(). */
int child_end(struct child *child, enum child_fate killed);

/* Ends a child that runs when it has ended, or so many seconds after its start: CHILD_TOO_LONG. */
int child_wait(struct child *child, double limit_seconds);

/* Starts the program and waits for it likewise. */
int child_run(struct child *child, const struct child_program *program, double limit_seconds);

/* Runs the program likewise, and returns what it printed, as text that the caller frees. NULL where it
 * cannot be started, which is an error(), or does not end well, which is none. program->output is
 * not looked at. */
char *child_output(struct child_program program, double limit_seconds);

/* Whether it has ended; it is not waited for yet, so that its group cannot be another's. */
bool child_has_ended(pid_t pid);

/* Removes the folder and all in it once its group is killed; a warning where that fails. */
void child_remove_folder(const char *folder);

#endif
