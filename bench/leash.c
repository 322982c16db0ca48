#include "bench/leash.h"

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
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/error.h"
#include "bench/monotonic.h"
#include "correctness/cores.h"

#define AWAKE_SECONDS 0.05

static int runner_path(char path[PATH_MAX]) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return error("cannot find this program's own path: %s", strerror(errno));
    self[n] = 0;
    if (snprintf(path, PATH_MAX, "%s/gemmgate-runner", dirname(self)) >= PATH_MAX)
        return error("the path of gemmgate-runner is too long");
    if (access(path, X_OK) < 0)
        return error("%s: %s; gemmgate-runner must lie beside gemmgate", path, strerror(errno));
    return 0;
}

/* In the child: only async-signal-safe calls. */
static void become_runner(const char *const *arguments, pid_t judge, int socket, int output,
                          int shared) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge)
        _exit(EXIT_TROUBLE);
    setpgid(0, 0);
    signal(SIGTERM, SIG_IGN); /* a scheduler's is for the judge, who ends this process */
    signal(SIGHUP, SIG_IGN);
    /* Handlers end with exec; what the judge ignores would stay ignored. */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    /* Out of the way of the fixed numbers first. */
    int s = fcntl(socket, F_DUPFD, 10), m = fcntl(shared, F_DUPFD, 10);
    int o = fcntl(output, F_DUPFD, 10), null = open("/dev/null", O_RDONLY);
    if (s < 0 || m < 0 || o < 0 || null < 0 || dup2(null, 0) < 0 || dup2(o, 1) < 0 ||
        dup2(o, 2) < 0 || dup2(s, WIRE_SOCKET_FD) < 0 || dup2(m, WIRE_SHARED_FD) < 0)
        _exit(EXIT_TROUBLE);
    for (int fd = WIRE_SHARED_FD + 1; fd < 256; fd++)
        close(fd);
    execvp(arguments[0], (char *const *)arguments);
    _exit(127);
}

int leash_start(struct leash *leash, size_t shared_bytes) {
    return leash_start_under(leash, shared_bytes, NULL);
}

