#include "bench/base/child.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"

bool child_has_ended(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)status, (void)type, (void)where;
    return remove(path);
}

/* A process that was killed may still end the call it was in, and so put a file into a folder that
 * was just emptied. */
void child_remove_folder(const char *folder) {
    int status = -1;
    for (int i = 0; i < 10 && status != 0; i++) {
        if (i > 0)
            usleep(10000);
        status = nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    if (status != 0)
        warning("%s cannot be removed: %s", folder, strerror(errno));
}
