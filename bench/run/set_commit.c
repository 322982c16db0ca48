#include "bench/run/set_commit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"

enum { LIMIT_SECONDS = 5 };

void set_commit(const char *folder, char commit[SET_COMMIT]) {
    char git[PATH_MAX];
    struct child child;
    *commit = 0;
    FILE *output = tmpfile();
    if (!output || !child_find("git", NULL, git)) {
        if (output)
            fclose(output);
        return;
    }
    const char *const arguments[] = {git, "-C", folder, "rev-parse", "--verify", "HEAD", NULL};
    const struct child_program program = {
        .arguments = arguments, .output = fileno(output), .quiet = true};
    const bool ended = child_run(&child, &program, LIMIT_SECONDS) == 0 &&
                       child.fate == CHILD_ENDED && child.status == 0;
    rewind(output);
    if (!ended || !fgets(commit, SET_COMMIT, output))
        *commit = 0;
    commit[strspn(commit, "0123456789abcdef")] = 0;
    fclose(output);
}