int leash_start_under(struct leash *leash, size_t shared_bytes, const char *const *program) {
    char path[PATH_MAX];
    const char *arguments[16];
    int count = 0;
    while (program && *program && count < 14)
        arguments[count++] = *program++;
    arguments[count++] = path;
    arguments[count] = NULL;
    int sockets[2] = {-1, -1}, output[2] = {-1, -1}, shared = -1;
    *leash = LEASH_NONE;
    if (runner_path(path) < 0)
        return -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 ||
        pipe2(output, O_CLOEXEC | O_NONBLOCK) < 0 ||
        (shared = memfd_create("gemmgate", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0 ||
        ftruncate(shared, (off_t)shared_bytes) < 0 ||
        /* A kernel that could make it shorter could kill the judge by its next read. */
        fcntl(shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
        goto fail;
    leash->shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (leash->shared == MAP_FAILED) {
        leash->shared = NULL;
        goto fail;
    }
    leash->shared_bytes = shared_bytes;
    /* The runner's own end must block, or a chatty kernel would see EAGAIN. */
    if (fcntl(output[1], F_SETFL, 0) < 0)
        goto fail;
    pid_t judge = getpid();
    leash->pid = fork();
    if (leash->pid == 0)
        become_runner(arguments, judge, sockets[1], output[1], shared);
    if (leash->pid < 0)
        goto fail;
    setpgid(leash->pid, leash->pid);
    close(sockets[1]);
    close(output[1]);
    close(shared);
    leash->socket = sockets[0];
    leash->output = output[0];
    return 0;
fail:
    error("cannot start a runner with %zu MiB of shared memory: %s", shared_bytes >> 20,
          strerror(errno));
    for (int i = 0; i < 2; i++) {
        if (sockets[i] >= 0)
            close(sockets[i]);
        if (output[i] >= 0)
            close(output[i]);
    }
    if (shared >= 0)
        close(shared);
    leash->pid = 0;
    leash_end(leash);
    return -1;
}

/* The second number of a schedstat, in nanoseconds. */
static double waited(pid_t pid) {
    char path[64], text[128];
    unsigned long long ran, waiting;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return NAN;
    text[size] = 0;
    return sscanf(text, "%llu %llu", &ran, &waiting) == 2 ? 1e-9 * (double)waiting : NAN;
}

double leash_waited(const struct leash *leash) {
    return waited(leash->pid) + waited(getpid());
}

/* Reads what is there and keeps the tail. Returns 0 at end of file. */
static int drain(struct leash *leash) {
    char chunk[65536];
    for (;;) {
        ssize_t n = read(leash->output, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0;
        size_t take = (size_t)n > LEASH_LINES ? LEASH_LINES : (size_t)n;
        size_t keep = leash->printed_length;
        if (keep + take > LEASH_LINES)
            keep = LEASH_LINES - take;
        memmove(leash->printed, leash->printed + leash->printed_length - keep, keep);
        memcpy(leash->printed + keep, chunk + (size_t)n - take, take);
        leash->printed_length = keep + take;
        leash->printed[leash->printed_length] = 0;
    }
}

void leash_kill(struct leash *leash) {
    if (leash->pid > 0) {
        kill(-leash->pid, SIGKILL);
        kill(leash->pid, SIGKILL);
    }
}

/* The runner hung up or is to be killed: collect its last words and its status. */
static enum leash_answer bury(struct leash *leash, int *code) {
    int status = 0;
    *code = 0;
    if (leash->pid <= 0) /* buried already; to signal 0 would be to signal ourselves */
        return LEASH_EXITED;
    while (waitpid(leash->pid, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-leash->pid, SIGKILL); /* whatever it left behind in its group */
    leash->pid = 0;
    drain(leash);
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return WIFSIGNALED(status) ? LEASH_CRASHED : LEASH_EXITED;
}

/* A second for a runner that hung up to be gone; one that closed the socket and lives on is killed.
 */
static void await_death(struct leash *leash) {
    for (int i = 0; i < 100; i++) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)leash->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid)
            return;
        drain(leash);
        usleep(10000);
    }
    leash_kill(leash);
}

static enum leash_answer forged(struct leash *leash, int *code) {
    leash_kill(leash);
    bury(leash, code);
    return LEASH_FORGED;
}

int leash_send(struct leash *leash, const struct wire_request *request) {
    struct wire_request stamped = *request;
    stamped.version = WIRE_VERSION;
    if (getrandom(&leash->nonce, sizeof leash->nonce, 0) != sizeof leash->nonce)
        return error("no random number to be had: %s", strerror(errno));
    stamped.nonce = leash->nonce;
    leash->printed_length = 0;
    leash->printed[0] = 0;
    wire_send(leash->socket, &stamped, sizeof stamped); /* one that hung up sends no answer */
    return 0;
}

enum leash_answer leash_await(struct leash *leash, double seconds, struct wire_reply *reply,
                              int *code) {
    size_t have = 0;
    const bool spins = leash->awake && cores_allowed() > 1;
    const double deadline = monotonic_seconds() + seconds;
    for (;;) {
        struct pollfd wait[2] = {{.fd = leash->socket, .events = POLLIN},
                                 {.fd = leash->output, .events = POLLIN}};
        double left = deadline - monotonic_seconds();
        const bool awake = spins && seconds - left < AWAKE_SECONDS;
        int ready = left > 0 ? poll(wait, 2, awake ? 0 : (int)(left * 1e3) + 1) : 0;
        if (ready == 0 && awake && left > 0)
            continue;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0) {
            error("poll: %s", strerror(errno));
            leash_kill(leash);
            bury(leash, code);
            return LEASH_TROUBLE;
        }
        if (ready == 0) {
            leash_kill(leash);
            bury(leash, code);
            return LEASH_TIMED_OUT;
        }
        if (wait[1].revents && !drain(leash)) {
            /* It closed its output; stop polling a descriptor that is always ready. */
            close(leash->output);
            leash->output = -1;
        }
        if (!wait[0].revents)
            continue;
        ssize_t n = recv(leash->socket, (char *)reply + have, sizeof *reply - have, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0) {
            await_death(leash);
            return bury(leash, code);
        }
        have += (size_t)n;
        if (have < sizeof *reply)
            continue;
        reply->text[sizeof reply->text - 1] = 0;
        reply->name[sizeof reply->name - 1] = 0;
        reply->sandbox[sizeof reply->sandbox - 1] = 0;
        if (reply->version != WIRE_VERSION && !leash->answered) {
            error("gemmgate-runner is of another build: rebuild both");
            leash_kill(leash);
            bury(leash, code);
            return LEASH_TROUBLE;
        }
        if (reply->version != WIRE_VERSION || reply->nonce != leash->nonce)
            return forged(leash, code);
        leash->answered = true;
        return LEASH_ANSWERED;
    }
}

enum leash_answer leash_ask(struct leash *leash, const struct wire_request *request, double seconds,
                            struct wire_reply *reply, int *code) {
    return leash_send(leash, request) < 0 ? LEASH_TROUBLE
                                          : leash_await(leash, seconds, reply, code);
}

int leash_finish(struct leash *leash, double seconds) {
    double deadline = monotonic_seconds() + seconds;
    int code;
    close(leash->socket);
    leash->socket = -1;
    for (;;) {
        siginfo_t info = {0};
        drain(leash);
        if (waitid(P_PID, (id_t)leash->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid)
            break;
        if (monotonic_seconds() > deadline) {
            leash_kill(leash);
            break;
        }
        usleep(10000);
    }
    return bury(leash, &code) == LEASH_EXITED ? code : -1;
}

void leash_end(struct leash *leash) {
    int code;
    if (leash->socket >= 0)
        close(leash->socket);
    if (leash->pid > 0) {
        leash_kill(leash);
        bury(leash, &code);
    }
    if (leash->output >= 0)
        close(leash->output);
    if (leash->shared)
        munmap(leash->shared, leash->shared_bytes);
    *leash = LEASH_NONE;
}
