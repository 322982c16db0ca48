/* Requests and replies of judge and runner: one set of fields a verb, and replies that cannot be
 * the runner's own. */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/process/runner_process.h"
#include "bench/process/wire.h"
#include "tests/support/test.h"

TEST(a_request_is_its_verb_and_its_fields_and_else_zero) {
    struct wire_request want;
    memset(&want, 0, sizeof want);
    want.verb = WIRE_CALL;
    want.call.arm = 3;
    want.call.seed = 7;
    const struct wire_request request = wire_call_request((struct wire_call){.arm = 3, .seed = 7});
    assert_memory_equal(&request, &want, sizeof want);
}

TEST(every_verb_has_a_request_of_its_own) {
    assert_int_equal(wire_describe_request((struct wire_describe){0}).verb, WIRE_DESCRIBE);
    assert_int_equal(wire_open_request((struct wire_open){.ordinal = 0}).verb, WIRE_OPEN);
    assert_int_equal(wire_shape_request((struct wire_shape){.accumulate = 0}).verb, WIRE_SHAPE);
    assert_int_equal(wire_add_request((struct wire_add){0}).verb, WIRE_ADD);
    assert_int_equal(wire_call_request((struct wire_call){0}).verb, WIRE_CALL);
    assert_int_equal(wire_time_request((struct wire_time){0}).verb, WIRE_TIME);
    assert_int_equal(wire_record_request((struct wire_record){0}).verb, WIRE_RECORD);
}

/* A reply of that verb whose every byte is a letter. */
static struct wire_reply endless(uint32_t verb) {
    struct wire_reply reply;
    memset(&reply, 'x', sizeof reply);
    reply.verb = verb;
    wire_end_texts(&reply);
    return reply;
}

TEST(texts_end_within_their_fields) {
    struct wire_reply reply = endless(WIRE_CALL);
    assert_int_equal(strlen(reply.text), sizeof reply.text - 1);
    reply = endless(WIRE_ADD);
    assert_int_equal(strlen(reply.add.name), sizeof reply.add.name - 1);
    assert_int_equal(strlen(reply.add.sandbox), sizeof reply.add.sandbox - 1);
}

TEST(a_reply_without_texts_is_left_as_it_is) {
    struct wire_reply before, after = endless(WIRE_TIME);
    memset(&before, 'x', sizeof before);
    assert_memory_equal(&after.time, &before.time, sizeof before.time);
}

TEST(a_message_comes_whole_or_not_at_all) {
    int ends[2];
    char got[4];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(wire_send(ends[0], "ab", 2), 0);
    assert_int_equal(wire_send(ends[0], "cd", 2), 0);
    assert_int_equal(wire_receive(ends[1], got, 4), 0);
    assert_memory_equal(got, "abcd", 4);
    assert_int_equal(wire_send(ends[0], "ef", 2), 0);
    close(ends[0]);
    errno = EINTR; /* of an earlier call: the end is no signal */
    assert_int_equal(wire_receive(ends[1], got, 4), -1);
    assert_int_equal(errno, EPIPE);
    assert_int_equal(wire_send(ends[1], "g", 1), -1);
    close(ends[1]);
}

/* Its arms' times by each lens, and the host's time by those of its own process. */
TEST(a_block_has_a_float_for_all_that_is_told) {
    const int call = 1 << LENS_CALL, device = 1 << LENS_DEVICE, wait = 1 << LENS_WAIT;
    assert_int_equal(wire_lens_columns(LENS_CALL), 2);
    assert_int_equal(wire_lens_columns(LENS_DEVICE), 1);
    assert_int_equal(wire_lens_columns(LENS_WAIT), 2);
    const struct {
        int lenses, arms;
        size_t floats;
    } cases[] = {{call, 1, 2},  {call, 5, 10},          {device, 5, 5},
                 {wait, 5, 10}, {call | device, 5, 15}, {call | device | wait, 3, 15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(wire_block_floats(&(struct wire_time){.lenses = cases[i].lenses,
                                                               .arm_count = cases[i].arms}),
                         cases[i].floats);
}

static void on_alarm(int number) {
    (void)number;
}

/* Far more than a socket holds, so that both sides wait, while signals come every millisecond. */
TEST(a_signal_cuts_no_message) {
    enum { SIZE = 8 << 20 };
    static char sent[SIZE], got[SIZE];
    struct sigaction action = {.sa_handler = on_alarm}, before;
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int ends[2], status;
    for (int i = 0; i < SIZE; i++)
        sent[i] = (char)(i * 7 + i / 256);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    const pid_t child = fork();
    if (child == 0) { /* sends it back once it has all of it */
        setitimer(ITIMER_REAL, &often, NULL);
        usleep(20000);
        _exit(wire_receive(ends[1], got, SIZE) < 0 || wire_send(ends[1], got, SIZE) < 0);
    }
    setitimer(ITIMER_REAL, &often, NULL);
    const int gave = wire_send(ends[0], sent, SIZE), took = wire_receive(ends[0], got, SIZE);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(gave, 0);
    assert_int_equal(took, 0);
    assert_memory_equal(got, sent, SIZE);
}

/* What the judge makes of a reply to a call. `spoil` changes what an honest runner would send. */
static enum process_answer answer_to(void (*spoil)(struct wire_reply *), struct wire_reply *got) {
    struct runner_process process = PROCESS_NONE;
    struct wire_request asked;
    int ends[2], code;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    process.socket = ends[0];
    process.answered = true;
    const struct wire_request request = wire_call_request((struct wire_call){.arm = 1});
    assert_int_equal(process_send(&process, &request), 0);
    assert_int_equal(wire_receive(ends[1], &asked, sizeof asked), 0);
    struct wire_reply reply;
    memset(&reply, 0, sizeof reply);
    reply.version = asked.version;
    reply.verb = asked.verb;
    reply.nonce = asked.nonce;
    reply.call.changed_inputs = 5;
    spoil(&reply);
    assert_int_equal(wire_send(ends[1], &reply, sizeof reply), 0);
    const enum process_answer answer = process_await(&process, 5, got, &code);
    close(ends[1]);
    process_end(&process);
    return answer;
}

static void not_at_all(struct wire_reply *reply) {
    (void)reply;
}

static void by_verb(struct wire_reply *reply) {
    reply->verb = WIRE_TIME;
}

static void by_nonce(struct wire_reply *reply) {
    reply->nonce++;
}

static void by_version(struct wire_reply *reply) {
    reply->version++;
}

static void by_endless_text(struct wire_reply *reply) {
    memset(reply->text, 'x', sizeof reply->text);
}

TEST(only_the_reply_to_the_question_is_taken) {
    static struct wire_reply got;
    assert_int_equal(answer_to(not_at_all, &got), PROCESS_ANSWERED);
    assert_int_equal(got.call.changed_inputs, 5);
    assert_int_equal(answer_to(by_verb, &got), PROCESS_FORGED);
    assert_int_equal(answer_to(by_nonce, &got), PROCESS_FORGED);
    assert_int_equal(answer_to(by_version, &got), PROCESS_FORGED);
    assert_int_equal(answer_to(by_endless_text, &got), PROCESS_ANSWERED);
    assert_int_equal(strlen(got.text), sizeof got.text - 1);
}
