#include "bench/process/runner_process.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/base/installed.h"
#include "bench/base/secret.h"
#include "bench/process/interrupt.h"

/* A process that a kernel has started may keep the socket open, so that nobody hangs up when the
 * runner ends: now and then the judge looks. */
#define LOOK_SECONDS 0.25

/* An answer that is on its way when somebody interrupts is waited for: a batch takes half a second.
 */
#define INTERRUPTED_SECONDS 2

/* In a build tree the runner lies beside the judge; installed, where nobody calls it by mistake. */
static int runner_path(char path[PATH_MAX]) {
    static const char *const places[] = {"", "../libexec/gemmgate/"};
    char self[PATH_MAX];
    if (installed_program(self) < 0)
        return -1;
    const char *folder = dirname(self);
    for (int i = 0; i < 2; i++) {
        if (snprintf(path, PATH_MAX, "%s/%sgemmgate-runner", folder, places[i]) >= PATH_MAX)
            return error("the path of gemmgate-runner is too long");
        if (access(path, X_OK) == 0)
            return 0;
    }
    return error("%s: %s; gemmgate-runner must lie there or beside gemmgate", path,
                 strerror(errno));
}

static pid_t judge;

static int die_with_judge(const char *scratch) {
    (void)scratch;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == judge ? 0 : -1;
}

/* The runner's ends of what it shares with the judge. */
struct ends {
    int socket, shared, output;
};

/* 0 or -1. Either way what there is of either side is to be closed. */
static int open_ends(struct runner_process *process, size_t shared_bytes, struct ends *ends) {
    int sockets[2] = {-1, -1}, output[2] = {-1, -1};
    const int lost = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) |
                     pipe2(output, O_CLOEXEC | O_NONBLOCK);
    process->socket = sockets[0];
    process->output = output[0];
    *ends = (struct ends){sockets[1], memfd_create("gemmgate", MFD_CLOEXEC | MFD_ALLOW_SEALING),
                          output[1]};
    if (lost || ends->shared < 0 || ftruncate(ends->shared, (off_t)shared_bytes) < 0 ||
        /* A kernel that could make it shorter could kill the judge by its next read. */
        fcntl(ends->shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0 ||
        /* The runner's own end must block, or a chatty kernel would see EAGAIN. */
        fcntl(ends->output, F_SETFL, 0) < 0)
        return -1;
    void *shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ends->shared, 0);
    if (shared == MAP_FAILED)
        return -1;
    process->shared = shared;
    process->shared_bytes = shared_bytes;
    return 0;
}

static void close_end(int end) {
    if (end >= 0)
        close(end);
}

int process_start(struct runner_process *process, size_t shared_bytes) {
    return process_start_under(process, shared_bytes, NULL);
}

int process_start_under(struct runner_process *process, size_t shared_bytes,
                        const char *const *program) {
    char path[PATH_MAX], under[PATH_MAX];
    const char *arguments[22];
    struct ends ends;
    struct child child = {.pid = 0};
    int count = 0;
    *process = PROCESS_NONE;
    if (runner_path(path) < 0 || setenv("OMP_WAIT_POLICY", "passive", 1) < 0)
        return -1;
    while (program && *program && count < 20)
        arguments[count++] = *program++;
    if (count > 0 && child_find(arguments[0], NULL, under))
        arguments[0] = under;
    arguments[count++] = path;
    arguments[count] = NULL;
    judge = getpid();
    int status = open_ends(process, shared_bytes, &ends);
    if (status < 0)
        error("cannot start a runner with %zu MiB of shared memory: %s", shared_bytes >> 20,
              strerror(errno));
    else
        status = child_start(&child, &(struct child_program){.arguments = arguments,
                                                             .output = ends.output,
                                                             .kept = {ends.socket, ends.shared},
                                                             .confine = die_with_judge});
    close_end(ends.socket);
    close_end(ends.shared);
    close_end(ends.output);
    if (status == 0)
        process->pid = child.pid;
    else
        process_end(process);
    return status;
}

/* Reads what is there and keeps the tail. Returns 0 at end of file. */
static int drain(struct runner_process *process) {
    char chunk[65536];
    for (;;) {
        ssize_t n = read(process->output, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0;
        size_t take = (size_t)n > PROCESS_LINES ? PROCESS_LINES : (size_t)n;
        size_t keep = process->printed_length;
        if (keep + take > PROCESS_LINES)
            keep = PROCESS_LINES - take;
        memmove(process->printed, process->printed + process->printed_length - keep, keep);
        memcpy(process->printed + keep, chunk + (size_t)n - take, take);
        process->printed_length = keep + take;
        process->printed[process->printed_length] = 0;
    }
}

void process_stop(const struct runner_process *process) {
    if (process->pid > 0)
        kill(-process->pid, SIGSTOP);
}

void process_go_on(const struct runner_process *process) {
    if (process->pid > 0)
        kill(-process->pid, SIGCONT);
}

void process_kill(struct runner_process *process) {
    if (process->pid > 0) {
        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL);
    }
}

/* The runner hung up or is to be killed: collect its last words and its status. */
static enum process_answer bury(struct runner_process *process, int *code) {
    int status = 0;
    *code = 0;
    if (process->pid <= 0) /* buried already; to signal 0 would be to signal ourselves */
        return PROCESS_EXITED;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-process->pid, SIGKILL); /* whatever it left behind in its group */
    process->pid = 0;
    drain(process);
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return WIFSIGNALED(status) ? PROCESS_CRASHED : PROCESS_EXITED;
}

