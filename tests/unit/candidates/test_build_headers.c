/* Compiled kernels and their headers: which are watched, and by which names. */

#include "tests/support/builds.h"
#include "tests/support/test.h"

/* The same words of source, but other headers: the first library must not stand in for the second,
 * nor be replaced by it. Both are kept. */
TEST_WITH(a_copy_with_other_headers_is_its_own, setup, scratch_remove) {
    char first[1024], second[1024];
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("kern/tile.h", "int tile = 1;\n");
    scratch_put("copy/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("copy/tile.h", "int tile = 2;\n");
    built_by("kern", 1);
    memcpy(first, shared->results[0].so, sizeof first);
    built_by("copy", 1);
    assert_string_not_equal(shared->results[0].so, first);
    memcpy(second, shared->results[0].so, sizeof second);
    assert_int_equal(access(first, R_OK), 0);
    for (int i = 0; i < 2; i++) {
        built_by("kern", 0);
        assert_string_equal(shared->results[0].so, first);
        built_by("copy", 0);
        assert_string_equal(shared->results[0].so, second);
    }

    scratch_put("include2/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    snprintf(include, sizeof include, "%s", scratch_path("include2"));
    built_by("kern", 1);
    assert_string_not_equal(shared->results[0].so, first);
}

static void move(const char *from, const char *to) {
    assert_int_equal(rename(scratch_path(from), scratch_path(to)), 0);
}

static void use_include(const char *folder) {
    snprintf(include, sizeof include, "%s", scratch_path(folder));
}

/* The set, its headers, and this program's: wherever they lie, they are what they were. */
TEST_WITH(moved_folders_are_a_hit, setup, scratch_remove) {
    scratch_put("here/kern/a.c", "#include \"tile.h\"\n#include \"../common.h\"\n"
                                 "#include <deep/one.h>\n#include <two.h>\n" KERNEL);
    scratch_put("here/kern/tile.h", "int tile;\n");
    scratch_put("here/common.h", "int common;\n");
    scratch_put("lib/deep/one.h", "#include \"../other/three.h\"\n");
    scratch_put("lib/other/three.h", "int three;\n");
    scratch_put("lib2/two.h", "int two;\n");
    scratch_put("here/kern/gemmgate.ini", "[set]\ninclude = ../../lib\nflags = -I %s/\n",
                scratch_path("lib2"));
    built_by("here/kern", 1);
    lists(" 1 tile.h\n");
    lists(" 1 ../common.h\n");
    lists(" 1 deep/one.h\n");
    lists(" 1 deep/../other/three.h\n");
    lists(" 1 two.h\n");
    lists(" 1 gemmgate.h\n");
    lists_not(scratch);
    lists_not("a.c");

    move("here", "there");
    move("lib", "moved");
    move("lib2", "moved2");
    move("include", "checkout");
    use_include("checkout");
    scratch_put("there/kern/gemmgate.ini", "[set]\ninclude = ../../moved\nflags = -I%s\n",
                scratch_path("moved2"));
    built_by("there/kern", 0);
    move("cc", "cc2");
    setenv("CC", scratch_path("cc2"), 1);
    built_by("there/kern", 0);
    /* Still they are watched, where they are now. */
    scratch_put("moved/other/three.h", "int four;\n");
    built_by("there/kern", 1);
    scratch_put("there/common.h", "int uncommon;\n");
    built_by("there/kern", 1);
    scratch_put("moved2/two.h", "int two, more;\n");
    built_by("there/kern", 1);
    scratch_put("checkout/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    built_by("there/kern", 1);
    built_by("there/kern", 0);
}

/* A header that comes to stand before another, in any of the folders. */
TEST_WITH(a_header_in_front_is_noticed, setup, scratch_remove) {
    static const char *const places[] = {"lib2/one.h", "lib/one.h", "kern/one.h"};
    scratch_put("kern/a.c", "#include \"one.h\"\n" KERNEL);
    scratch_put("kern/gemmgate.ini",
                "[set]\ninclude = ../lib\ninclude = ../lib2\ninclude = ../lib3\n");
    scratch_put("lib3/one.h", "int one;\n");
    built_by("kern", 1);
    for (int i = 0; i < 3; i++) {
        scratch_put(places[i], "int other%d;\n", i);
        built_by("kern", 1);
        built_by("kern", 0);
    }
    /* One of the same words is none the worse, and one behind another is nobody's. */
    scratch_put("lib/one.h", "int other2;\n");
    remove(scratch_path("kern/one.h"));
    built_by("kern", 0);
    scratch_put("lib3/one.h", "int last;\n");
    built_by("kern", 0);
}

/* <one.h> passes over the source's folder, and #include_next over the folder it is in. */
TEST_WITH(one_that_is_passed_over_is_in_nobodys_way, setup, scratch_remove) {
    scratch_put("kern/a.c", "#include <one.h>\n" KERNEL);
    scratch_put("kern/gemmgate.ini", "[set]\ninclude = ../lib\ninclude = ../lib2\n");
    scratch_put("kern/one.h", "#error not this one\n");
    scratch_put("lib/one.h", "#include_next <one.h>\n");
    scratch_put("lib2/one.h", "int one;\n");
    built_by("kern", 1);
    built_by("kern", 0);
    lists(" 2 one.h\n");
    lists(" 3 one.h\n");
    scratch_put("lib2/one.h", "int other;\n");
    built_by("kern", 1);
    scratch_put("lib/one.h", "int first;\n");
    built_by("kern", 1);
    built_by("kern", 0);
}

/* A header in no folder is known by its path. */
TEST_WITH(an_absolute_header_is_watched, setup, scratch_remove) {
    scratch_put("far/one.h", "int one;\n");
    scratch_put("kern/a.c", "#include \"%s\"\n" KERNEL, scratch_path("far/one.h"));
    built_by("kern", 1);
    built_by("kern", 0);
    char line[600];
    snprintf(line, sizeof line, " 0 %s\n", scratch_path("far/one.h"));
    lists(line);
    scratch_put("far/one.h", "int other;\n");
    built_by("kern", 1);
    remove(scratch_path("far/one.h"));
    assert_int_equal(build("kern"), 0);
    failed_with("far/one.h");
}

/* A toolkit with its nvcc, cc in truth: what it gives its compiler is not listed, wherever it lies.
 */
TEST_WITH(the_toolkit_is_the_compilers, setup, scratch_remove) {
    scratch_put("kern/a.cu", "#include <runtime.h>\n" KERNEL);
    scratch_put("kits/one/include/runtime.h", "int runtime;\n");
    scratch_put("kits/one/bin/nvcc.profile", "%s", "");
    use_compiler(
        "here=$(dirname \"$0\"); while [ \"$1\" != -MMD ] && [ \"$1\" != -MD ]; do shift; done\n"
        "set -- -x c -shared -fPIC -I\"$PWD/include\" -I\"$here/../include\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    assert_int_equal(symlink(scratch_path("kits/one"), scratch_path("kit")), 0);
    setenv("CUDACXX", scratch_path("kit/bin/nvcc"), 1);
    strcpy(options.arch, "90a");
    built_by("kern", 1);
    assert_non_null(strstr(calls_text, " -MMD "));
    lists_not("runtime.h");
    lists(" 1 gemmgate.h\n");
    scratch_put("kits/one/include/runtime.h", "int other_runtime;\n");
    built_by("kern", 0);
    scratch_put("version", "2");
    built_by("kern", 1);
    /* What is named is watched, be it the toolkit's; and so is the system's where its folders are.
     */
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -isystem %s\n", scratch_path("lib"));
    scratch_put("lib/one.h", "int one;\n");
    scratch_put("kern/a.cu", "#include <one.h>\n" KERNEL);
    use_compiler("while [ \"$1\" != -MD ]; do shift; done\n"
                 "set -- -x c -shared -fPIC -I\"$PWD/include\" -isystem \"$PWD/lib\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    built_by("kern", 1);
    lists(" 1 one.h\n");
    scratch_put("lib/one.h", "int other;\n");
    built_by("kern", 1);
    /* gcc takes this for a system folder, whatever it is named by. */
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -I/usr/local/include\n");
    built_by("kern", 1);
    assert_non_null(strstr(calls_text, " -MD "));
    /* A program by the name that belongs to no toolkit has none. */
    remove(scratch_path("kits/one/bin/nvcc.profile"));
    scratch_put("kern/gemmgate.ini", "[set]\n");
    scratch_put("kern/a.cu", "#include <runtime.h>\nint more;\n" KERNEL);
    use_compiler("while [ \"$1\" != -MMD ]; do shift; done\n"
                 "set -- -x c -shared -fPIC -I\"$PWD/include\" -I\"$PWD/kits/one/include\" \"$@\"");
    move("cc", "kits/one/bin/nvcc");
    built_by("kern", 1);
    scratch_put("kits/one/include/runtime.h", "int third;\n");
    built_by("kern", 1);
}

/* The wrapper names the source by its path, and neither key nor list have that. */
TEST_WITH(a_release_set_moves_too, setup, scratch_remove) {
    static const char set[] = "cuda-l2:h100_F32F16F16F32",
                      moved[] = "cuda-l2:deep/h100_F32F16F16F32";
    scratch_put("h100_F32F16F16F32/64_64_64.cu",
                "#include \"tile.h\"\nvoid cuda_l2_h100_fp32(int a) { }\n");
    scratch_put("h100_F32F16F16F32/tile.h", "int tile;\n");
    scratch_put("cutlass/include/cutlass/cutlass.h", "\n");
    /* The wrapper's C++ is not for cc: it compiles the source that the wrapper includes. */
    use_compiler("while [ \"$1\" != -MMD ]; do shift; done\n"
                 "for wrapper; do :; done\n"
                 "grep -q '^#include \"'$PWD'/.*/64_64_64.cu\"$' \"$wrapper\" || exit 8\n"
                 "source=$(sed -n '1s/.*\"\\(.*\\)\"/\\1/p' \"$wrapper\")\n"
                 "set -- -x c -shared -fPIC $1 $2 $3 $4 $5 \"$source\"");
    setenv("CUDACXX", scratch_path("cc"), 1);
    strcpy(options.arch, "90a");
    built_by(set, 1);
    lists(" 1 tile.h\n");
    lists_not("64_64_64.cu");
    assert_int_equal(mkdir(scratch_path("deep"), 0777), 0);
    move("h100_F32F16F16F32", "deep/h100_F32F16F16F32");
    built_by(moved, 0);
    scratch_put("deep/h100_F32F16F16F32/tile.h", "int other;\n");
    built_by(moved, 1);
}

/* Make rules keep such names in spellings of their own. */
TEST_WITH(odd_paths_are_watched, setup, scratch_remove) {
    static const char *const names[] = {"my tile.h", "a$b.h", "a$$b.h",
                                        "a#b.h",     "a:b.h", "two  blanks.h"};
    scratch_put("my $et #1/a.c", KERNEL);
    snprintf(cache, sizeof cache, "%s", scratch_path("my $cache: #1"));
    built_by("my $et #1", 1);
    built_by("my $et #1", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "my $et #1/%s", names[i]);
        scratch_put(path, "int one;\n");
        scratch_put("my $et #1/a.c", "#include \"%s\"\n" KERNEL, names[i]);
        built_by("my $et #1", 1);
        built_by("my $et #1", 0);
        scratch_put(path, "int two;\n");
        built_by("my $et #1", 1);
    }
}

/* A set's flags can make the compiler list anything as a header: it costs that kernel alone. */
TEST_WITH(a_header_is_a_file, setup, scratch_remove) {
    char none[512], fifo[512], folder[512], long_one[512];
    snprintf(none, sizeof none, "%s", scratch_path("none"));
    snprintf(fifo, sizeof fifo, "%s", scratch_path("fifo"));
    snprintf(folder, sizeof folder, "%s", scratch_path("kern"));
    snprintf(long_one, sizeof long_one, "%s", scratch_path("long"));
    scratch_put("long", "%s", "");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(truncate(long_one, (off_t)1 << 33), 0);
    const char *const bad[][2] = {{none, "No such file or directory"},
                                  {"/dev/zero", "it is no regular file"},
                                  {fifo, "it is no regular file"},
                                  {folder, "Is a directory"},
                                  {long_one, "File too large"}};
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char body[1024], want[1024];
        snprintf(body, sizeof body,
                 "case \"$*\" in */a.c*) set -- -MT x: -MT '%s' -MT y \"$@\"; esac", bad[i][0]);
        snprintf(want, sizeof want, "%s, which the compiler lists as a header, cannot be read: %s",
                 bad[i][0], bad[i][1]);
        use_compiler(body);
        assert_int_equal(build("kern"), 0);
        failed_with(want);
        assert_int_equal(shared->results[1].outcome, BUILD_OK);
        assert_int_equal(cache_files(), 2);
    }
}

/* Nor is one waited for that an entry names. */
TEST_WITH(an_entrys_header_is_a_file, setup, scratch_remove) {
    char deps[600];
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
    for (int i = 0; i < 2; i++) {
        char *so = strstr(read_deps(shared->results[0].so), "so ");
        snprintf(deps, sizeof deps, "cost 1 1\n%.68s\n00 %s%s\n", so, i ? "0 " : "1 ../",
                 i ? scratch_path("fifo") : "fifo");
        write_deps(shared->results[0].so, deps);
        built_by("kern", 1);
    }
}

TESTS_BETWEEN(builds_share, NULL)
