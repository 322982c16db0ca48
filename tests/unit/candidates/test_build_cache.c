/* What the cache of compiled kernels keeps and what it notices. */

#include "tests/support/builds.h"
#include "tests/support/says.h"
#include "tests/support/test.h"

TEST_WITH(a_second_build_is_a_hit, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_true(shared->results[0].seconds > 0);
    assert_int_equal(cache_files(), 2);
    built_by("kern", 0);
    assert_true(shared->results[0].seconds == 0);
}

TEST_WITH(what_changes_the_library_is_noticed, setup, scratch_remove) {
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    scratch_put("kern/tile.h", "#include \"deeper.h\"\n");
    scratch_put("kern/deeper.h", "\n");
    built_by("kern", 1);
    scratch_put("kern/deeper.h", "int deeper;\n");
    built_by("kern", 1);
    scratch_put("include/gemmgate.h", "#define GEMMGATE_ABI 2\n");
    built_by("kern", 1);
    scratch_put("kern/a.c", "#include \"tile.h\"\n\n" KERNEL);
    built_by("kern", 1);
    scratch_put("version", "2");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DNAME\n");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DOTHER -DNAME\n");
    built_by("kern", 1);
    scratch_put("kern/gemmgate.ini", "[set]\nflags = -DNAME -DOTHER\n");
    built_by("kern", 1);
    scratch_put("kern/tile.h", "\n");
    remove(scratch_path("kern/deeper.h"));
    built_by("kern", 1);
    built_by("kern", 0);
}

TEST_WITH(what_does_not_is_not, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/tile.h", "1\n");
    built_by("kern", 1);
    scratch_put("kern/tile.h", "2\n");
    scratch_put("include/other.h", "3\n");
    scratch_put("kern/a.c", KERNEL);
    options.timeout_seconds = 1000;
    options.jobs = 1;
    built_by("kern", 0);
}

/* Folders that the environment names are looked at anew. */
TEST_WITH(the_environment_counts_as_flags_do, setup, scratch_remove) {
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH"};
    scratch_put("lib/one.h", "int one;\n");
    scratch_put("lib2/one.h", "int two;\n");
    scratch_put("kern/a.c", "#include <one.h>\n" KERNEL);
    for (int i = 0; i < 2; i++) {
        setenv(variables[i], scratch_path("lib"), 1);
        built_by("kern", 1);
        setenv(variables[i], scratch_path("lib2"), 1);
        built_by("kern", 1);
        built_by("kern", 0);
        unsetenv(variables[i]);
        assert_int_equal(build("kern"), 0);
        failed_with("one.h");
        assert_int_equal(calls(), 1);
    }
}

/* This program's headers, and the toolkit with its nvcc (cc in truth): wherever they lie. */
TEST_WITH(what_belongs_to_the_compiler_is_not_listed, setup, scratch_remove) {
    scratch_put("kern/a.cu", "#include <runtime.h>\n" KERNEL);
    scratch_put("kits/one/include/runtime.h", "int runtime;\n");
    scratch_put("kits/one/bin/nvcc.profile", "%s", "");
    use_compiler("while [ \"$1\" != -o ]; do shift; done\n"
                 "set -- -shared -fPIC -I\"$PWD/include\" "
                 "-I\"$PWD/kits/one/include\" $1 $2 -x c $3");
    assert_int_equal(rename(scratch_path("cc"), scratch_path("kits/one/bin/nvcc")), 0);
    assert_int_equal(symlink(scratch_path("kits/one"), scratch_path("kit")), 0);
    setenv("CUDACXX", scratch_path("kit/bin/nvcc"), 1);
    strcpy(options.arch, "90a");
    built_by("kern", 1);
    lists_not("kits/one/include/runtime.h");
    lists("include/gemmgate.h\n");
    scratch_put("kits/one/include/runtime.h", "int other_runtime;\n");
    built_by("kern", 0);
    scratch_put("version", "2");
    built_by("kern", 1);
}

/* Its key does not have the version of nvcc. */
TEST_WITH(headers_of_the_toolkit_count_for_a_c_source, setup, scratch_remove) {
    scratch_put("kern/a.cu", KERNEL);
    scratch_put("kern/b.c", "#include <runtime.h>\n" KERNEL);
    scratch_put("kits/one/include/runtime.h", "int runtime;\n");
    scratch_put("kits/one/bin/nvcc.profile", "%s", "");
    use_compiler("while [ \"$1\" != -o ]; do shift; done\n"
                 "set -- -shared -fPIC -I\"$PWD/include\" $1 $2 -x c $3");
    assert_int_equal(rename(scratch_path("cc"), scratch_path("kits/one/bin/nvcc")), 0);
    setenv("CUDACXX", scratch_path("kits/one/bin/nvcc"), 1);
    setenv("CC", "cc", 1);
    setenv("CPATH", scratch_path("kits/one/include"), 1);
    strcpy(options.arch, "90a");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(build("kern"), 0);
        assert_int_equal(shared->results[0].cached, i);
        assert_int_equal(shared->results[1].outcome, BUILD_OK);
        assert_false(shared->results[1].cached);
        scratch_put("kits/one/include/runtime.h", "int other_runtime;\n");
    }
    unsetenv("CPATH");
}

/* An entry may name what has no end. */
TEST_WITH(an_entrys_file_is_a_file, setup, scratch_remove) {
    char deps[600];
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
    snprintf(deps, sizeof deps, "%.36s00 o ../fifo\n", read_deps(shared->results[0].so));
    write_deps(shared->results[0].so, deps);
    built_by("kern", 1);
}