/* So many seconds for a runner that hung up, or that nobody asks any more, to be gone: one that lives on
 * is killed. */
static void await_end(struct runner_process *process, double seconds) {
    const double deadline = clock_seconds() + seconds;
    for (drain(process); !child_has_ended(process->pid); drain(process)) {
        if (clock_seconds() > deadline) {
            process_kill(process);
            return;
        }
        usleep(10000);
    }
}

static enum process_answer end_with(struct runner_process *process, enum process_answer answer,
                                    int *code) {
    process_kill(process);
    bury(process, code);
    return answer;
}

int process_send(struct runner_process *process, const struct wire_request *request) {
    struct wire_request stamped = *request;
    stamped.version = WIRE_VERSION;
    if (secret_draw(&process->nonce) < 0)
        return -1;
    stamped.nonce = process->nonce;
    process->verb = request->verb;
    process->printed_length = 0;
    process->printed[0] = 0;
    wire_send(process->socket, &stamped, sizeof stamped); /* one that hung up sends no answer */
    return 0;
}

bool process_has_ended(const struct runner_process *process) {
    return process->pid <= 0 || child_has_ended(process->pid);
}

bool process_has_spoken(const struct runner_process *process) {
    struct pollfd wait = {.fd = process->socket, .events = POLLIN};
    return process_has_ended(process) || poll(&wait, 1, 0) > 0;
}

/* When no answer is waited for any more. Nobody is accused of being late who was interrupted. */
static enum process_answer give_up(struct runner_process *process, int *code) {
    if (!interrupted)
        return end_with(process, PROCESS_TIMED_OUT, code);
    error("interrupted");
    return end_with(process, PROCESS_TROUBLE, code);
}

/* Judges a whole reply. */
static enum process_answer accept_reply(struct runner_process *process, struct wire_reply *reply,
                                        int *code) {
    if (reply->version != WIRE_VERSION && !process->answered) {
        error("gemmgate-runner is of another build: rebuild both");
        return end_with(process, PROCESS_TROUBLE, code);
    }
    if (reply->version != WIRE_VERSION || reply->nonce != process->nonce ||
        reply->verb != process->verb)
        return end_with(process, PROCESS_FORGED, code);
    wire_end_texts(reply);
    process->answered = true;
    return PROCESS_ANSWERED;
}

/* Reads what is there of the reply, behind the `have` bytes before it. False where the runner hung
 * up. */
static bool read_reply(struct runner_process *process, struct wire_reply *reply, size_t *have) {
    const ssize_t n =
        recv(process->socket, (char *)reply + *have, sizeof *reply - *have, MSG_DONTWAIT);
    *have += n > 0 ? (size_t)n : 0;
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Waits until the socket or the output has something, or for so many seconds, and takes what was
 * printed. 1 where the socket may have something, 0, or -1 after error(). */
static int wait_for_words(struct runner_process *process, double seconds) {
    struct pollfd wait[2] = {{.fd = process->socket, .events = POLLIN},
                             {.fd = process->output, .events = POLLIN}};
    if (poll(wait, 2, (int)(1e3 * seconds) + (seconds > 0)) < 0)
        return errno == EINTR ? 1 : error("poll: %s", strerror(errno));
    if (wait[1].revents && !drain(process)) {
        /* It closed its output; stop polling a descriptor that is always ready. */
        close(process->output);
        process->output = -1;
    }
    return wait[0].revents != 0;
}

enum process_answer process_await(struct runner_process *process, double seconds,
                                  struct wire_reply *reply, int *code) {
    size_t have = 0;
    double deadline = clock_seconds() + seconds;
    bool ended = process->pid <= 0, told = false; /* what it has sent is read first */
    while (have < sizeof *reply) {
        if (interrupted && !told)
            deadline = fmin(deadline, clock_seconds() + INTERRUPTED_SECONDS);
        told = interrupted;
        const double left = deadline - clock_seconds();
        if (left <= 0)
            return give_up(process, code);
        const int ready = wait_for_words(process, ended ? 0 : fmin(left, LOOK_SECONDS));
        if (ready < 0)
            return end_with(process, PROCESS_TROUBLE, code);
        if (ready > 0) {
            if (!read_reply(process, reply, &have)) {
                await_end(process, 1);
                return bury(process, code);
            }
        } else if (ended) {
            return bury(process, code);
        } else {
            ended = child_has_ended(process->pid);
        }
    }
    return accept_reply(process, reply, code);
}

enum process_answer process_ask(struct runner_process *process, const struct wire_request *request,
                                double seconds, struct wire_reply *reply, int *code) {
    return process_send(process, request) < 0 ? PROCESS_TROUBLE
                                              : process_await(process, seconds, reply, code);
}

int process_finish(struct runner_process *process, double seconds) {
    int code;
    close(process->socket);
    process->socket = -1;
    await_end(process, seconds);
    return bury(process, &code) == PROCESS_EXITED ? code : -1;
}

void process_end(struct runner_process *process) {
    int code;
    close_end(process->socket);
    if (process->pid > 0) {
        process_kill(process);
        bury(process, &code);
    }
    close_end(process->output);
    if (process->shared)
        munmap(process->shared, process->shared_bytes);
    *process = PROCESS_NONE;
}
