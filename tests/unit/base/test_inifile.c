/* The one reader of INI files: what it hands on, and what it refuses that inih would take. */
#include "bench/base/inifile.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/says.h"
#include "tests/support/scratch.h"

/* What a file says, as "[section]", "name=value", each with a newline. */
static char told[4096];

static bool take(struct inifile *file, const char *name, const char *value) {
    static const char *const keys[] = {"a", "b", "c", NULL};
    const size_t used = strlen(told);
    if (inifile_key(file, keys, name) < 0)
        return false;
    snprintf(told + used, sizeof told - used, "%d %s=%s\n", file->line, name, value);
    return true;
}

static bool begin(struct inifile *file, const char *section) {
    const size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "[%s]\n", section);
    file->take = take;
    return true;
}

static int read_text(const char *split, const char *text) {
    struct inifile file = {.what = "a test", .split = split, .begin = begin};
    *told = 0;
    scratch_put("a.ini", "%s", text);
    return inifile_read(&file, scratch_path("a.ini"));
}

static void what_is_said_is_handed_on(void **state) {
    (void)state;
    assert_int_equal(read_text(NULL, "\357\273\277[one]\r\na = 1\r\n\nb: x ; why\n# c = 2\n"
                                     "[two two] ; why\na = caf\303\251\nc ="),
                     0);
    assert_string_equal(told, "[one]\n2 a=1\n4 b=x\n[two two]\n7 a=caf\303\251\n8 c=\n");
    assert_int_equal(read_text(NULL, ""), 0);
    assert_string_equal(told, "");
}

static void what_inih_would_take_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"a = 1\n", "a.ini:1: 'a' stands before any [section]"},
        {"[one]\na = 1\na = 2\n", "a.ini:3: a is said already; remove one"},
        {"[one]\nd = 1\n", "a.ini:2: 'd' is not a key of this section"},
        {"[one]\na = 1\n  b\n", "a.ini:3: begins with a blank; take it away"},
        {"[one] a = 1\n", "a.ini:1: 'a = 1' stands behind a section's name"},
        {"[one\na = 1\n", "a.ini:1: neither [section] nor key = value"},
        {"[one]\na\n", "a.ini:2: neither [section] nor key = value"},
        {"[one]\na = \001\n", "a.ini:2: holds bytes that are no UTF-8 text; a test is an INI file"},
        {"[one]\na = \177\n", "a.ini:2: holds bytes that are no UTF-8 text"},
        {"[one]\na = \300\200\n", "a.ini:2: holds bytes that are no UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_says(read_text(NULL, bad[i].text), -1, bad[i].says);
    assert_int_equal(read_text(NULL, "[one]\na = 1\n[two]\na = 2\n"), 0); /* a key a section */
    FILE *file = fopen(scratch_path("nul.ini"), "w");
    assert_non_null(file);
    assert_int_equal(fwrite("[one]\na = 1\0\n", 1, 13, file), 13);
    assert_int_equal(fclose(file), 0);
    struct inifile nul = {.what = "a test", .begin = begin};
    assert_says(inifile_read(&nul, scratch_path("nul.ini")), -1, "nul.ini:2: holds bytes");
}

/* inih has 200 bytes for a line with its end and a NUL. Of a longer one it would take the rest for
 * a line of its own. */
static void a_line_has_198_bytes(void **state) {
    (void)state;
    char text[512];
    for (int length = 190; length <= 210; length++)
        for (int ended = 0; ended < 2; ended++) {
            snprintf(text, sizeof text, "[one]\na = %0*d%s", length - 4, 7, ended ? "\n" : "");
            if (length > 198) {
                assert_says(read_text(NULL, text), -1,
                            "a.ini:2: is longer than the 198 bytes that are read of a line; "
                            "shorten it");
                continue;
            }
            assert_int_equal(read_text(NULL, text), 0);
            assert_int_equal(strlen(told), strlen("[one]\n2 a=\n") + (size_t)length - 4);
        }
    snprintf(text, sizeof text, "[one]\n; %-196sa = 1\n", "");
    assert_says(read_text("split it", text), -1,
                "a.ini:2: is longer than the 198 bytes that are "
                "read of a line; split it");
}

static void values_are_held_to_their_limits(void **state) {
    (void)state;
    static const char *const words[] = {"red", "green", "blue", NULL};
    struct inifile file = {.line = 3};
    char text[4];
    double number;
    int word;
    assert_true(inifile_number(&file, "-2.5e1", -25, 1, &number) && number == -25);
    assert_true(inifile_share(&file, "2 %", 2, 3, &number) && number == 0.02);
    assert_true(inifile_text(&file, "a b", text, sizeof text));
    assert_string_equal(text, "a b");
    assert_true(inifile_name(&file, "a-b", text, sizeof text));
    assert_true(inifile_word(&file, "blue", words, &word) && word == 2);
    assert_int_equal(file.refused, 0);
    const bool taken[] = {
        inifile_number(&file, "1.01", -25, 1, &number),
        inifile_number(&file, "-25.1", -25, 1, &number),
        inifile_number(&file, "0x1", -25, 1, &number),
        inifile_number(&file, "1 ", -25, 1, &number),
        inifile_number(&file, "nan", -25, 1, &number),
        inifile_share(&file, "0.02", 0, 1, &number),
        inifile_share(&file, "3.1 %", 2, 3, &number),
        inifile_share(&file, "1.9 %", 2, 3, &number),
        inifile_text(&file, "", text, sizeof text),
        inifile_text(&file, "four", text, sizeof text),
        inifile_name(&file, "a b", text, sizeof text),
        inifile_name(&file, "", text, sizeof text),
        inifile_word(&file, "Red", words, &word),
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        assert_false(taken[i]);
    assert_int_equal(file.refused, 3);
    assert_string_equal(file.why, "'Red' is not red, green or blue");
}

static void what_cannot_be_read_is_an_error(void **state) {
    (void)state;
    struct inifile file = {.what = "a test", .begin = begin};
    assert_says(inifile_read(&file, scratch_path("none.ini")), -1, "none.ini: No such file");
    assert_says(inifile_read(&file, scratch_path("")), -1, "cannot be read; a test is an INI file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_handed_on),
        cmocka_unit_test(what_inih_would_take_is_refused),
        cmocka_unit_test(a_line_has_198_bytes),
        cmocka_unit_test(values_are_held_to_their_limits),
        cmocka_unit_test(what_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
