/* The one reader of INI files: what it hands on, and what it refuses that inih would take. */
#include "bench/base/inifile.h"

#include "tests/support/says.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

/* What a file says, as "[section]", "name=value", each with a newline. */
static char told[4096];

static bool tell(struct inifile *file, const char *value, void *name) {
    const size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%d %s=%s\n", file->line, (const char *)name, value);
    return true;
}

static bool take_a(struct inifile *file, const char *value, void *into) {
    (void)into;
    return tell(file, value, "a");
}

static bool take_b(struct inifile *file, const char *value, void *into) {
    (void)into;
    return tell(file, value, "b");
}

static bool take_c(struct inifile *file, const char *value, void *into) {
    (void)into;
    return tell(file, value, "c");
}

static bool begin(struct inifile *file, const char *section) {
    const size_t used = strlen(told);
    static const struct inifile_row rows[] = {
        {"a", .take = take_a}, {"b", .take = take_b}, {"c", .take = take_c}, {NULL}};
    snprintf(told + used, sizeof told - used, "[%s]\n", section);
    file->rows = rows;
    return true;
}

static int read_text(const char *split, const char *text) {
    struct inifile file = {.what = "a test", .split = split, .begin = begin};
    *told = 0;
    scratch_put("a.ini", "%s", text);
    return inifile_read(&file, scratch_path("a.ini"));
}

TEST(what_is_said_is_handed_on) {
    assert_int_equal(read_text(NULL, "\357\273\277[one]\r\na = 1\r\n\nb: x ; why\n# c = 2\n"
                                     "[two two] ; why\na = caf\303\251\nc ="),
                     0);
    assert_string_equal(told, "[one]\n2 a=1\n4 b=x\n[two two]\n7 a=caf\303\251\n8 c=\n");
    assert_int_equal(read_text(NULL, ""), 0);
    assert_string_equal(told, "");
}

TEST(what_inih_would_take_is_refused) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"a = 1\n", "a.ini:1: 'a' stands before any [section]"},
        {"[one]\na = 1\na = 2\n", "a.ini:3: a is said already; remove one"},
        {"[one]\nd = 1\n", "a.ini:2: 'd' is no key of [one], which has a, b"},
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
TEST(a_line_has_198_bytes) {
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

static const char *const words[] = {"red", "green", "blue", NULL};

struct fields {
    double share, number;
    int whole;
    size_t count;
    enum { RED, GREEN, BLUE } word;
    bool flag;
    char spelling[8];
    char end;
};

#define OF(field) INIFILE_FIELD(struct fields, field)
static const struct inifile_row rows[] = {
    {"share", INIFILE_SHARE, OF(share), .least = 2, .most = 3},
    {"number", INIFILE_NUMBER, OF(number), .least = -25, .most = 1},
    {"whole", INIFILE_WHOLE, OF(whole), .least = 1, .most = 9, .of = "things"},
    {"count", INIFILE_WHOLE, OF(count), .least = 1, .most = 1e12, .of = "things"},
    {"word", INIFILE_WORD, OF(word), .words = words},
    {"flag", INIFILE_WORD, OF(flag), .words = words + 1},
    {"spelling", INIFILE_SPELLING, OF(spelling), .words = words},
    {NULL}};

static struct fields fields;

static bool begin_fields(struct inifile *file, const char *section) {
    (void)section;
    file->rows = rows;
    file->into = &fields;
    return true;
}

static int read_fields(const char *text) {
    struct inifile file = {.what = "a test", .begin = begin_fields};
    memset(&fields, 'x', sizeof fields);
    scratch_put("a.ini", "[one]\n%s\n", text);
    return inifile_read(&file, scratch_path("a.ini"));
}

TEST(rows_say_where_values_go) {
    assert_int_equal(read_fields("share = 2 %\nnumber = -2.5e1\nwhole = 9\ncount = 1e12\n"
                                 "word = blue\nflag = blue\nspelling = green"),
                     0);
    assert_true(fields.share == 0.02 && fields.number == -25 && fields.whole == 9);
    assert_true(fields.count == 1000000000000 && fields.word == BLUE && fields.flag);
    assert_string_equal(fields.spelling, "green");
    assert_int_equal(fields.end, 'x');
    assert_int_equal(read_fields("flag = green"), 0);
    assert_false(fields.flag);
}

TEST(values_are_held_to_their_limits) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"number = 1.01", "a.ini:2: '1.01' is not a number from -25 to 1"},
        {"number = -25.1", "'-25.1' is not a number"},
        {"number = 0x1", "'0x1' is not a number"},
        {"number = 1 1", "'1 1' is not a number"},
        {"number = nan", "'nan' is not a number"},
        {"share = 0.02", "'0.02' is not a share in per cent with its sign, like 2 %"},
        {"share = 3.1 %", "3.1 % is not from 2 % to 3 %"},
        {"share = 1.9 %", "1.9 % is not from 2 % to 3 %"},
        {"whole = 1.5", "'1.5' is no whole number of things"},
        {"whole = 10", "'10' is not a number from 1 to 9"},
        {"word = Red", "'Red' is not red, green or blue"},
        {"spelling = r", "'r' is not red, green or blue"},
        {"flag = red", "'red' is not green or blue"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_says(read_fields(bad[i].text), -1, bad[i].says);
}

TEST(texts_and_names_are_held_to_their_size) {
    struct inifile file = {.line = 3};
    char text[4];
    assert_true(inifile_text(&file, "a b", text, sizeof text));
    assert_string_equal(text, "a b");
    assert_true(inifile_name(&file, "a-b", text, sizeof text));
    assert_string_equal(text, "a-b");
    assert_int_equal(file.refused, 0);
    assert_false(inifile_text(&file, "", text, sizeof text));
    assert_string_equal(file.why, "has no value");
    assert_int_equal(file.refused, 3);
    assert_false(inifile_text(&file, "four", text, sizeof text));
    assert_string_equal(file.why, "'four...' is longer than 3 bytes");
    assert_false(inifile_name(&file, "a b", text, sizeof text));
    assert_string_equal(file.why, "'a b' is no name; it has letters, digits, - _ . only");
    assert_false(inifile_name(&file, "", text, sizeof text));
    assert_false(inifile_name(&file, "four", text, sizeof text));
}

TEST(what_cannot_be_read_is_an_error) {
    struct inifile file = {.what = "a test", .begin = begin};
    assert_says(inifile_read(&file, scratch_path("none.ini")), -1, "none.ini: No such file");
    assert_says(inifile_read(&file, scratch_path("")), -1,
                "it cannot be read; a test is an INI file");
}

TESTS_BETWEEN(scratch_make, scratch_remove)
