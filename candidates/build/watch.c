#include "candidates/build/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <search.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"

static int (*confine_with)(const char *scratch);

void watch_with(int (*confine)(const char *scratch)) {
    confine_with = confine;
}

/* Calls that name a file. The numbers say which argument is the path, which is the folder that a
 * relative path begins at, and which has the flags; -1: none. */
static const struct call {
    const char *name;
    enum watch_kind kind;
    int path, folder, flags;
} calls[] = {
    {"open", WATCH_OPEN, 0, -1, 1},
    {"openat", WATCH_OPEN, 1, 0, 2},
    {"openat2", WATCH_OPEN, 1, 0, -1},
    {"execve", WATCH_OPEN, 0, -1, -1},
    {"execveat", WATCH_OPEN, 1, 0, -1},
    {"link", WATCH_OPEN, 0, -1, -1},
    {"linkat", WATCH_OPEN, 1, 0, -1},
    {"rename", WATCH_OPEN, 0, -1, -1},
    {"renameat", WATCH_OPEN, 1, 0, -1},
    {"renameat2", WATCH_OPEN, 1, 0, -1},
    {"stat", WATCH_LOOK, 0, -1, -1},
    {"lstat", WATCH_LOOK, 0, -1, -1},
    {"newfstatat", WATCH_LOOK, 1, 0, -1},
    {"statx", WATCH_LOOK, 1, 0, -1},
    {"access", WATCH_LOOK, 0, -1, -1},
    {"faccessat", WATCH_LOOK, 1, 0, -1},
    {"faccessat2", WATCH_LOOK, 1, 0, -1},
    {"readlink", WATCH_LINK, 0, -1, -1},
    {"readlinkat", WATCH_LINK, 1, 0, -1},
    /* Another process may read for it. */
    {"connect", WATCH_UNKNOWN, -1, -1, -1},
    {"io_uring_setup", WATCH_UNKNOWN, -1, -1, -1},
};
enum { CALLS = sizeof calls / sizeof *calls };

struct watch {
    int notifications;   /* -1: none are to be had */
    pid_t compiler;      /* the first process of it */
    char part[PATH_MAX]; /* the job's folder */
    int numbers[CALLS];  /* below 0: this processor has no such call */
    bool is_program;     /* the process has become the compiler */
    void *known;         /* records, as a tree */
    FILE *out;
    struct seccomp_notif *request;
    struct seccomp_notif_resp *response;
};

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static void note(struct watch *watch, enum watch_kind kind, const char *text) {
    char record[PATH_MAX + 2];
    const bool there = kind != WATCH_UNKNOWN && faccessat(AT_FDCWD, text, F_OK, AT_EACCESS) == 0;
    snprintf(record, sizeof record, "%c%c%s", kind, there ? '+' : '-', text);
    if (tfind(record, &watch->known, by_text))
        return;
    tsearch(need_copy(record), &watch->known, by_text);
    fwrite(record, 1, strlen(record) + 1, watch->out);
}

/* A string of another process, up to the end of the second page that it touches. */
static bool read_text(pid_t pid, uint64_t address, char text[PATH_MAX]) {
    const size_t page = 4096, first = page - address % page;
    const struct iovec here = {text, PATH_MAX},
                       there[2] = {{(void *)(uintptr_t)address, first}, /* NOLINT */
                                   {(void *)(uintptr_t)(address + first), PATH_MAX - first}};
    const ssize_t got = process_vm_readv(pid, &here, 1, there, first < PATH_MAX ? 2 : 1, 0);
    return got > 0 && memchr(text, 0, (size_t)got);
}

