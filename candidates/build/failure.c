#include "candidates/build/failure.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/base/files.h"

bool failure_was_kill(int status, const char *log) {
    static const char *const words[] = {"Killed signal terminated program",  /* gcc */
                                        "terminated with signal 9",          /* and its linker */
                                        "unable to execute command: Killed", /* clang */
                                        "died due to signal 9"};             /* nvcc */
    char text[2048];
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL;
    if (WEXITSTATUS(status) == 128 + SIGKILL) /* by a shell */
        return true;
    files_read_tail(log, text, sizeof text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static bool sounds_like_sandbox(int status, const char *text) {
    return strstr(text, strerror(EACCES)) || strstr(text, strerror(EPERM)) ||
           strstr(text, strsignal(SIGSYS)) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

/* "cutlass/gemm/device/gemm.h: No such file or directory", as gcc, clang and nvcc say it. */
static bool lacks_cutlass(const char *text) {
    static const char *const folders[] = {"cutlass/", "cute/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        for (const char *at = text; (at = strstr(at, folders[i])); at++) {
            const char *end = strpbrk(at, " '\n");
            if (end && end - at < 200 &&
                (strncmp(end, " No such file", 13) == 0 ||
                 strncmp(end, "' file not found", 16) == 0))
                return true;
        }
    return false;
}

/* Where the first error stands, at the beginning of its line; the text's beginning where none does.
 */
static const char *first_error(const char *text) {
    static const char *const words[] = {"error: ", "error : ", "undefined reference"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(text, words[i]);
        first = at && (!first || at < first) ? at : first;
    }
    while (first && first > text && first[-1] != '\n')
        first--;
    return first ? first : text;
}

void failure_explain(const struct job *job, bool confined, const char *log) {
    static const char killed[] = "(killed twice, the second time with no other compiler of this "
                                 "build beside it: probably for want of memory; give it more, or "
                                 "fill the cache where there is more: gemmgate build --jobs 1 "
                                 "--candidates SET)\n";
    static const char locked[] = "(in the sandbox a compiler writes below TMPDIR only and has no "
                                 "network, so that ccache or distcc fails; --no-sandbox goes "
                                 "without)\n";
    static const char none[] = "(the compiler's sandbox cannot be set up; --no-sandbox goes "
                               "without)\n";
    static const char cutlass[] = "(a header of CUTLASS is not there: name its source tree with "
                                  "--cutlass DIR)\n";
    const int status = job->child.status;
    char silent[1100];
    struct file_bytes said = {0};
    snprintf(silent, sizeof silent, "%.1000s ended with %s %d", job->compiler,
             WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    const bool spoke = file_bytes_read(log, &said) == 0 && said.size > 0;
    if (spoke)
        said.bytes[said.size] = 0; /* it has room for one more */
    const char *text = spoke ? (const char *)said.bytes : silent;
    const bool entered = !WIFEXITED(status) || WEXITSTATUS(status) != CHILD_NOT_CONFINED;
    const bool was_kill = failure_was_kill(status, log), lost = confined && !entered;
    const bool headless = lacks_cutlass(text);
    if (was_kill || lost || headless)
        job->built->outcome = BUILD_LACKING;
    const char *hint = was_kill                                        ? killed
                       : lost                                          ? none
                       : headless                                      ? cutlass
                       : confined && sounds_like_sandbox(status, text) ? locked
                                                                       : "";
    snprintf(job->built->message, sizeof job->built->message, "%s%s", hint, first_error(text));
    file_bytes_free(&said);
}
