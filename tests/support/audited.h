/* For tests: libraries that are compiled here and audited. Include after cmocka.h. */
#ifndef TESTS_SUPPORT_AUDITED_H
#define TESTS_SUPPORT_AUDITED_H

#include "correctness/audit/static_audit.h"
#include "tests/support/asserts.h"
#include "tests/support/findings.h"
#include "tests/support/scratch.h"

static const char *const plain = "int kernel(int x); int kernel(int x) { return x + 1; }\n";

/* Compiles the source with further flags into the named library. */
__attribute__((unused)) static const char *compile(const char *so, const char *source,
                                                   const char *flags) {
    char command[2048];
    const char *path = scratch_path(so);
    scratch_put("kernel.c", "%s", source);
    snprintf(command, sizeof command, "cc -w -O1 %s -o '%s' '%s' -L'%s' %s",
             strstr(flags, "-no-pie") ? "" : "-shared -fPIC", path, scratch_path("kernel.c"),
             scratch, flags);
    assert_int_equal(system(command), 0);
    return path;
}

__attribute__((unused)) static void audit(const char *so) {
    memset(&list, 0, sizeof list);
    assert_int_equal(static_audit(so, &list), 0);
}

#endif
