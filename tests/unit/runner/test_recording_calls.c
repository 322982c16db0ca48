/* Recording a sequence of calls: in which order, on which inputs, and told what fails. Calls of a process
 * that has timed are watched in the same way. */

#include "tests/support/test.h"

#include "tests/support/recorded_calls.h"

static void facts_are_there(void) {
    static struct facts facts;
    memcpy(&facts, wire_facts(shared, sizeof shared), sizeof facts);
    assert_int_equal(facts.calls, 91);
}

/* A sync more before each call: fresh inputs. */
TEST_WITH(a_sequence_is_recorded_and_made_again, begin, end) {
    record();
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(), "sync unkept launch end sync keep "
                                      "sync call launch end sync look0 looks "
                                      "sync call launch end sync look0 looks "
                                      "sync unkept launch end sync look0 looks "
                                      "sync unkept launch end sync look0 looks write tell ");
    assert_true(reply.record.recordable);
    facts_are_there();
    assert_int_equal(reply.record.bytes, 77);
    /* Calls of one number have the same inputs and the same C, and others have others. */
    assert_int_equal(launches, 1 + 2 * CALLS);
    assert_int_equal(launched_first[1], launched_first[3]);
    assert_int_equal(launched_first[2], launched_first[4]);
    assert_int_not_equal(launched_first[1], launched_first[2]);
    assert_int_not_equal(launched_first[0], launched_first[1]);
    assert_ptr_equal(launched_c[1], launched_c[3]);
    assert_ptr_not_equal(launched_c[1], launched_c[2]);
    assert_ptr_equal(launched_c[0], launched_c[1]); /* of the calls that are not kept, too */
    assert_int_equal(reply.record.seals[0], reply.record.again[0]);
    assert_int_equal(reply.record.seals[1], reply.record.again[1]);
    assert_true(reply.record.seals[0] != reply.record.seals[1]);
}

TEST_WITH(a_call_that_cannot_be_recorded_says_why, begin, end) {
    written = 1;
    record();
    assert_int_equal(reply.status, 0);
    assert_false(reply.record.recordable);
    assert_string_equal(reply.text, "it uses textures");
}

TEST_WITH(a_call_that_fails_ends_the_recording, begin, end) {
    good_launches = 2;
    record();
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_int_equal(launches, 3);
    assert_false(reply.record.recordable);
    good_launches = 99;
    fake_device.fails = "looks";
    record();
    is_fault("an output cannot be looked at");
    fake_device.fails = "look";
    record();
    is_fault("an output cannot be looked at");
    fake_device.fails = "sync";
    record();
    is_fault("fresh inputs could not be made");
    fake_device.fails = NULL;
}

static void watch(int calls) {
    memset(&reply, 0, sizeof reply);
    memset(shared, 0, sizeof shared);
    fake_noted();
    runner.recording = false;
    runner_record(&runner, &(struct wire_record){.unkept = 1, .calls = calls, .seed = 4}, &reply);
}

/* The first may do what first calls do. */
TEST_WITH(calls_of_a_process_that_has_timed_are_watched, begin, end) {
    watch(2);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_OK);
    assert_string_equal(fake_noted(), "attach sync unkept launch end sync "
                                      "sync call launch end sync sync call launch end sync tell ");
    assert_true(reply.record.recordable);
    facts_are_there();
    assert_int_not_equal(launched_first[0], launched_first[1]);
    refused = "it uses graphs";
    watch(1);
    assert_false(reply.record.recordable);
    facts_are_there();
    assert_string_equal(reply.text, "it uses graphs");
    refused = "";
}

TEST_WITH(a_watched_call_that_fails_is_the_last, begin, end) {
    good_launches = 1;
    watch(2);
    assert_int_equal(reply.outcome, OUTCOME_LAUNCH_FAILED);
    assert_string_equal(reply.text, "status 8");
    assert_string_equal(fake_noted(), "attach sync unkept launch end sync "
                                      "sync call launch end ");
    good_launches = 99;
    fake_device.fails = "sync";
    watch(2);
    is_fault("fresh inputs could not be made");
    fake_device.fails = "attach";
    watch(2);
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.outcome, OUTCOME_UNRECORDED);
    assert_string_equal(reply.text, "CUPTI gave up");
    assert_string_equal(fake_noted(), "attach ");
    fake_device.fails = NULL;
}

TEST_WITH(without_room_nothing_is_watched, begin, end) {
    fake_device.most_held = fake_device.held;
    watch(1);
    assert_int_equal(reply.outcome, OUTCOME_NO_MEMORY);
    assert_string_equal(reply.text, "no room for an output");
    fake_device.most_held = 0;
}
