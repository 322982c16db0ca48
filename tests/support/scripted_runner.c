/* For tests of the process layer: a runner that does as the name in WIRE_ADD says, and answers all
 * else with the request's own verb. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/process/wire.h"

static bool is(const char *asked, const char *word) {
    return strncmp(asked, word, strlen(word)) == 0;
}

/* A child that would outlive the runner. Its process is told through the shared memory. */
static void leave_child(void) {
    pid_t *child = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED_FD, 0);
    const pid_t pid = child == MAP_FAILED ? -1 : fork();
    if (pid > 0)
        *child = pid;
    if (pid != 0)
        return;
    for (;;)
        pause();
}

static void print(long bytes) {
    for (long i = 0; i < bytes; i++)
        putchar('a' + (int)(i % 26));
    fflush(stdout);
}

/* Returns whether there is to be an answer. */
static bool act(const char *asked, struct wire_reply *reply) {
    struct stat file;
    if (is(asked, "exit"))
        exit(atoi(asked + 4));
    if (is(asked, "signal"))
        raise(atoi(asked + 6));
    if (is(asked, "hang"))
        sleep(60);
    if (is(asked, "shut")) { /* and lives on */
        close(WIRE_SOCKET_FD);
        sleep(60);
    }
    if (is(asked, "spill")) { /* more than a pipe holds, after it has hung up */
        close(WIRE_SOCKET_FD);
        print(200000);
        exit(4);
    }
    if (is(asked, "child"))
        leave_child();
    if (is(asked, "print"))
        print(atol(asked + 5));
    if (is(asked, "stderr"))
        fputs("on stderr\n", stderr);
    if (is(asked, "mute")) {
        close(1);
        close(2);
    }
    if (is(asked, "nonce"))
        reply->nonce++;
    if (is(asked, "version"))
        reply->version++;
    if (is(asked, "half")) {
        wire_send(WIRE_SOCKET_FD, reply, sizeof *reply / 2);
        usleep(20000);
        wire_send(WIRE_SOCKET_FD, (char *)reply + sizeof *reply / 2,
                  sizeof *reply - sizeof *reply / 2);
        return false;
    }
    if (is(asked, "part")) {
        wire_send(WIRE_SOCKET_FD, reply, sizeof *reply / 2);
        exit(0);
    }
    if (is(asked, "long"))
        memset(reply->text, 'x', sizeof reply->text);
    if (is(asked, "look")) /* what it was given */
        snprintf(reply->text, sizeof reply->text, "%ld bytes, group %d, fd5 %d, shrinks %d, %s",
                 fstat(WIRE_SHARED_FD, &file) == 0 ? (long)file.st_size : -1L,
                 getpgrp() == getpid(), fcntl(5, F_GETFD), ftruncate(WIRE_SHARED_FD, 1) == 0,
                 signal(SIGTERM, SIG_IGN) == SIG_IGN ? "deaf" : "hears");
    return true;
}

int main(int count, char **arguments) {
    static struct wire_request request;
    static struct wire_reply reply;
    (void)count;
    while (wire_receive(WIRE_SOCKET_FD, &request, sizeof request) == 0) {
        memset(&reply, 0, sizeof reply);
        reply.version = WIRE_VERSION;
        reply.verb = request.verb;
        reply.nonce = request.nonce;
        snprintf(reply.text, sizeof reply.text, "%s", arguments[0]);
        if (request.verb == WIRE_ADD && !act(request.add.name, &reply))
            continue;
        if (wire_send(WIRE_SOCKET_FD, &reply, sizeof reply) < 0)
            return 1;
    }
    fputs("last words\n", stderr);
    return 5;
}
