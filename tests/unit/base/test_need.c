/* Memory that a program ends for want of. */
#include "bench/base/need.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "tests/support/test.h"

TEST(what_is_there_is_given) {
    static const unsigned char zeros[24];
    unsigned char *bytes = need(3, 8);
    assert_memory_equal(bytes, zeros, sizeof zeros);
    free(bytes);
    void *none = need(0, 8);
    assert_non_null(none);
    free(none);
    char *copy = need_copy("text");
    assert_string_equal(copy, "text");
    free(copy);
}

TEST(a_list_grows_and_keeps_what_it_has) {
    size_t *list = NULL;
    for (size_t i = 0; i < 100; i++) {
        list = need_more(list, i, sizeof *list);
        list[i] = i;
    }
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(list[i], i);
    free(list);
}

/* Its status, in a process of its own. */
static int end_of(void (*ask)(void)) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        ask();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void ask_too_much(void) {
    free(need(SIZE_MAX / 16, 8));
}

static void ask_more_than_can_be_counted(void) {
    free(need_more(NULL, SIZE_MAX / 8 + 1, 16));
}

static void leave_little(void) {
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){1 << 26, 1 << 26}), 0);
}

static const char piece[1 << 16];

static void write_too_much(void) {
    char *text;
    size_t size;
    leave_little();
    FILE *stream = need_stream(&text, &size);
    for (int i = 0; i < 4096; i++)
        fwrite(piece, 1, sizeof piece, stream);
    fclose(stream);
}

static void list_too_much(void) {
    need_json();
    leave_little();
    json_t *list = json_array();
    for (int i = 0; i < 4096; i++)
        json_array_append_new(list, json_stringn(piece, sizeof piece));
}

TEST(a_stream_has_what_was_written) {
    char *text;
    size_t size;
    FILE *stream = need_stream(&text, &size);
    fputs("words", stream);
    fclose(stream);
    assert_string_equal(text, "words");
    assert_int_equal(size, 5);
    free(text);
}

TEST(what_is_not_there_ends_the_program) {
    assert_int_equal(end_of(ask_too_much), EXIT_TROUBLE);
    assert_int_equal(end_of(ask_more_than_can_be_counted), EXIT_TROUBLE);
#ifdef __SANITIZE_ADDRESS__ /* which needs more than is left */
    return;
#endif
    assert_int_equal(end_of(write_too_much), EXIT_TROUBLE);
    assert_int_equal(end_of(list_too_much), EXIT_TROUBLE);
}