/* The folder that a relative path begins at. */
static bool read_folder(pid_t pid, const struct call *call, const uint64_t *arguments,
                        char folder[PATH_MAX]) {
    char link[64];
    const int descriptor = call->folder < 0 ? AT_FDCWD : (int)arguments[call->folder];
    if (descriptor == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%ld/cwd", (long)pid);
    else
        snprintf(link, sizeof link, "/proc/%ld/fd/%d", (long)pid, descriptor);
    const ssize_t length = readlink(link, folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    return *folder == '/';
}

/* Files in the job's folder are the compiler's own, unless a link leads out of it. */
static void note_path(struct watch *watch, enum watch_kind kind, const char *path) {
    char real[PATH_MAX];
    if (!files_below(watch->part, path) && !strstr(path, "/../"))
        note(watch, kind, path);
    else if (!realpath(path, real) ? !files_below(watch->part, path)
                                   : !files_below(watch->part, real))
        note(watch, kind, files_below(watch->part, path) ? real : path);
}

/* Notes what the call looks up. False where that cannot be known. */
static bool note_call(struct watch *watch, const struct call *call) {
    const struct seccomp_notif *request = watch->request;
    const uint64_t *arguments = (const uint64_t *)request->data.args;
    const pid_t pid = (pid_t)request->pid;
    char path[PATH_MAX], folder[PATH_MAX], whole[PATH_MAX];
    const uint64_t flags = call->flags < 0 ? 0 : arguments[call->flags];
    if (call->kind == WATCH_UNKNOWN)
        return false;
    if ((flags & O_ACCMODE) == O_WRONLY)
        return true;
    if (!arguments[call->path])
        return true;
    if (!read_text(pid, arguments[call->path], path))
        return false;
    if (!*path) /* of a descriptor, whose file was looked up before */
        return call->kind != WATCH_OPEN;
    if (*path == '/') {
        note_path(watch, call->kind, path);
        return true;
    }
    if (!read_folder(pid, call, arguments, folder) || files_join(whole, folder, path) < 0)
        return false;
    note_path(watch, call->kind, whole);
    return true;
}

/* One call: it is noted, then goes on. */
static void serve(struct watch *watch) {
    struct seccomp_notif *request = watch->request;
    memset(request, 0, sizeof *request);
    if (seccomp_notify_receive(watch->notifications, request) != 0)
        return; /* the process is gone */
    const struct call *call = NULL;
    for (int i = 0; i < CALLS && !call; i++)
        if (watch->numbers[i] == request->data.nr)
            call = &calls[i];
    if (!watch->is_program)
        watch->is_program = true; /* the first is the one by which it becomes the compiler */
    else if (call && !note_call(watch, call) &&
             seccomp_notify_id_valid(watch->notifications, request->id) == 0)
        note(watch, WATCH_UNKNOWN, call->name);
    *watch->response =
        (struct seccomp_notif_resp){.id = request->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    seccomp_notify_respond(watch->notifications, watch->response);
}

/* Kills the compiler, all that it has started, and this process, which is of the same group. */
static _Noreturn void end_group(void) {
    kill(0, SIGKILL);
    _exit(1);
}

/* Ends as the compiler did. */
static _Noreturn void end_as(int status) {
    const struct rlimit none = {0, 0};
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* The descriptor by which calls are notified, from the process that becomes the compiler. */
static int receive(int line) {
    char byte, space[CMSG_SPACE(sizeof(int))];
    int descriptor = -1;
    struct iovec text = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (recvmsg(line, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
        return -1;
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

static int send_descriptor(int line, int descriptor) {
    char byte = 0, space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec text = {&byte, 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(line, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* Beside the compiler, until it has ended. */
static void attend(struct watch *watch, int judge) {
    struct pollfd on[] = {{.fd = watch->notifications, .events = POLLIN},
                          {.fd = judge, .events = POLLIN},
                          {.fd = pidfd_open(watch->compiler, 0), .events = POLLIN}};
    while (poll(on, 3, -1) >= 0 || errno == EINTR) {
        if (on[1].revents) /* the builder is gone */
            end_group();
        if (on[0].revents & POLLIN)
            serve(watch);
        else if (on[2].revents || on[2].fd < 0)
            break;
        else if (on[0].revents)
            on[0].fd = -1;
    }
}

static _Noreturn void keep(struct watch *watch, int judge, int line) {
    char path[PATH_MAX];
    int status = W_EXITCODE(CHILD_NOT_RUN, 0);
    watch->notifications = receive(line);
    for (int i = 0; i < CALLS; i++)
        watch->numbers[i] = seccomp_syscall_resolve_name(calls[i].name);
    if (files_join(path, watch->part, WATCH_FILE) < 0 || !(watch->out = fopen(path, "w")) ||
        seccomp_notify_alloc(&watch->request, &watch->response) < 0)
        end_group();
    attend(watch, judge);
    while (waitpid(watch->compiler, &status, 0) < 0 && errno == EINTR) {
    }
    if (watch->notifications < 0)
        note(watch, WATCH_UNKNOWN, "the system has no notifications of seccomp");
    fputc(WATCH_END, watch->out);
    fputc(0, watch->out);
    fclose(watch->out);
    end_as(status);
}

/* The descriptor, or -1 where the system has none to give. */
static int ask_for_notifications(void) {
    /* Level 5 is Linux 5.0, where a call that is notified cannot go on yet; 6 is 5.7. */
    scmp_filter_ctx filter = seccomp_api_get() >= 6 ? seccomp_init(SCMP_ACT_ALLOW) : NULL;
    /* The guard against speculative stores would slow the compiler. */
    int status = filter ? seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1) : -1;
    for (int i = 0; i < CALLS && status == 0; i++) {
        const int number = seccomp_syscall_resolve_name(calls[i].name);
        status = number < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_NOTIFY, number, 0);
    }
    if (status == 0)
        status = seccomp_load(filter);
    return status == 0 ? seccomp_notify_fd(filter) : -1;
}

/* Closes the judge's open files, which are locks and lines to runners. */
static void close_others(int one, int other) {
    const int low = one < other ? one : other, high = one < other ? other : one;
    if (low > 3)
        close_range(3, (unsigned)low - 1, 0);
    if (high > low + 1)
        close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, ~0U, 0);
}

int watch_confine(const char *scratch) {
    int line[2];
    static struct watch watch;
    snprintf(watch.part, sizeof watch.part, "%s", scratch);
    *strrchr(watch.part, '/') = 0;
    const int judge = pidfd_open(getppid(), 0);
    if (judge < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0)
        return error("a compiler cannot be watched: %s", strerror(errno));
    watch.compiler = fork();
    if (watch.compiler < 0)
        return error("a compiler cannot be started: %s", strerror(errno));
    if (watch.compiler > 0) {
        close_others(judge, line[0]);
        keep(&watch, judge, line[0]);
    }
    if (confine_with && confine_with(scratch) != 0)
        return -1;
    return send_descriptor(line[1], ask_for_notifications());
}