/* Whoever else can write to an entry could have made it. */
TEST_WITH(an_entry_is_the_users, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    assert_int_equal(chmod(shared->results[0].so, 0666), 0);
    built_by("kern", 1);
    assert_int_equal(chmod(deps_of(shared->results[0].so), 0664), 0);
    built_by("kern", 1);
    built_by("kern", 0);
    assert_int_equal(chmod(cache, 0775), 0);
    assert_says(build("kern"), -1, "its group or others may write there");
}

/* Two releases are compiled by turns, whose headers differ and may make the same library. */
TEST_WITH(each_library_is_found_again, setup, scratch_remove) {
    static const char *const headers[] = {"int tile = 1;\n", "int tile = 2;\n",
                                          "/* as before */ int tile = 1;\n"};
    scratch_put("kern/a.c", "#include \"tile.h\"\n" KERNEL);
    for (int i = 0; i < 6; i++) {
        scratch_put("kern/tile.h", "%s", headers[i % 3]);
        built_by("kern", i < 3);
    }
    assert_int_equal(cache_files(), 2 + 3); /* two libraries, three lists */
}

TEST_WITH(a_damaged_entry_is_built_again, setup, scratch_remove) {
    static const char *const garbage[] = {"",       "\n",      "so", "so \n",        "cost\n",
                                          "a b\nc", "so 00\n", " ",  "\377\376 \001"};
    char so[1024];
    scratch_put("kern/a.c", KERNEL);
    built_by("kern", 1);
    memcpy(so, shared->results[0].so, sizeof so);
    assert_int_equal(truncate(so, 1000), 0);
    built_by("kern", 1);
    assert_int_equal(truncate(so, 0), 0);
    built_by("kern", 1);
    assert_int_equal(unlink(so), 0);
    built_by("kern", 1);
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        write_deps(so, garbage[i]);
        built_by("kern", 1);
    }
    built_by("kern", 0);
}

TEST_WITH(two_builders_share_a_cache, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    scratch_put("kern/b.c", KERNEL);
    /* Each builder's first compiler waits for the other's. All look up the same programs. */
    use_compiler("met=/dev/shm/${PWD##*/}; echo >>$met; sleep 0.02; "
                 "until [ $(wc -l <$met) -ge 2 ]; do sleep 0.02; done");
    options.jobs = 1;
    pid_t first = start("kern"), second = start("kern");
    assert_int_equal(end(first), 0);
    assert_int_equal(end(second), 0);
    assert_int_equal(shared->results[0].outcome, BUILD_OK);
    assert_int_equal(shared->results[1].outcome, BUILD_OK);
    assert_int_equal(calls(), 4);
    assert_int_equal(cache_files(), 4);
    char met[512];
    snprintf(met, sizeof met, "/dev/shm%s", strrchr(scratch, '/'));
    assert_int_equal(unlink(met), 0);
    assert_int_equal(build("kern"), 0);
    assert_true(shared->results[0].cached);
    assert_true(shared->results[1].cached);
    assert_int_equal(calls(), 0);
}

TEST_WITH(a_cache_needs_a_folder_to_write_in, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    scratch_put("file", "no folder");
    snprintf(cache, sizeof cache, "%s", scratch_path("file"));
    assert_says(build("kern"), -1, "file: Not a directory; --cache-dir names another folder");
    snprintf(cache, sizeof cache, "%s", scratch_path("file/cache"));
    assert_says(build("kern"), -1, "file/cache: Not a directory; --cache-dir names another folder");

    snprintf(cache, sizeof cache, "%s", scratch_path("closed"));
    assert_int_equal(mkdir(cache, 0555), 0);
    assert_int_equal(chmod(scratch, 0755), 0);
    const bool root = geteuid() == 0; /* whom no mode stops */
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    stderr_catch();
    int status = build("kern");
    assert_int_equal(root ? seteuid(0) : 0, 0);
    stderr_says("closed: Permission denied; --cache-dir names another folder");
    assert_int_equal(status, -1);
    assert_int_equal(calls(), 0);
}

TEST_WITH(the_cache_is_found, setup, scratch_remove) {
    scratch_put("kern/a.c", KERNEL);
    options.cache = NULL;
    setenv("HOME", scratch_path("home"), 1);
    setenv("XDG_CACHE_HOME", "", 1);
    setenv("GEMMGATE_CACHE", "", 1);
    static const char *const variables[] = {"HOME", "XDG_CACHE_HOME", "GEMMGATE_CACHE"};
    static const char *const folders[] = {"one/.cache/gemmgate/", "two/gemmgate/", "three/"};
    static const char *const values[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        char want[512];
        setenv(variables[i], scratch_path(values[i]), 1);
        assert_int_equal(build("kern"), 0);
        snprintf(want, sizeof want, "%s", scratch_path(folders[i]));
        assert_memory_equal(shared->results[0].so, want, strlen(want));
        assert_int_equal(access(shared->results[0].so, R_OK), 0);
    }
    for (int i = 0; i < 3; i++)
        unsetenv(variables[i]);
    assert_says(build("kern"), -1, "no place for compiled kernels: give --cache-dir DIR");
}

TEST_WITH(a_library_is_a_file, setup, scratch_remove) {
    static const char *const bodies[] = {"exit 0", "mkfifo \"$TMPDIR/kernel.so\"; exit 0",
                                         "ln -s /dev/null \"$TMPDIR/kernel.so\"; exit 0"};
    scratch_put("kern/a.c", KERNEL);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        use_compiler(bodies[i]);
        assert_int_equal(build("kern"), 0);
        failed_with("/cc ended well and left no library");
        assert_int_equal(cache_files(), 0);
    }
}

TESTS_BETWEEN(builds_share, NULL)
